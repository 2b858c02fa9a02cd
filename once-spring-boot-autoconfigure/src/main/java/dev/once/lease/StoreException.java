package dev.once.lease;

import dev.once.OnceException;

/**
 * A statement on Once's tables failed, so that its outcome is not known (E2): it may have
 * been committed all the same.
 */
public class StoreException extends OnceException {

	public StoreException(String message, Throwable cause) {
		super(message, cause);
	}

	/**
	 * The connections have been closed: no repetition can succeed.
	 */
	public static final class Closed extends StoreException {

		public Closed(String message, Throwable cause) {
			super(message, cause);
		}

	}

}
