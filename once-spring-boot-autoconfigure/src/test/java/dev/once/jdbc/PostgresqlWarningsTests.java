package dev.once.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Properties;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.LogSequenceNumber;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the start says about a PostgreSQL server that can lose what the ledger committed.
 */
class PostgresqlWarningsTests {

	private final TestDatabase database = TestDatabases.durablePostgresql();

	@AfterEach
	void close() {
		this.database.close();
	}

	@Test
	void aDurableServerIsNotWarnedOf() {
		assertThat(warnings(this.database.dataSource())).isEmpty();
	}

	@Test
	void commitsOfTheApplicationThatAreNotWaitedForAreToldWithTheMend() {
		String name = this.database.jdbc().sql("select current_database()").query(String.class).single();
		this.database.jdbc().sql("alter database " + name + " set synchronous_commit = 'off'").update();
		assertThat(warnings(this.database.newDataSource(1))).singleElement()
			.asString()
			.contains("synchronous_commit is 'off' for this user: Once raises it to 'on' for its own statements")
			.contains("alter role ... set synchronous_commit = 'on'");
	}

	@Test
	void aServerThatDoesNotSyncIsTold() {
		try (TestDatabase fast = TestDatabases.postgresql()) {
			assertThat(warnings(fast.dataSource()))
				.anySatisfy((warning) -> assertThat(warning).contains("fsync or full_page_writes off"));
		}
	}

	/** Whoever may not see standbys is not told of them, and starts all the same. */
	@Test
	void aStandbyThatFollowsAsynchronouslyIsToldToWhoMaySeeIt() throws Exception {
		this.database.jdbc().sql("create role limited_" + ProcessHandle.current().pid() + " login").update();
		try (Connection standby = standby()) {
			Awaitility.await()
				.untilAsserted(() -> assertThat(warnings(this.database.dataSource())).singleElement()
					.asString()
					.contains("Standby 'a-standby' follows the ledger's server asynchronously")
					.contains("Name it in synchronous_standby_names"));
			assertThat(standby.isClosed()).isFalse();
			HikariDataSource limited = this.database
				.newDataSource((config) -> config.setUsername("limited_" + ProcessHandle.current().pid()));
			assertThat(warnings(limited)).isEmpty();
		}
	}

	private Connection standby() throws Exception {
		Properties properties = new Properties();
		PGProperty.USER.set(properties, this.database.username());
		PGProperty.PASSWORD.set(properties, this.database.password());
		PGProperty.REPLICATION.set(properties, "true");
		PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
		PGProperty.APPLICATION_NAME.set(properties, "a-standby");
		PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "12");
		Connection connection = DriverManager.getConnection(this.database.url(), properties);
		String end = this.database.jdbc().sql("select pg_current_wal_flush_lsn()::text").query(String.class).single();
		connection.unwrap(PGConnection.class)
			.getReplicationAPI()
			.replicationStream()
			.physical()
			.withStartPosition(LogSequenceNumber.valueOf(end))
			.start();
		return connection;
	}

	private List<String> warnings(HikariDataSource dataSource) {
		try (LedgerConnections connections = LedgerConnections.of(dataSource, 1)) {
			return connections.warnings();
		}
	}

}
