package dev.once.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A PostgreSQL 17 server of a test's own, which can be stopped as a crash stops it,
 * started again on the same port, and set up while it runs.
 */
public final class PostgresServer implements TroubledServer {

	private final EmbeddedPostgres postgres;

	private final Path data;

	private final String program;

	private final String options;

	/**
	 * Starts a server.
	 */
	public PostgresServer() {
		try {
			this.postgres = EmbeddedPostgres.builder().start();
			try (Connection connection = this.postgres.getPostgresDatabase().getConnection();
					Statement statement = connection.createStatement();
					var row = statement.executeQuery("show data_directory")) {
				row.next();
				this.data = Path.of(row.getString(1));
			}
			String started = Files.readString(this.data.resolve("postmaster.opts")).strip();
			this.program = started.substring(0, started.indexOf(' '));
			this.options = started.substring(started.indexOf(' ') + 1);
		}
		catch (IOException | SQLException ex) {
			throw new IllegalStateException("The embedded PostgreSQL did not start", ex);
		}
	}

	@Override
	public TestDatabase newDatabase() {
		String name = "once_" + System.nanoTime();
		execute("create database " + name);
		return new TestDatabase("jdbc:postgresql://localhost:" + this.postgres.getPort() + "/" + name, "postgres",
				"postgres", "schema-postgresql.sql");
	}

	/**
	 * Executes a statement in a session that may write whatever the server's default is.
	 * @param sql the statement
	 */
	public void execute(String sql) {
		String url = "jdbc:postgresql://localhost:" + this.postgres.getPort()
				+ "/postgres?user=postgres&password=postgres&options=-c%20default_transaction_read_only=off";
		try (Connection connection = DriverManager.getConnection(url);
				Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(sql, ex);
		}
	}

	/**
	 * Changes a setting for all sessions, those that are open included.
	 * @param setting the setting
	 * @param value its value
	 */
	public void set(String setting, String value) {
		execute("alter system set " + setting + " = '" + value + "'");
		execute("select pg_reload_conf()");
	}

	/**
	 * Asks a role for its password from now on; the server trusts all others.
	 * @param role the role
	 */
	public void demandPasswordOf(String role) {
		Path rules = this.data.resolve("pg_hba.conf");
		try {
			Files.writeString(rules, "host all " + role + " all scram-sha-256\n" + Files.readString(rules));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		execute("select pg_reload_conf()");
	}

	@Override
	public void stop() {
		control("stop", "-m", "immediate");
	}

	@Override
	public void start() {
		control("start", "-l", this.data.resolve("restarts.log").toString(), "-o", this.options);
	}

	private void control(String action, String... arguments) {
		List<String> command = new ArrayList<>();
		if ("root".equals(System.getProperty("user.name"))) {
			// PostgreSQL refuses root, so that it is nobody in a name space of its own
			command.addAll(List.of("unshare", "-U"));
		}
		command.addAll(List.of(Path.of(this.program).resolveSibling("pg_ctl").toString(), action, "-w", "-D",
				this.data.toString()));
		command.addAll(List.of(arguments));
		try {
			Path output = Files.createTempFile("pg_ctl", ".log");
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile())
				.start();
			if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
				throw new IllegalStateException(command + ": " + Files.readString(output));
			}
			Files.delete(output);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.postgres.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
