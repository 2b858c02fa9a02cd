package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
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

	private static final String POSTGRESQL_SESSION = """
			select current_setting('search_path'), current_setting('lock_timeout')
			""";

	private static final String SET_POSTGRESQL_SESSION = """
			select set_config('search_path', ?, false), set_config('lock_timeout', ?, false)
			""";

	private static final String H2_SESSION = """
			select '"' || current_schema || '"', cast(lock_timeout() as varchar)
			""";

	private static final String SET_H2_SCHEMA = "set schema ";

	private static final String SET_H2_PATIENCE = "set lock_timeout ";

	private static final String LOCATION = "classpath:dev/once/jdbc/changelog/once.sql";

	private final OnceTables tables;

	private final LedgerDatabase kind;

	private final Duration lockTimeout;

	Changelog(OnceTables tables, LedgerDatabase kind, Duration lockTimeout) {
		this.tables = tables;
		this.kind = kind;
		this.lockTimeout = lockTimeout;
	}

	/**
	 * Makes the changes that have not been made, and leaves the connection as it came. It
	 * can be run again.
	 * @throws SQLException if the database refused one, or a lock was not to be had in
	 * time
	 */
	void update(Connection connection) throws SQLException {
		boolean autoCommit = connection.getAutoCommit();
		connection.setAutoCommit(true);
		Session before = session(connection);
		try {
			String schema = this.tables.schema();
			// The changelog names tables without a schema, so that its checksums hold in
			// any
			set(connection, new Session((schema != null) ? this.tables.quoted(schema) : before.schema(),
					Long.toString(this.lockTimeout.toMillis())));
			Scope.child(Map.of("liquibase.analytics.enabled", false, Scope.Attr.logService.name(),
					new QuietLogService(), Scope.Attr.ui.name(), new LoggerUIService()), () -> run(connection));
		}
		catch (Exception ex) {
			throw refused(ex);
		}
		finally {
			leave(connection, before, autoCommit);
		}
	}

	private Session session(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement
					.executeQuery((this.kind == LedgerDatabase.H2) ? H2_SESSION : POSTGRESQL_SESSION)) {
			row.next();
			return new Session(row.getString(1), row.getString(2));
		}
	}

	private void set(Connection connection, Session session) throws SQLException {
		switch (this.kind) {
			case H2 -> {
				try (Statement statement = connection.createStatement()) {
					statement.execute(SET_H2_SCHEMA + session.schema());
					statement.execute(SET_H2_PATIENCE + session.patience());
				}
			}
			case POSTGRESQL -> {
				try (PreparedStatement statement = connection.prepareStatement(SET_POSTGRESQL_SESSION)) {
					statement.setString(1, session.schema());
					statement.setString(2, session.patience());
					statement.execute();
				}
			}
		}
	}

	private void leave(Connection connection, Session before, boolean autoCommit) {
		try {
			connection.rollback();
			connection.setAutoCommit(true);
			set(connection, before);
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
		// nobody else can be at work under the lock that is held: who left it was killed
		lockService.init();
		lockService.forceReleaseLock();
		if (!lockService.acquireLock()) {
			throw new LockException("Liquibase holds the lock of this changelog elsewhere");
		}
		try {
			liquibase.update(new Contexts(), new LabelExpression());
		}
		finally {
			if (lockService.hasChangeLogLock()) {
				lockService.releaseLock();
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
	 * How long other transactions may be in the way.
	 *
	 * @param ofStatement how long one statement waits: whoever comes after it waits too
	 * @param inAll how long it is tried again
	 */
	record Patience(Duration ofStatement, Duration inAll) {

	}

	/**
	 * What is set for the changelog and set back.
	 *
	 * @param schema where tables without a schema are, as SQL names it
	 * @param patience how long a lock is waited for, in milliseconds
	 */
	private record Session(String schema, String patience) {

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
