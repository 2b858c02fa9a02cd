package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What became of a call for an effect. A guarded method that returns it never throws for
 * an unsettled effect.
 *
 * @param <T> the effect's answer
 */
public sealed interface Outcome<T extends @Nullable Object> {

	/**
	 * What a body returns when the far side has done it.
	 * @param <T> the effect's answer
	 * @param answer the answer, or {@code null}
	 */
	static <T extends @Nullable Object> Outcome<T> done(T answer) {
		return new Done<>(answer, false, 1);
	}

	/**
	 * Whether the effect is done and this outcome carries its answer.
	 */
	default boolean isDone() {
		return this instanceof Done;
	}

	/**
	 * The answer of a done effect.
	 * @return the answer, or {@code null} where the effect has none
	 * @throws EffectUnsettledException when the effect is not settled
	 * @throws EffectAbandonedException when a person abandoned it
	 * @throws EffectDeniedException when a person denied it
	 */
	T orElseThrow();

	/**
	 * It is done.
	 *
	 * @param <T> the effect's answer
	 * @param answer the recorded answer, or {@code null}
	 * @param repeated whether an earlier call did it and this one did nothing
	 * @param revision the revision that is done
	 */
	record Done<T extends @Nullable Object>(T answer, boolean repeated, int revision) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			return this.answer;
		}

	}

	/**
	 * Another attempt is in flight.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 * @param retryAfter until its window ends, or {@code null}
	 */
	record InProgress<T extends @Nullable Object>(String label, @Nullable Duration retryAfter) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectInProgressException("Effect '" + this.label + "' is in progress", this.retryAfter);
		}

	}

	/**
	 * Nobody knows yet whether it happened.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 * @param retryAfter until the far side is asked again, or {@code null}
	 * @param cause what this call's own attempt ended with, or {@code null}
	 * @param awaitsPerson whether only a person can decide
	 */
	record Unresolved<T extends @Nullable Object>(String label, @Nullable Duration retryAfter,
			@Nullable Throwable cause, boolean awaitsPerson) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectUnresolvedException(
					"Effect '" + this.label + "' is unknown: "
							+ (this.awaitsPerson ? "a person has to decide"
									: "the far side is asked before it is sent again"),
					this.cause, this.retryAfter, this.awaitsPerson);
		}

	}

	/**
	 * It was not attempted now: its next attempt is not due, or an earlier effect on the
	 * target is open.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 * @param reason what it waits for
	 * @param retryAfter how long, or {@code null}
	 */
	record Waiting<T extends @Nullable Object>(String label, String reason,
			@Nullable Duration retryAfter) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectWaitingException("Effect '" + this.label + "' waits: " + this.reason, this.retryAfter);
		}

	}

	/**
	 * The far side refused; nothing happened.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 * @param retryAfter until the next attempt, or {@code null}
	 * @param cause what this call's own attempt ended with, or {@code null}
	 * @param awaitsPerson whether only a person can let it be tried again
	 */
	record Refused<T extends @Nullable Object>(String label, @Nullable Duration retryAfter, @Nullable Throwable cause,
			boolean awaitsPerson) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectRefusedException(
					"Effect '" + this.label + "' was refused by the far side"
							+ (this.awaitsPerson ? "; a person has to decide" : ""),
					this.cause, this.retryAfter, this.awaitsPerson);
		}

	}

	/**
	 * Nothing was sent; the effect is free to be attempted again.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 * @param cause why, or {@code null}
	 */
	record NotSent<T extends @Nullable Object>(String label, @Nullable Throwable cause) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectNotSentException("Effect '" + this.label + "' was not sent", this.cause);
		}

	}

	/**
	 * A person decided that it will not be carried out.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 */
	record Abandoned<T extends @Nullable Object>(String label) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectAbandonedException("Effect '" + this.label + "' was abandoned by a person");
		}

	}

	/**
	 * A person denied it.
	 *
	 * @param <T> the effect's answer
	 * @param label the effect's readable identity
	 */
	record Denied<T extends @Nullable Object>(String label) implements Outcome<T> {

		@Override
		public T orElseThrow() {
			throw new EffectDeniedException("Effect '" + this.label + "' was denied by a person");
		}

	}

}
