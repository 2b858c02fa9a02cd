package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Set;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Sees to Once's tables as an application starts. Where all is there it costs one query;
 * where not, one node makes what is missing while the others wait.
 */
public final class SchemaInitializer {

	private static final Log logger = LogFactory.getLog(SchemaInitializer.class);

	private static final int RACES_ON_H2 = 10;

	private static final Set<String> NO_PRIVILEGE = Set.of("42501", "90096", "90040");

	private static final Set<String> NO_SCHEMA = Set.of("3F000", "90079");

	private final LedgerConnections connections;

	private final OnceTables tables;

	private final InitializeSchema mode;

	public SchemaInitializer(LedgerConnections connections, OnceTables tables, InitializeSchema mode) {
		this.connections = connections;
		this.tables = tables;
		this.mode = mode;
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
		try (SchemaLock lock = SchemaLock.take(this.connections)) {
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
			throw new LedgerUnusableException(
					"Once waited for another node to create its tables, in vain: " + ex.getMessage(), ex);
		}
	}

	// H2 has no lock to take before Liquibase's own table of locks is there: a node that
	// loses the race to make it tries again
	private void runChangelog(List<String> missing) {
		boolean races = this.connections.database() == LedgerDatabase.H2;
		for (int race = 1;; race++) {
			try {
				update();
				return;
			}
			catch (SQLException ex) {
				String mend = mend(ex);
				if (mend != null || !races || race == RACES_ON_H2) {
					throw unusable(missing, (mend != null) ? mend
							: "The database refused to create it (" + ex.getMessage() + "): " + byHand(), ex);
				}
				logger.debug("Once's tables could not be made; trying again", ex);
			}
		}
	}

	private void update() throws SQLException {
		Connection connection = this.connections.open();
		try {
			new Changelog(this.tables, this.connections.database()).update(connection);
		}
		finally {
			Transactions.close(connection);
		}
	}

	/** What to do about a refusal that no repetition ends, or null. */
	private @Nullable String mend(SQLException refusal) {
		String state = (refusal.getSQLState() != null) ? refusal.getSQLState() : "";
		if (NO_PRIVILEGE.contains(state)) {
			return "User " + user() + " lacks the privilege to create it (" + refusal.getMessage()
					+ "): grant create on the schema to this user, or " + byHand();
		}
		if (NO_SCHEMA.contains(state)) {
			return "The schema does not exist (" + refusal.getMessage() + "): create it, or set once.jdbc.schema to"
					+ " the one to use";
		}
		if (refusal instanceof SQLTimeoutException) {
			return "Another node holds the lock of Once's changelog (" + refusal.getMessage()
					+ "). If it was killed, run: update " + this.tables.prefix() + "changelog_lock set locked = false";
		}
		return null;
	}

	private List<String> missing() {
		try {
			return unhurried((connection) -> RequiredColumns.missing(connection, this.tables));
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
