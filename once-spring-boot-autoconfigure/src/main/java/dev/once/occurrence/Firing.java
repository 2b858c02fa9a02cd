package dev.once.occurrence;

import org.jspecify.annotations.Nullable;

/**
 * What became of a job's firing.
 */
public sealed interface Firing {

	/**
	 * Its body ran and returned.
	 *
	 * @param result what it returned
	 */
	record Ran(@Nullable Object result) implements Firing {

	}

	/**
	 * Another run holds the job's lease.
	 */
	record Suppressed() implements Firing {

	}

	/**
	 * The application is shutting down.
	 */
	record Stopping() implements Firing {

	}

}
