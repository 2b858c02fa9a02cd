package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Nobody knows yet whether the effect happened. It is not sent again until the far side,
 * or a person, has said so.
 */
public final class EffectUnresolvedException extends EffectUnsettledException {

	private final boolean awaitsPerson;

	public EffectUnresolvedException(String message, @Nullable Throwable cause, @Nullable Duration retryAfter,
			boolean awaitsPerson) {
		super(message, cause, retryAfter);
		this.awaitsPerson = awaitsPerson;
	}

	/**
	 * {@code false} when only a person can decide what became of the effect.
	 */
	@Override
	public boolean retryable() {
		return !this.awaitsPerson;
	}

}
