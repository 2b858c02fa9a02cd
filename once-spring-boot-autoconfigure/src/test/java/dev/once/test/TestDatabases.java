package dev.once.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * Databases for tests: each call makes an empty one, with Once's tables after
 * {@link TestDatabase#withTables()}. One PostgreSQL 17 server a JVM, started on first
 * use, serves them all; it and H2 work in a session time zone that is not the JVM's.
 */
public final class TestDatabases {

	/** A zone of 5:45 hours that no machine runs in by chance. */
	static final String SESSION_TIME_ZONE = "Asia/Kathmandu";

	private static final AtomicInteger NAMES = new AtomicInteger();

	private TestDatabases() {
	}

	/**
	 * An H2 database in memory.
	 * @return an empty database of its own name
	 */
	public static TestDatabase h2() {
		return h2("mem:" + nextName() + ";DB_CLOSE_DELAY=-1");
	}

	/**
	 * An H2 database in a file, with H2's own defaults (so with its write delay).
	 * @param directory where the file is put
	 * @return an empty database
	 */
	public static TestDatabase h2File(Path directory) {
		return h2("file:" + directory.resolve(nextName()).toAbsolutePath());
	}

	private static TestDatabase h2(String location) {
		return new TestDatabase("jdbc:h2:" + location + ";MODE=REGULAR;TIME ZONE=" + SESSION_TIME_ZONE, "sa", "",
				"schema-h2.sql");
	}

	/**
	 * A database in the shared PostgreSQL server, which neither syncs its files nor waits
	 * for its log: fast, and safe against the end of a client.
	 * @return an empty database
	 */
	public static TestDatabase postgresql() {
		return postgresql(Server.FAST);
	}

	/**
	 * A database in a second server that syncs its files, for what measures or relies on
	 * durable commits.
	 * @return an empty database
	 */
	public static TestDatabase durablePostgresql() {
		return postgresql(Server.DURABLE);
	}

	private static TestDatabase postgresql(Server server) {
		EmbeddedPostgres postgres = server.started();
		String name = nextName();
		try (Connection connection = postgres.getPostgresDatabase().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create database " + name);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("No database could be created in the embedded PostgreSQL", ex);
		}
		return new TestDatabase("jdbc:postgresql://localhost:" + postgres.getPort() + "/" + name, "postgres",
				"postgres", "schema-postgresql.sql");
	}

	private static String nextName() {
		return "once_test_" + ProcessHandle.current().pid() + "_" + NAMES.incrementAndGet();
	}

	private enum Server {

		FAST("off", "off"), DURABLE("on", "on");

		private final String fsync;

		private final String synchronousCommit;

		private EmbeddedPostgres postgres;

		Server(String fsync, String synchronousCommit) {
			this.fsync = fsync;
			this.synchronousCommit = synchronousCommit;
		}

		synchronized EmbeddedPostgres started() {
			if (this.postgres == null) {
				try {
					this.postgres = EmbeddedPostgres.builder()
						.setServerConfig("fsync", this.fsync)
						.setServerConfig("synchronous_commit", this.synchronousCommit)
						.setServerConfig("timezone", SESSION_TIME_ZONE)
						.start();
				}
				catch (IOException ex) {
					throw new UncheckedIOException("The embedded PostgreSQL did not start", ex);
				}
			}
			return this.postgres;
		}

	}

}
