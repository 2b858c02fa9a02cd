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

	/**
	 * No connection to the database could be had: nothing was carried out, and there is
	 * nothing to read back.
	 */
	public static final class Unreached extends StoreException {

		public Unreached(String message, Throwable cause) {
			super(message, cause);
		}

	}

	/**
	 * The database refuses what it was given to store, and would refuse it again: nothing
	 * was changed. The message shows nothing of it.
	 */
	public static final class Unstorable extends StoreException {

		public Unstorable(String message, Throwable cause) {
			super(message, cause);
		}

	}

}
