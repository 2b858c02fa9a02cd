package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The effect has not been attempted by this call: its next attempt is not due yet, or an
 * earlier effect on the same target is still open.
 */
public final class EffectWaitingException extends EffectUnsettledException {

	public EffectWaitingException(String message, @Nullable Duration retryAfter) {
		super(message, null, retryAfter);
	}

	@Override
	public boolean retryable() {
		return true;
	}

}
