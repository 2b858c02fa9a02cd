package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.logging.Level;

import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.UpdateSummaryEnum;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.LiquibaseException;
import liquibase.exception.LockException;
import liquibase.integration.spring.SpringResourceAccessor;
import liquibase.lockservice.LockService;
import liquibase.lockservice.LockServiceFactory;
import liquibase.logging.Logger;
import liquibase.logging.core.AbstractLogService;
import liquibase.logging.core.AbstractLogger;
import liquibase.ui.LoggerUIService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.DefaultResourceLoader;

/**
 * Runs Once's changelog with Liquibase, in tables of its own and without a word unless it
 * fails. It is no Liquibase bean: that would make the application's back off.
 */
final class Changelog {

	private static final Log logger = LogFactory.getLog(Changelog.class);

	private static final String POSTGRESQL_PATH = "show search_path";

	private static final String POSTGRESQL_SET_PATH = "set search_path to ";

	private static final String H2_SCHEMA = "select current_schema";

	private static final String H2_SET_SCHEMA = "set schema ";

	private static final String LOCATION = "classpath:dev/once/jdbc/changelog/once.sql";

	/** A node that waits this long waits for one that was killed. */
	private static final Duration LOCK_WAIT = Duration.ofMinutes(1);

	private static final Duration LOCK_LOOK = Duration.ofMillis(200);

	private final OnceTables tables;

	private final LedgerDatabase kind;

	Changelog(OnceTables tables, LedgerDatabase kind) {
		this.tables = tables;
		this.kind = kind;
	}

	/**
	 * Makes the changes that have not been made, and leaves the connection as it came.
	 * @throws SQLException if the database refused one; a time-out if Liquibase's lock
	 * stayed taken
	 */
	void update(Connection connection) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(true);
		String schema = this.tables.schema();
		String path = (schema != null) ? enter(schema, connection) : null;
		try {
			Scope.child(Map.of("liquibase.analytics.enabled", false, Scope.Attr.logService.name(),
					new QuietLogService(), Scope.Attr.ui.name(), new LoggerUIService()), () -> run(connection));
		}
		catch (Exception ex) {
			throw refused(ex);
		}
		finally {
			leave(path, autoCommit, connection);
		}
	}

	/** The changelog names tables without a schema, so that its checksums hold in any. */
	private String enter(String schema, Connection connection) throws SQLException {
		boolean h2 = this.kind == LedgerDatabase.H2;
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(h2 ? H2_SCHEMA : POSTGRESQL_PATH)) {
			row.next();
			String before = row.getString(1);
			statement.execute((h2 ? H2_SET_SCHEMA : POSTGRESQL_SET_PATH) + this.tables.quoted(schema));
			return before;
		}
	}

	private void leave(@Nullable String path, boolean autoCommit, Connection connection) {
		try {
			connection.rollback();
			connection.setAutoCommit(true);
			if (path != null) {
				try (Statement statement = connection.createStatement()) {
					statement.execute((this.kind == LedgerDatabase.H2) ? H2_SET_SCHEMA + '"' + path + '"'
							: POSTGRESQL_SET_PATH + path);
				}
			}
			connection.setAutoCommit(autoCommit);
		}
		catch (SQLException ex) {
			logger.debug("The connection of Once's changelog could not be restored", ex);
		}
	}

	private void run(Connection connection) throws LiquibaseException {
		Database database = DatabaseFactory.getInstance()
			.findCorrectDatabaseImplementation(new JdbcConnection(connection));
		database.setDatabaseChangeLogTableName(this.tables.prefix() + "changelog");
		database.setDatabaseChangeLogLockTableName(this.tables.prefix() + "changelog_lock");
		database.setOutputDefaultSchema(false);
		LockService lockService = LockServiceFactory.getInstance().getLockService(database);
		Liquibase liquibase = new Liquibase(LOCATION,
				new SpringResourceAccessor(new DefaultResourceLoader(Changelog.class.getClassLoader())), database);
		liquibase.setChangeLogParameter("prefix", this.tables.prefix());
		liquibase.setShowSummary(UpdateSummaryEnum.OFF);
		if (this.kind == LedgerDatabase.POSTGRESQL) {
			// nobody else can be at work under the advisory lock: who left it was killed
			lockService.init();
			lockService.forceReleaseLock();
		}
		acquire(lockService);
		try {
			liquibase.update(new Contexts(), new LabelExpression());
		}
		finally {
			if (lockService.hasChangeLogLock()) {
				lockService.releaseLock();
			}
		}
	}

	/** Liquibase's own waiting looks every 10 s, and says so on standard output. */
	private static void acquire(LockService lockService) throws LockException {
		long start = System.nanoTime();
		while (!lockService.acquireLock()) {
			if (System.nanoTime() - start > LOCK_WAIT.toNanos()) {
				throw new LockException(Arrays.stream(lockService.listLocks())
					.map((lock) -> "locked by " + lock.getLockedBy() + " since " + lock.getLockGranted())
					.findFirst()
					.orElse("locked and released again and again"));
			}
			try {
				Thread.sleep(LOCK_LOOK.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new LockException("interrupted while it was locked");
			}
		}
	}

	private static SQLException refused(Exception ex) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException refusal) {
				return refusal;
			}
		}
		return (ex instanceof LockException) ? new SQLTimeoutException(ex.getMessage())
				: new SQLException(ex.getMessage(), ex);
	}

	/**
	 * Liquibase tells at INFO what no user asked for, and at SEVERE what is thrown too.
	 */
	private static final class QuietLogService extends AbstractLogService {

		@Override
		public int getPriority() {
			return PRIORITY_SPECIALIZED;
		}

		@Override
		public Logger getLog(Class type) {
			Log log = LogFactory.getLog(type);
			return new AbstractLogger() {

				@Override
				public void log(Level level, String message, @Nullable Throwable ex) {
					log.debug(message, ex);
				}

			};
		}

	}

}
