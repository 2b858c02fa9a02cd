package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What an operator should know about a database before its ledger is relied on.
 */
final class LedgerWarnings {

	private static final Log logger = LogFactory.getLog(LedgerWarnings.class);

	private static final Pattern IN_MEMORY = Pattern.compile("jdbc:h2:(?:(?:tcp|ssl)://[^;]*/)?mem:.*");

	private static final String SETTINGS = """
			select current_setting('synchronous_commit'), current_setting('fsync'), current_setting('full_page_writes')
			""";

	// without the right to see them the states are null, and nothing is said
	private static final String ASYNCHRONOUS_STANDBYS = """
			select string_agg(application_name, ', ' order by application_name) from pg_stat_replication
			where state = 'streaming' and sync_state = 'async'
				and not exists (select from pg_stat_replication where sync_state in ('sync', 'quorum'))
			""";

	private LedgerWarnings() {
	}

	/**
	 * Asks once, over a connection as the application has it. What cannot be asked is not
	 * said.
	 */
	static List<String> of(LedgerConnections connections) {
		List<String> warnings = new ArrayList<>();
		try {
			Connection connection = connections.open();
			try {
				switch (connections.database()) {
					case H2 -> inMemory(connection, warnings);
					case POSTGRESQL -> {
						settings(connection, warnings);
						standbys(connection, warnings);
					}
				}
			}
			finally {
				Transactions.close(connection);
			}
		}
		catch (SQLException ex) {
			logger.debug("The durability of the ledger could not be asked for", ex);
		}
		return warnings;
	}

	private static void inMemory(Connection connection, List<String> warnings) throws SQLException {
		if (IN_MEMORY.matcher(connection.getMetaData().getURL()).matches()) {
			warnings.add("The ledger is in an H2 database in memory: it ends with its process, and every effect would"
					+ " happen once more after a restart. Outside of tests give Once a database in a file or on a server"
					+ " (spring.datasource.url)");
		}
	}

	private static void settings(Connection connection, List<String> warnings) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet row = statement.executeQuery(SETTINGS)) {
			row.next();
			String commit = row.getString(1);
			if (commit.equals("off") || commit.equals("local")) {
				warnings.add("synchronous_commit is '" + commit + "' for this user: Once raises it to 'on' for its own"
						+ " statements, and the application's own commits "
						+ (commit.equals("off") ? "can be lost in a crash of the server" : "can be lost in a failover")
						+ " while the effects that they caused stay recorded. Set it to 'on' (alter role ... set"
						+ " synchronous_commit = 'on')");
			}
			if (row.getString(2).equals("off") || row.getString(3).equals("off")) {
				warnings
					.add("The PostgreSQL server runs with fsync or full_page_writes off: a crash of its machine loses"
							+ " or spoils the ledger, and effects can happen twice. Set both to 'on' in postgresql.conf");
			}
		}
	}

	private static void standbys(Connection connection, List<String> warnings) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery(ASYNCHRONOUS_STANDBYS)) {
			if (row.next() && row.getString(1) != null) {
				warnings.add("Standby '" + row.getString(1) + "' follows the ledger's server asynchronously: a failover"
						+ " to it loses the latest rows, and their effects can happen twice. Name it in"
						+ " synchronous_standby_names");
			}
		}
	}

}
