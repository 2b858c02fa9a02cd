package dev.once.ledger;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What a thrown failure proves about the request it is about (E5).
 */
public sealed interface Failure {

	/**
	 * Nothing was sent.
	 *
	 * @param about which request that is known of
	 */
	record NotSent(About about) implements Failure {

	}

	/**
	 * The far side's contract says that nothing happened.
	 *
	 * @param retryAfter when the far side wants to be asked again, or {@code null}
	 * @param next whether a later attempt may succeed by itself
	 */
	record Refused(@Nullable Duration retryAfter, Next next) implements Failure {

	}

	/**
	 * Nothing is proven: the effect may have happened.
	 */
	record Ambiguous() implements Failure {

	}

	/**
	 * Which request a "not sent" is about.
	 */
	enum About {

		/**
		 * The last writing request that was counted: it was on its way out and failed.
		 */
		THE_LAST_REQUEST,

		/**
		 * None that was counted: it was stopped before it was.
		 */
		NO_REQUEST

	}

	/**
	 * What follows a refusal.
	 */
	enum Next {

		/**
		 * Another attempt on the ladder.
		 */
		ANOTHER_ATTEMPT,

		/**
		 * A person.
		 */
		A_PERSON

	}

}
