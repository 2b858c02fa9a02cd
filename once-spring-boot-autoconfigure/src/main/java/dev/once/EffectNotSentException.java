package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * Nothing was sent: the effect is free to be attempted again. Thrown by a body that gave
 * up before it reached the far side (a failed validation, a missing setting).
 */
public non-sealed class EffectNotSentException extends EffectUnsettledException {

	public EffectNotSentException(String message) {
		this(message, null);
	}

	public EffectNotSentException(String message, @Nullable Throwable cause) {
		super(message, cause, null);
	}

	@Override
	public boolean retryable() {
		return true;
	}

}
