package dev.once.aop;

import java.util.List;

import dev.once.OnceException;

/**
 * Methods cannot be guarded as they are declared. It stops the start, and names all that
 * was found.
 */
public final class InvalidGuardException extends OnceException {

	private final transient List<Problem> problems;

	/**
	 * Refuses a method.
	 * @param where bean and method
	 * @param what what is wrong, without a full stop
	 * @param mend what to do about it, without a full stop
	 */
	public InvalidGuardException(String where, String what, String mend) {
		this(List.of(new Problem(where, what, mend)));
	}

	/**
	 * Refuses all that is wrong.
	 * @param problems at least one
	 */
	public InvalidGuardException(List<Problem> problems) {
		super(message(problems));
		this.problems = List.copyOf(problems);
	}

	private static String message(List<Problem> problems) {
		if (problems.size() == 1) {
			return problems.get(0).toString();
		}
		StringBuilder text = new StringBuilder().append(problems.size()).append(" things cannot be guarded:");
		for (int i = 0; i < problems.size(); i++) {
			text.append("\n").append(i + 1).append(". ").append(problems.get(i));
		}
		return text.toString();
	}

	/**
	 * What is wrong, in the order of beans and methods.
	 */
	public List<Problem> problems() {
		return this.problems;
	}

	/**
	 * One thing that is wrong.
	 *
	 * @param where bean and method
	 * @param what what is wrong, without a full stop
	 * @param mend what to do about it, without a full stop
	 */
	public record Problem(String where, String what, String mend) {

		@Override
		public String toString() {
			return this.where + ": " + this.what + ". " + this.mend + ".";
		}

	}

}
