package dev.once.autoconfigure;

import java.util.Collection;
import java.util.Set;

import dev.once.actuate.KnownNames;

/**
 * Stands in where nothing is declared.
 */
record NoKnownNames() implements KnownNames {

	@Override
	public Collection<String> actions() {
		return Set.of();
	}

	@Override
	public Collection<String> jobs() {
		return Set.of();
	}

}
