package dev.once.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

/**
 * No connection could be had, so that nothing was carried out: there is nothing to read
 * back (E2).
 */
final class NoConnectionException extends SQLTransientConnectionException {

	private final Wait wait;

	private NoConnectionException(Exception cause, Wait wait) {
		super(cause.getMessage(), (cause instanceof SQLException ex) ? ex.getSQLState() : null, cause);
		this.wait = wait;
	}

	/**
	 * Opens a connection, or tells that nothing was carried out. Data sources also fail
	 * in ways of their own: one that routes, where there is nobody to route for.
	 */
	static <T> T orThis(Opening<T> opening) throws NoConnectionException {
		try {
			return opening.open();
		}
		catch (SQLException | RuntimeException ex) {
			// Some pools set the flag again and some do not
			boolean interrupted = Thread.interrupted() || hasInterruptAsCause(ex);
			throw new NoConnectionException(ex, interrupted ? Wait.INTERRUPTED : Wait.IN_VAIN);
		}
	}

	private static boolean hasInterruptAsCause(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InterruptedException) {
				return true;
			}
		}
		return false;
	}

	/** Whether the wait for it ended by an interrupt, which it has cleared. */
	boolean wasInterrupted() {
		return this.wait == Wait.INTERRUPTED;
	}

	@FunctionalInterface
	interface Opening<T> {

		T open() throws SQLException;

	}

	private enum Wait {

		IN_VAIN, INTERRUPTED

	}

}
