package dev.once;

/**
 * The attempt's window has ended, so nothing may be sent under it any more.
 */
public final class EffectDeadlineException extends EffectNotSentException {

	public EffectDeadlineException(String message) {
		super(message);
	}

}
