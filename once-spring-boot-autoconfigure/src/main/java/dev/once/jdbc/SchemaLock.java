package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Lets one node at a time change Once's tables. PostgreSQL drops it with the connection,
 * so that a node that is killed holds nobody up.
 */
final class SchemaLock implements AutoCloseable {

	// the wait is long because it covers another node's work, and ends so that a node
	// that hangs is told of
	private static final String SET_PATIENCE = """
			select set_config('statement_timeout', '300000', true), set_config('lock_timeout', '0', true),
				set_config('idle_in_transaction_session_timeout', '0', true)
			""";

	/** The number spells "once" and is the same for all versions. */
	private static final String LOCK = "select pg_advisory_xact_lock(1869505381)";

	/** Most often there is one process, and then this is all that is needed. */
	private static final ReentrantLock H2_IN_PROCESS = new ReentrantLock();

	private final @Nullable Connection connection;

	private SchemaLock(@Nullable Connection connection) {
		this.connection = connection;
	}

	static SchemaLock take(LedgerConnections connections) throws SQLException {
		return switch (connections.database()) {
			case POSTGRESQL -> new SchemaLock(locked(connections.open()));
			case H2 -> {
				H2_IN_PROCESS.lock();
				yield new SchemaLock(null);
			}
		};
	}

	private static Connection locked(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.execute(SET_PATIENCE);
			statement.execute(LOCK);
			return connection;
		}
		catch (SQLException ex) {
			handBack(connection);
			throw ex;
		}
	}

	private static void handBack(Connection connection) {
		try {
			connection.rollback();
			connection.setAutoCommit(true);
		}
		catch (SQLException ex) {
			// closing it ends the lock too
		}
		Transactions.close(connection);
	}

	@Override
	public void close() {
		if (this.connection != null) {
			handBack(this.connection);
		}
		else {
			H2_IN_PROCESS.unlock();
		}
	}

}
