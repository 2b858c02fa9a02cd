package dev.once.aop;

import java.time.Instant;

/**
 * When the direct calls of this process are due, to which neither a firing nor a caller
 * gives a due time.
 */
public sealed interface DirectDue {

	/**
	 * Whoever started the process said it.
	 *
	 * @param at when they are due
	 */
	record Given(Instant at) implements DirectDue {

	}

	/**
	 * At the time of the call.
	 */
	record FromClock() implements DirectDue {

	}

	/**
	 * Nobody knows.
	 */
	record Unknown() implements DirectDue {

	}

}
