package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * One transaction on one connection.
 */
final class Transactions {

	private static final Log logger = LogFactory.getLog(Transactions.class);

	private Transactions() {
	}

	static <T extends @Nullable Object> T run(Connection connection, SqlWork<T> work) throws SQLException {
		boolean committed = false;
		connection.setAutoCommit(false);
		try {
			T outcome = work.on(connection);
			connection.commit();
			committed = true;
			return outcome;
		}
		finally {
			if (!committed) {
				rollBack(connection);
			}
		}
	}

	// the first failure is the one to tell
	private static void rollBack(Connection connection) {
		try {
			connection.rollback();
		}
		catch (SQLException ex) {
			logger.debug("A connection of the ledger could not be rolled back", ex);
		}
	}

	/** What has succeeded stays so, whatever befalls the connection afterwards. */
	static void close(Connection connection) {
		try {
			connection.close();
		}
		catch (SQLException ex) {
			logger.debug("A connection of the ledger could not be closed", ex);
		}
	}

}
