package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Holds H2 to writing at each commit: by its default it loses committed rows when its
 * process is killed, and with them what was sent.
 */
final class H2Durability {

	private static final String SET_WRITE_DELAY = "set write_delay 0";

	// two rows have this name: what is stored, and what works now. After the database was
	// closed and opened again the stored one is 0 and the working one is back at 500
	private static final String LONGEST_WRITE_DELAY = """
			select max(cast(setting_value as integer)) from information_schema.settings
				where setting_name = 'WRITE_DELAY'
			""";

	private static final Pattern IN_URL = Pattern.compile(";\\s*WRITE_DELAY\\s*=\\s*([^;]*)", Pattern.CASE_INSENSITIVE);

	private H2Durability() {
	}

	/**
	 * Sets the delay to 0 where it is not, for the whole database, and reads it back.
	 * @throws SQLException if it is not 0 then
	 */
	static void ensure(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			int found = longestWriteDelay(statement);
			if (found == 0) {
				return;
			}
			SQLException refusal = set(statement);
			int kept = longestWriteDelay(statement);
			if (kept != 0) {
				throw refused("has WRITE_DELAY=" + kept + ", and user " + connection.getMetaData().getUserName()
						+ " cannot set it to 0", refusal);
			}
		}
	}

	/**
	 * Refuses a URL that sets the delay anew with each of the application's connections.
	 * @throws SQLException if it names a delay other than 0
	 */
	static void checkUrl(@Nullable String url) throws SQLException {
		Matcher matcher = IN_URL.matcher((url != null) ? url : "");
		if (matcher.find() && !matcher.group(1).strip().equals("0")) {
			throw refused("has WRITE_DELAY=" + matcher.group(1).strip() + " in its URL", null);
		}
	}

	private static @Nullable SQLException set(Statement statement) {
		try {
			statement.execute(SET_WRITE_DELAY);
			return null;
		}
		catch (SQLException ex) {
			return ex;
		}
	}

	private static int longestWriteDelay(Statement statement) throws SQLException {
		try (ResultSet row = statement.executeQuery(LONGEST_WRITE_DELAY)) {
			row.next();
			return row.getInt(1);
		}
	}

	private static SQLException refused(String fault, @Nullable SQLException cause) {
		return new SQLNonTransientException("The H2 database of the ledger " + fault
				+ ": a killed process would lose effects that it had committed. Put ;WRITE_DELAY=0 into the URL of"
				+ " the data source (spring.datasource.url), and connect as a user with admin rights", cause);
	}

}
