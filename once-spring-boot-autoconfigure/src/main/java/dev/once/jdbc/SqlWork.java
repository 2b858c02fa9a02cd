package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * What is done with one of the ledger's connections.
 *
 * @param <T> what it gives
 */
@FunctionalInterface
public interface SqlWork<T extends @Nullable Object> {

	/**
	 * Works on a connection, without closing, committing or rolling it back.
	 * @param connection a connection lent for this call
	 * @return the outcome
	 * @throws SQLException if the database says so
	 */
	T on(Connection connection) throws SQLException;

}
