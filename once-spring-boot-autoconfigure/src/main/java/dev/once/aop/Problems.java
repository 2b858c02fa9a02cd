package dev.once.aop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.once.aop.InvalidGuardException.Problem;

/**
 * Gathers what cannot be guarded, so that a start names all of it at once.
 */
final class Problems {

	private final Set<Problem> found = new LinkedHashSet<>();

	/**
	 * Goes on after a check that fails.
	 */
	void gather(Runnable check) {
		try {
			check.run();
		}
		catch (InvalidGuardException ex) {
			this.found.addAll(ex.problems());
		}
	}

	void add(String where, String what, String mend) {
		this.found.add(new Problem(where, what, mend));
	}

	void throwIfAny() {
		if (!this.found.isEmpty()) {
			throw asException();
		}
	}

	InvalidGuardException asException() {
		return new InvalidGuardException(List.copyOf(this.found));
	}

}
