package dev.once.occurrence;

import dev.once.OnceException;

/**
 * No code of this application declares a job of that name.
 */
public final class UnknownJobException extends OnceException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates it.
	 * @param message what is not known, and what is
	 */
	public UnknownJobException(String message) {
		super(message);
	}

}
