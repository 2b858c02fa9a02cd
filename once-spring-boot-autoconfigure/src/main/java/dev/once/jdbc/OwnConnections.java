package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

/**
 * Pools of the ledger's own beside an application's Hikari pool. They are no beans: a
 * second data source would make Boot's back off.
 */
final class OwnConnections implements ConnectionSource {

	private static final String LEDGER_POOL = "once-ledger";

	private static final String RENEWAL_POOL = "once-renewal";

	private final OwnDataSource ledgerDataSource;

	private final HikariDataSource ledger;

	private final HikariDataSource renewal;

	/** Keeps a troubled database from being asked for ever more connections. */
	private final Semaphore freshOnes;

	private OwnConnections(HikariDataSource application, OwnDataSource ledgerDataSource, int size) {
		this.ledgerDataSource = ledgerDataSource;
		this.freshOnes = new Semaphore(size);
		this.ledger = new HikariDataSource(config(application, LEDGER_POOL, size, ledgerDataSource));
		this.renewal = new HikariDataSource(
				config(application, RENEWAL_POOL, 1, ledgerDataSource.with(SessionSettings.RENEWAL)));
	}

	/**
	 * Makes pools beside the application's, if that is a pool that can be copied.
	 * @return the pools, or null for all other data sources
	 */
	static @Nullable OwnConnections beside(DataSource dataSource, int size) throws SQLException {
		HikariDataSource application = ApplicationPool.find(dataSource);
		if (application == null) {
			return null;
		}
		OwnDataSource ledgerDataSource = new OwnDataSource(application, SessionSettings.LEDGER);
		if (ledgerDataSource.isPrivateToEachConnection()) {
			return null;
		}
		return new OwnConnections(application, ledgerDataSource, size);
	}

	private static HikariConfig config(HikariDataSource application, String name, int size, OwnDataSource dataSource) {
		long patience = dataSource.settings().statementTimeout().toMillis();
		HikariConfig config = new HikariConfig();
		config.setPoolName(name);
		config.setDataSource(dataSource);
		config.setMaximumPoolSize(size);
		config.setMinimumIdle(0);
		config.setAutoCommit(true);
		config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
		config.setConnectionTimeout(Math.min(application.getConnectionTimeout(), patience));
		config.setValidationTimeout(Math.min(application.getValidationTimeout(), config.getConnectionTimeout()));
		config.setIdleTimeout(application.getIdleTimeout());
		config.setKeepaliveTime(application.getKeepaliveTime());
		config.setMaxLifetime(application.getMaxLifetime());
		config.setConnectionTestQuery(application.getConnectionTestQuery());
		config.setExceptionOverride(new LostServers(application.getExceptionOverride()));
		// a start without the database fails where the ledger is first looked at
		config.setInitializationFailTimeout(-1);
		return config;
	}

	@Override
	public <T extends @Nullable Object> T withConnection(SqlWork<T> work) throws SQLException {
		return single(this.ledger, work);
	}

	@Override
	public <T extends @Nullable Object> T renewal(SqlWork<T> work) throws SQLException {
		return single(this.renewal, work);
	}

	private static <T extends @Nullable Object> T single(HikariDataSource pool, SqlWork<T> work) throws SQLException {
		Connection connection = NoConnectionException.orThis(pool::getConnection);
		try {
			return work.on(connection);
		}
		finally {
			Transactions.close(connection);
		}
	}

	@Override
	public <T extends @Nullable Object> T inTransaction(SqlWork<T> work) throws SQLException {
		Connection connection = NoConnectionException.orThis(this.ledger::getConnection);
		try {
			return Transactions.run(connection, work);
		}
		finally {
			// the pool sets auto-commit again
			Transactions.close(connection);
		}
	}

	@Override
	public <T extends @Nullable Object> T fresh(SqlWork<T> work) throws SQLException {
		if (!tryAcquire(SessionSettings.LEDGER.statementTimeout())) {
			throw new SQLTransientConnectionException("All " + LEDGER_POOL
					+ " connections that read back ambiguous statements are in use; the database is in trouble");
		}
		try {
			return opened(work);
		}
		finally {
			this.freshOnes.release();
		}
	}

	private <T extends @Nullable Object> T opened(SqlWork<T> work) throws SQLException {
		Connection connection = NoConnectionException.orThis(this.ledgerDataSource::getConnection);
		try {
			return Transactions.run(connection, work);
		}
		finally {
			Transactions.close(connection);
		}
	}

	private boolean tryAcquire(Duration patience) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return this.freshOnes.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public Connection open() throws SQLException {
		Connection connection = this.ledgerDataSource.connect();
		connection.setNetworkTimeout(Runnable::run, 0);
		return connection;
	}

	@Override
	public String demand() {
		int size = this.ledger.getMaximumPoolSize();
		return "up to " + (size + 1) + " connections of its own beside the application's pool: " + size
				+ " for effects (once.jdbc.pool.size), 1 for renewing leases; " + size
				+ " more while a troubled database loses answers";
	}

	@Override
	public void close() {
		this.renewal.close();
		this.ledger.close();
	}

}
