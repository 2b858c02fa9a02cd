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
	 * What is proven about one request that the failure names, and about no other.
	 *
	 * @param request the request's name, as {@link dev.once.Effect#sending(String)} was
	 * given it; empty for a transport's failure that names none
	 * @param proven what is proven about it
	 */
	record Named(String request, Failure proven) implements Failure {

	}

	/**
	 * What this proves, when it is about the writing request that was counted last.
	 */
	default Failure aboutTheLast() {
		return (this instanceof Named named) ? named.proven() : this;
	}

	/**
	 * What this proves, when it is about another request than the one that was counted
	 * last. A body that turned to a database or to another host once its request was
	 * answered meets refused connections there too (E5).
	 */
	default Failure aboutAnother() {
		return (aboutTheLast() instanceof NotSent) ? new NotSent(About.NO_REQUEST) : new Ambiguous();
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
