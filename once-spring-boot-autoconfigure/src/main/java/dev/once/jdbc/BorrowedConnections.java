package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.OptionalInt;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * Connections that belong to the application: each is used for one transaction of the
 * ledger, with settings that end with it, and handed back as it was.
 */
final class BorrowedConnections implements ConnectionSource {

	private static final Log logger = LogFactory.getLog(BorrowedConnections.class);

	private final DataSource dataSource;

	BorrowedConnections(DataSource dataSource) {
		this.dataSource = outsideTransactions(dataSource);
	}

	/** A proxy that hands out the caller's connection would make us join. */
	private static DataSource outsideTransactions(DataSource dataSource) {
		DataSource outside = dataSource;
		DataSource layer = dataSource;
		while (layer instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			layer = delegating.getTargetDataSource();
			if (delegating instanceof TransactionAwareDataSourceProxy) {
				outside = layer;
			}
		}
		return outside;
	}

	@Override
	public <T extends @Nullable Object> T withConnection(SqlWork<T> work) throws SQLException {
		return transaction(SessionSettings.LEDGER, work);
	}

	@Override
	public <T extends @Nullable Object> T inTransaction(SqlWork<T> work) throws SQLException {
		return transaction(SessionSettings.LEDGER, work);
	}

	@Override
	public <T extends @Nullable Object> T renewal(SqlWork<T> work) throws SQLException {
		return transaction(SessionSettings.RENEWAL, work);
	}

	/** As fresh as the application's data source gives it. */
	@Override
	public <T extends @Nullable Object> T fresh(SqlWork<T> work) throws SQLException {
		return transaction(SessionSettings.LEDGER, work);
	}

	@Override
	public Connection open() throws SQLException {
		return NoConnectionException.orThis(this.dataSource::getConnection);
	}

	@Override
	public String demand() {
		return "of the application's connections one for each call while it writes, beside what the caller holds, and 1"
				+ " for renewing leases: a pool of its own needs a HikariDataSource";
	}

	@Override
	public void close() {
		// they are the application's
	}

	private <T extends @Nullable Object> T transaction(SessionSettings settings, SqlWork<T> work) throws SQLException {
		Borrowed borrowed = NoConnectionException.orThis(() -> Borrowed.from(this.dataSource, settings));
		try {
			return Transactions.run(borrowed.connection(), settings.duringTransaction(work));
		}
		finally {
			borrowed.restore();
			Transactions.close(borrowed.connection());
		}
	}

	/**
	 * A connection and what it was like when it came.
	 */
	private record Borrowed(Connection connection, boolean autoCommit, boolean readOnly, int isolation,
			OptionalInt networkTimeout) {

		static Borrowed from(DataSource dataSource, SessionSettings settings) throws SQLException {
			Connection connection = dataSource.getConnection();
			try {
				if (CallersConnections.include(connection)) {
					throw new SQLNonTransientConnectionException("The data source gives Once the connection of its"
							+ " caller's transaction, in which the ledger could not commit by itself: give Once a data"
							+ " source that opens a connection for each call (@OnceDataSource)");
				}
				return take(connection, settings);
			}
			catch (SQLException | RuntimeException ex) {
				Transactions.close(connection);
				throw ex;
			}
		}

		private static Borrowed take(Connection connection, SessionSettings settings) throws SQLException {
			boolean autoCommit = connection.getAutoCommit();
			// asking for the isolation begins a transaction, in which it cannot be set
			connection.setAutoCommit(true);
			Borrowed borrowed = new Borrowed(connection, autoCommit, connection.isReadOnly(),
					connection.getTransactionIsolation(), limitSilence(connection, settings));
			if (borrowed.readOnly) {
				connection.setReadOnly(false);
			}
			if (borrowed.isolation != Connection.TRANSACTION_READ_COMMITTED) {
				connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
			}
			return borrowed;
		}

		// The application may wait for a silent network as long as it likes, and a
		// renewal
		// may not
		private static OptionalInt limitSilence(Connection connection, SessionSettings settings) throws SQLException {
			if (LedgerDatabase.of(connection) != LedgerDatabase.POSTGRESQL) {
				return OptionalInt.empty();
			}
			int before = connection.getNetworkTimeout();
			connection.setNetworkTimeout(Runnable::run, (int) settings.networkTimeout().toMillis());
			return OptionalInt.of(before);
		}

		/** Changing auto-commit would commit what could not be rolled back. */
		void restore() {
			try {
				this.connection.rollback();
				if (this.isolation != Connection.TRANSACTION_READ_COMMITTED) {
					this.connection.setTransactionIsolation(this.isolation);
				}
				if (this.readOnly) {
					this.connection.setReadOnly(true);
				}
				this.connection.setAutoCommit(this.autoCommit);
				if (this.networkTimeout.isPresent()) {
					this.connection.setNetworkTimeout(Runnable::run, this.networkTimeout.getAsInt());
				}
			}
			catch (SQLException ex) {
				logger.debug("A borrowed connection could not be restored and is aborted", ex);
				abort();
			}
		}

		private void abort() {
			try {
				this.connection.abort(Runnable::run);
			}
			catch (SQLException ex) {
				logger.debug("A borrowed connection could not be aborted", ex);
			}
		}

	}

}
