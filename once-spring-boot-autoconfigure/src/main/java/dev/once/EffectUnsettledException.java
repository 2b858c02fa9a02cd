package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The effect is not settled: the call did nothing new and has no answer to give. A
 * listener must not acknowledge its message on it.
 */
public abstract sealed class EffectUnsettledException extends OnceException permits EffectInProgressException,
		EffectNotSentException, EffectRefusedException, EffectUnresolvedException, EffectWaitingException {

	private final @Nullable Duration retryAfter;

	EffectUnsettledException(@Nullable String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
		super(message, cause);
		this.retryAfter = retryAfter;
	}

	/**
	 * Whether the same call can end differently later without a person's decision.
	 */
	public abstract boolean retryable();

	/**
	 * How long to wait before the same call is worth making again, or {@code null} when
	 * nothing is known about it.
	 */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
