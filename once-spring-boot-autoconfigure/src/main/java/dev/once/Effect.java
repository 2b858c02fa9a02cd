package dev.once;

import java.time.Duration;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * The effect that the current thread is carrying out.
 */
public interface Effect {

	/**
	 * The effect of the current thread.
	 * @throws IllegalStateException outside a guarded call
	 */
	static Effect current() {
		Effect effect = OnceScope.current().effect();
		if (effect == null) {
			throw new IllegalStateException("Not inside a guarded call: no @OnceEffect method is running on this "
					+ "thread. Was it called through 'this' or on an object that Spring did not create?");
		}
		return effect;
	}

	/**
	 * The action's name.
	 */
	String action();

	/**
	 * The readable identity, {@code charge/inv-17}.
	 */
	String label();

	/**
	 * The key to hand to the far side: the same on every attempt, node and restart.
	 */
	String idempotencyKey();

	/**
	 * The revision, 1 for an effect that has only one.
	 */
	int revision();

	/**
	 * Number of this attempt, counted from 1.
	 */
	int attempt();

	/**
	 * The fencing token of the run, empty outside a run.
	 */
	OptionalLong fencingToken();

	/**
	 * A {@code Message-ID} for a mail, the same on every attempt.
	 */
	String mailMessageId();

	/**
	 * How long this attempt may still send; never negative.
	 */
	Duration timeLeft();

	/**
	 * Whether a request to the host takes the key and counts as this effect's request.
	 * @param host the host's name, or {@code null} when it is not known
	 */
	boolean covers(@Nullable String host);

	/**
	 * Says that a writing request is about to leave. Call it right before sending over a
	 * transport that Once cannot see (mail, a message broker, a socket).
	 * @return the request, whose fate is open until it says otherwise
	 * @throws EffectDeadlineException when the window has ended: do not send
	 */
	default Sending sending() {
		return sending("");
	}

	/**
	 * Says that the writing request with this name is about to leave.
	 * @param request method and URL; a repetition of the same request is an inner retry
	 * @return the request, whose fate is open until it says otherwise
	 * @throws EffectDeadlineException when the window has ended: do not send
	 * @throws SecondRequestException when the attempt has sent another request already
	 */
	Sending sending(String request);

	/**
	 * Says that the body turns to something else, a look-up or another host: what fails
	 * from now on is not about the writing requests that were sent so far.
	 */
	default void turnsElsewhere() {
	}

	/**
	 * A writing request whose fate is open.
	 */
	interface Sending {

		/**
		 * It never left, or the far side definitely refused it.
		 */
		void didNothing();

		/**
		 * Its failures carry its name: one that does not is about something else (a
		 * database, another host) and proves nothing about it.
		 */
		default void failsByName() {
		}

	}

}
