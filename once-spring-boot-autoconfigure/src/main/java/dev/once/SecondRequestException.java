package dev.once;

/**
 * An attempt was about to send a second writing request. One effect is one writing
 * request: what a second one does needs an effect of its own.
 */
public final class SecondRequestException extends OnceException {

	public SecondRequestException(String message) {
		super(message);
	}

}
