package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * Where the ledger's connections come from; each call is a unit of its own, whatever
 * transaction its caller is in.
 */
interface ConnectionSource extends AutoCloseable {

	<T extends @Nullable Object> T withConnection(SqlWork<T> work) throws SQLException;

	<T extends @Nullable Object> T inTransaction(SqlWork<T> work) throws SQLException;

	<T extends @Nullable Object> T renewal(SqlWork<T> work) throws SQLException;

	/** In one transaction, on a connection that no call before has had. */
	<T extends @Nullable Object> T fresh(SqlWork<T> work) throws SQLException;

	/** A connection without the ledger's settings, for what may take long. */
	Connection open() throws SQLException;

	/** How many connections this needs, for people: "up to 5 connections ...". */
	String demand();

	@Override
	void close();

}
