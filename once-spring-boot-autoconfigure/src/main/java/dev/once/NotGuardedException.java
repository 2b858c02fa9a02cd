package dev.once;

/**
 * Code that must not run past its proxy ran past it: {@link Once#assertGuarded()}.
 */
public class NotGuardedException extends OnceException {

	public NotGuardedException(String message) {
		super(message);
	}

}
