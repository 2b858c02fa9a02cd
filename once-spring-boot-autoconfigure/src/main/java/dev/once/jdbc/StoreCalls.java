package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.util.List;

import dev.once.lease.StoreException;

/**
 * Calls of the ports over the ledger's connections. Whatever the database says, the
 * outcome of a call that failed is not known (E2).
 */
final class StoreCalls {

	/** More than one rival that comes and goes within one call is out of the ordinary. */
	private static final int ROUNDS = 5;

	private static final String DUPLICATE_KEY = "23505";

	/** The class of states in which a value does not fit its column or encoding. */
	private static final String DATA_EXCEPTION = "22";

	private final LedgerConnections connections;

	StoreCalls(LedgerConnections connections) {
		this.connections = connections;
	}

	<T> T single(String what, SqlWork<T> work) {
		return call(what, () -> this.connections.withConnection(work));
	}

	<T> T transaction(String what, SqlWork<T> work) {
		return call(what, () -> this.connections.inTransaction(work));
	}

	<T> T renewal(String what, SqlWork<T> work) {
		return call(what, () -> this.connections.renewal(work));
	}

	<T> T fresh(String what, SqlWork<T> work) {
		return call(what, () -> this.connections.fresh(work));
	}

	/**
	 * Asks again while the answer has no row: a rival, which the statement could not see
	 * when it began, won meanwhile and is seen by the next one.
	 */
	<T> List<T> untilAnswered(String what, SqlWork<List<T>> statement) {
		return untilAnswered(what, () -> this.connections.withConnection(statement));
	}

	/** As {@link #untilAnswered}, with a transaction each time. */
	<T> List<T> untilCommitted(String what, SqlWork<List<T>> statements) {
		return untilAnswered(what, () -> this.connections.inTransaction(statements));
	}

	private <T> List<T> untilAnswered(String what, Call<List<T>> asking) {
		for (int round = 0; round < ROUNDS; round++) {
			List<T> answer = call(what, () -> {
				try {
					return asking.make();
				}
				catch (SQLException ex) {
					if (DUPLICATE_KEY.equals(ex.getSQLState())) {
						return List.of();
					}
					throw ex;
				}
			});
			if (!answer.isEmpty()) {
				return answer;
			}
		}
		throw failure(what, new SQLTransientException("Lost against " + ROUNDS + " rivals in a row"));
	}

	/**
	 * Makes a statement and takes it back, duplicate key or not.
	 */
	static void undone(Connection connection, SqlWork<?> statement) throws SQLException {
		Savepoint before = connection.setSavepoint();
		try {
			statement.on(connection);
		}
		catch (SQLException ex) {
			if (!DUPLICATE_KEY.equals(ex.getSQLState())) {
				throw ex;
			}
		}
		connection.rollback(before);
	}

	private <T> T call(String what, Call<T> call) {
		try {
			return call.make();
		}
		catch (SQLException ex) {
			throw failure(what, ex);
		}
	}

	private StoreException failure(String what, SQLException cause) {
		if (this.connections.isClosed()) {
			return new StoreException.Closed(
					"The ledger's connections are closed, so that it is not known what became of: " + what, cause);
		}
		if (cause instanceof NoConnectionException) {
			return new StoreException.Unreached(
					"No connection could be had for: " + what + ". The data source said: " + cause.getMessage(), cause);
		}
		if (cause.getSQLState() != null && cause.getSQLState().startsWith(DATA_EXCEPTION)) {
			// What the database says about a value shows the value
			return new StoreException.Unstorable(
					"The database refuses a value (SQL state " + cause.getSQLState() + ") of: " + what,
					new SQLException("not shown", cause.getSQLState()));
		}
		return new StoreException(
				"It is not known what became of: " + what + ". The database said: " + cause.getMessage(), cause);
	}

	@FunctionalInterface
	private interface Call<T> {

		T make() throws SQLException;

	}

}
