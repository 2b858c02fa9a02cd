package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.once.jdbc.Changelog.Patience;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sees to Once's tables as an application starts. Where all is there it costs one query;
 * where not, one node makes what is missing while the others wait.
 */
public final class SchemaInitializer {

	private static final Log logger = LogFactory.getLog(SchemaInitializer.class);

	private static final Patience PATIENCE = new Patience(Duration.ofSeconds(5), Duration.ofMinutes(1));

	private static final Set<String> IN_THE_WAY = Set.of("55P03", "57014", "HYT00");

	/** Left for a moment by a node that was killed. */
	private static final Set<String> THERE_MEANWHILE = Set.of("23505", "42P07", "42710");

	private static final Set<String> NO_PRIVILEGE = Set.of("42501", "90096", "90040");

	private static final Set<String> NO_SCHEMA = Set.of("3F000", "90079");

	private final LedgerConnections connections;

	private final OnceTables tables;

	private final InitializeSchema mode;

	private final Patience patience;

	public SchemaInitializer(LedgerConnections connections, OnceTables tables, InitializeSchema mode) {
		this(connections, tables, mode, PATIENCE);
	}

	SchemaInitializer(LedgerConnections connections, OnceTables tables, InitializeSchema mode, Patience patience) {
		this.connections = connections;
		this.tables = tables;
		this.mode = mode;
		this.patience = patience;
	}

	/**
	 * Does what the mode says.
	 * @throws LedgerUnusableException if the tables are not as this version needs them,
	 * naming what is missing, where the script is, and the property
	 */
	public void initialize() {
		if (this.mode == InitializeSchema.NEVER) {
			return;
		}
		List<String> missing = missing();
		if (missing.isEmpty()) {
			return;
		}
		if (this.mode == InitializeSchema.VALIDATE) {
			throw unusable(missing, "once.jdbc.initialize-schema is 'validate', so Once does not create what is"
					+ " missing: run " + script() + ", or set the property to 'always'", null);
		}
		create();
	}

	private void create() {
		try (SchemaLock lock = SchemaLock.take(this.connections, this.tables)) {
			List<String> missing = missing();
			if (missing.isEmpty()) {
				return;
			}
			runChangelog(missing);
			List<String> left = missing();
			if (!left.isEmpty()) {
				throw unusable(left, "They were made by hand or by another version of Once, and the changelog does not"
						+ " mend them: add what they lack as it stands in " + script(), null);
			}
			logger.info("Once completed its tables (" + String.join("; ", missing) + ")");
		}
		catch (SQLException ex) {
			throw unusable(missing(), mend(ex), ex);
		}
	}

	private void runChangelog(List<String> missing) throws SQLException {
		long start = System.nanoTime();
		while (true) {
			try {
				update();
				return;
			}
			catch (SQLException ex) {
				if (!passes(ex) || System.nanoTime() - start > this.patience.inAll().toNanos()) {
					throw ex;
				}
				logger.warn("Once completes its tables (" + String.join("; ", missing)
						+ ") and waits for another's transaction: " + ex.getMessage());
			}
		}
	}

	private static boolean passes(SQLException ex) {
		String state = state(ex);
		return IN_THE_WAY.contains(state) || THERE_MEANWHILE.contains(state);
	}

	private static String state(SQLException ex) {
		return (ex.getSQLState() != null) ? ex.getSQLState() : "";
	}

	private void update() throws SQLException {
		Connection connection = this.connections.open();
		try {
			new Changelog(this.tables, this.connections.database(), this.patience.ofStatement()).update(connection);
		}
		finally {
			Transactions.close(connection);
		}
	}

	private String mend(SQLException refusal) {
		String state = state(refusal);
		if (NO_PRIVILEGE.contains(state)) {
			return "User " + user() + " lacks the privilege to create it (" + refusal.getMessage()
					+ "): grant create on the schema to this user, or " + byHand();
		}
		if (NO_SCHEMA.contains(state)) {
			return "The schema does not exist (" + refusal.getMessage() + "): create it, or set once.jdbc.schema to"
					+ " the one to use";
		}
		if (IN_THE_WAY.contains(state) || refusal instanceof SQLTimeoutException) {
			return "Another's transaction stayed in the way (" + refusal.getMessage() + "): end it and start again, or "
					+ byHand();
		}
		return "The database refused to create it (" + refusal.getMessage() + "): " + byHand();
	}

	private List<String> missing() {
		try {
			return unhurried((connection) -> RequiredTables.missing(connection, this.tables));
		}
		catch (SQLException ex) {
			throw new LedgerUnusableException("Once cannot look for its tables: " + ex.getMessage(), ex);
		}
	}

	/** A start may be slow where the ledger may not. */
	private <T> T unhurried(SqlWork<T> query) throws SQLException {
		Connection connection = this.connections.open();
		try {
			return query.on(connection);
		}
		finally {
			Transactions.close(connection);
		}
	}

	private LedgerUnusableException unusable(List<String> missing, String mend, @Nullable SQLException cause) {
		return new LedgerUnusableException("Once's tables are incomplete in " + ((this.tables.schema() != null)
				? "schema " + this.tables.schema() + " (once.jdbc.schema)" : "the schema of the data source") + ": "
				+ String.join("; ", missing) + ". " + mend, cause);
	}

	private String byHand() {
		return "have " + script() + " run by a user who may, and set once.jdbc.initialize-schema to 'validate'";
	}

	private String script() {
		return "the script " + this.connections.database().script() + " in Once's jar";
	}

	private String user() {
		try {
			return unhurried((connection) -> connection.getMetaData().getUserName());
		}
		catch (SQLException ex) {
			return "of the data source";
		}
	}

}
