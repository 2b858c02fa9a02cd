package dev.once;

/**
 * A person denied the effect.
 */
public final class EffectDeniedException extends OnceException {

	public EffectDeniedException(String message) {
		super(message);
	}

}
