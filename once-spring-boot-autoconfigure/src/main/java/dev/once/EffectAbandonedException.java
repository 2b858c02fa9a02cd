package dev.once;

/**
 * A person decided that the effect will not be carried out any more.
 */
public final class EffectAbandonedException extends OnceException {

	public EffectAbandonedException(String message) {
		super(message);
	}

}
