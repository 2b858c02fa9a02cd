package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

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
		return this.dataSource.getConnection();
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
		Connection connection = this.dataSource.getConnection();
		Borrowed borrowed = null;
		try {
			borrowed = Borrowed.take(connection);
			return Transactions.run(connection, settings.duringTransaction(work));
		}
		finally {
			if (borrowed != null) {
				borrowed.restore();
			}
			Transactions.close(connection);
		}
	}

	/**
	 * A connection and what it was like when it came.
	 */
	private record Borrowed(Connection connection, boolean autoCommit, boolean readOnly, int isolation) {

		static Borrowed take(Connection connection) throws SQLException {
			boolean autoCommit = connection.getAutoCommit();
			// asking for the isolation begins a transaction, in which it cannot be set
			connection.setAutoCommit(true);
			Borrowed borrowed = new Borrowed(connection, autoCommit, connection.isReadOnly(),
					connection.getTransactionIsolation());
			if (borrowed.readOnly) {
				connection.setReadOnly(false);
			}
			if (borrowed.isolation != Connection.TRANSACTION_READ_COMMITTED) {
				connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
			}
			return borrowed;
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
