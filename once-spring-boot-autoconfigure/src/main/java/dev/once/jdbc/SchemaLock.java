package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Lets one node at a time change Once's tables. Both databases drop it with the
 * connection, so that a node that is killed holds nobody up.
 */
final class SchemaLock implements AutoCloseable {

	// the wait is long because it covers another node's work, and ends so that a node
	// that hangs is told of
	private static final String SET_POSTGRESQL_PATIENCE = """
			select set_config('statement_timeout', '300000', true), set_config('lock_timeout', '0', true),
				set_config('idle_in_transaction_session_timeout', '0', true)
			""";

	/** The number spells "once" and is the same for all versions. */
	private static final String LOCK_POSTGRESQL = "select pg_advisory_xact_lock(1869505381)";

	// H2 has no advisory locks: a row that is never committed stands in for one, in the
	// table that Liquibase would make next
	private static final String CREATE_H2_TABLE = """
			create table if not exists {changelog_lock} (
				id int not null primary key,
				locked boolean not null,
				lockgranted timestamp,
				lockedby varchar(255)
			)
			""";

	private static final String LOCK_H2 = "insert into {changelog_lock} (id, locked) values (1869505381, false)";

	private static final String H2_PATIENCE = "select lock_timeout()";

	private static final String SET_H2_PATIENCE = "set lock_timeout ";

	private final Connection connection;

	private final String restore;

	private SchemaLock(Connection connection, String restore) {
		this.connection = connection;
		this.restore = restore;
	}

	static SchemaLock take(LedgerConnections connections, OnceTables tables) throws SQLException {
		Connection connection = connections.open();
		try (Statement statement = connection.createStatement()) {
			return switch (connections.database()) {
				case POSTGRESQL -> postgresql(connection, statement);
				case H2 -> h2(connection, statement, tables);
			};
		}
		catch (SQLException ex) {
			Transactions.close(connection);
			throw ex;
		}
	}

	private static SchemaLock postgresql(Connection connection, Statement statement) throws SQLException {
		SchemaLock lock = new SchemaLock(connection, "");
		try {
			connection.setAutoCommit(false);
			statement.execute(SET_POSTGRESQL_PATIENCE);
			statement.execute(LOCK_POSTGRESQL);
			return lock;
		}
		catch (SQLException ex) {
			lock.release();
			throw ex;
		}
	}

	private static SchemaLock h2(Connection connection, Statement statement, OnceTables tables) throws SQLException {
		SchemaLock lock = new SchemaLock(connection, SET_H2_PATIENCE + patience(statement));
		try {
			connection.setAutoCommit(false);
			statement.execute(SET_H2_PATIENCE + 300_000);
			statement.execute(tables.in(CREATE_H2_TABLE));
			statement.execute(tables.in(LOCK_H2));
			return lock;
		}
		catch (SQLException ex) {
			lock.release();
			throw ex;
		}
	}

	private static int patience(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(H2_PATIENCE)) {
			row.next();
			return row.getInt(1);
		}
	}

	private void release() {
		try (Statement statement = this.connection.createStatement()) {
			this.connection.rollback();
			if (!this.restore.isEmpty()) {
				statement.execute(this.restore);
			}
			this.connection.setAutoCommit(true);
		}
		catch (SQLException ex) {
			// closing it ends the lock too
		}
	}

	@Override
	public void close() {
		release();
		Transactions.close(this.connection);
	}

}
