package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Another attempt at the same effect is in flight.
 */
public final class EffectInProgressException extends EffectUnsettledException {

	public EffectInProgressException(String message, @Nullable Duration retryAfter) {
		super(message, null, retryAfter);
	}

	@Override
	public boolean retryable() {
		return true;
	}

}
