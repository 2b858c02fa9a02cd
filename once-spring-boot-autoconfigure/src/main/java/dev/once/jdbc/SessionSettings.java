package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * What the database is told about a session before the ledger uses it. Time-outs are the
 * server's, so that no statement needs one of its own.
 *
 * @param statementTimeout the longest that a statement runs or waits for a lock, and that
 * a transaction idles
 */
record SessionSettings(Duration statementTimeout) {

	// plan_cache_mode: the statements are few and fixed, and a replan costs more than one
	// of them. synchronous_commit is raised from what a crash of the server can lose, and
	// never lowered.
	private static final String SET_POSTGRESQL = """
			select set_config('plan_cache_mode', 'force_generic_plan', ?),
				set_config('statement_timeout', ?, ?),
				set_config('idle_in_transaction_session_timeout', ?, ?),
				set_config('synchronous_commit',
					case when current_setting('synchronous_commit') in ('off', 'local') then 'on'
						else current_setting('synchronous_commit') end, ?)
			""";

	private static final String SET_H2_QUERY_TIMEOUT = "set query_timeout ";

	private static final String SET_H2_LOCK_TIMEOUT = "set lock_timeout ";

	/** Shorter than the shortest lease, 5 s. */
	static final SessionSettings LEDGER = new SessionSettings(Duration.ofSeconds(4));

	/** Lets a renewal that hangs be tried again within the shortest lease. */
	static final SessionSettings RENEWAL = new SessionSettings(Duration.ofMillis(1500));

	/** How long a silent network is waited for, beyond the server's own time-out. */
	private static final Duration NETWORK_SLACK = Duration.ofSeconds(2);

	Duration networkTimeout() {
		return this.statementTimeout.plus(NETWORK_SLACK);
	}

	void applyToSession(Connection connection) throws SQLException {
		switch (LedgerDatabase.of(connection)) {
			case POSTGRESQL -> {
				setPostgresql(connection, Scope.SESSION);
				connection.setNetworkTimeout(Runnable::run, (int) networkTimeout().toMillis());
			}
			case H2 -> {
				H2Durability.ensure(connection);
				try (Statement statement = connection.createStatement()) {
					statement.execute(SET_H2_QUERY_TIMEOUT + this.statementTimeout.toMillis());
					statement.execute(SET_H2_LOCK_TIMEOUT + this.statementTimeout.toMillis());
				}
			}
		}
	}

	/** For a session that is somebody else's: they end with the transaction. */
	<T extends @Nullable Object> SqlWork<T> duringTransaction(SqlWork<T> work) {
		return (connection) -> switch (LedgerDatabase.of(connection)) {
			case POSTGRESQL -> {
				setPostgresql(connection, Scope.TRANSACTION);
				yield work.on(connection);
			}
			case H2 -> {
				H2Durability.ensure(connection);
				yield withH2Timeout(connection, work);
			}
		};
	}

	// H2 takes a statement's time-out for its session's
	private <T extends @Nullable Object> T withH2Timeout(Connection connection, SqlWork<T> work) throws SQLException {
		try (Statement session = connection.createStatement()) {
			int before = session.getQueryTimeout();
			session.execute(SET_H2_QUERY_TIMEOUT + this.statementTimeout.toMillis());
			try {
				return work.on(connection);
			}
			finally {
				session.setQueryTimeout(before);
			}
		}
	}

	private void setPostgresql(Connection connection, Scope scope) throws SQLException {
		boolean local = scope == Scope.TRANSACTION;
		String timeout = Long.toString(this.statementTimeout.toMillis());
		try (PreparedStatement statement = connection.prepareStatement(SET_POSTGRESQL)) {
			statement.setBoolean(1, local);
			statement.setString(2, timeout);
			statement.setBoolean(3, local);
			statement.setString(4, timeout);
			statement.setBoolean(5, local);
			statement.setBoolean(6, local);
			statement.execute();
		}
	}

	private enum Scope {

		SESSION, TRANSACTION

	}

}
