package dev.once.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.Locale;

/**
 * The databases that can hold the ledger.
 */
public enum LedgerDatabase {

	/** H2 2.4, in a file, served, or in memory. */
	H2("H2"),

	/** PostgreSQL 12 or newer. */
	POSTGRESQL("PostgreSQL");

	private final String productName;

	LedgerDatabase(String productName) {
		this.productName = productName;
	}

	/**
	 * Its name as people know it.
	 * @return the name
	 */
	public String productName() {
		return this.productName;
	}

	/**
	 * Tells which database a connection leads to.
	 * @param connection an open connection
	 * @return the database
	 * @throws SQLException if it is none of these, naming it
	 */
	public static LedgerDatabase of(Connection connection) throws SQLException {
		DatabaseMetaData metaData = connection.getMetaData();
		String productName = metaData.getDatabaseProductName();
		for (LedgerDatabase database : values()) {
			if (database.productName.equals(productName)) {
				return database;
			}
		}
		throw new SQLNonTransientException("Once keeps its ledger in PostgreSQL or H2; the data source at "
				+ metaData.getURL() + " is " + productName + ". Give Once a data source of one of the two");
	}

	/**
	 * The class path resource with Once's tables as plain SQL.
	 * @return its location, without a leading slash
	 */
	public String script() {
		return "dev/once/jdbc/schema-" + name().toLowerCase(Locale.ROOT) + ".sql";
	}

}
