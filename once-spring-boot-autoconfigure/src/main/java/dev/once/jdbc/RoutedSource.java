package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * Connections to whichever database the current thread means.
 */
record RoutedSource(RoutedDatabases databases) implements ConnectionSource {

	@Override
	public <T extends @Nullable Object> T withConnection(SqlWork<T> work) throws SQLException {
		return this.databases.current().withConnection(work);
	}

	@Override
	public <T extends @Nullable Object> T inTransaction(SqlWork<T> work) throws SQLException {
		return this.databases.current().inTransaction(work);
	}

	@Override
	public <T extends @Nullable Object> T renewal(SqlWork<T> work) throws SQLException {
		return this.databases.current().renewal(work);
	}

	@Override
	public <T extends @Nullable Object> T fresh(SqlWork<T> work) throws SQLException {
		return this.databases.current().fresh(work);
	}

	@Override
	public Connection open() throws SQLException {
		return this.databases.current().open();
	}

	@Override
	public String demand() {
		return this.databases.home().demand();
	}

	@Override
	public void close() {
		this.databases.close();
	}

}
