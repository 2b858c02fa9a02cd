package dev.once.jdbc;

import java.nio.file.Path;
import java.sql.Connection;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class H2LedgerConnectionsTests extends LedgerConnectionsContract {

	private static final String WRITE_DELAY = "select max(cast(setting_value as integer)) from"
			+ " information_schema.settings where setting_name = 'WRITE_DELAY'";

	@TempDir
	private Path directory;

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Test
	void theDatabaseIsKnown() {
		assertThat(connections(this.database.dataSource()).database()).isEqualTo(LedgerDatabase.H2);
	}

	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void aFileIsWrittenAtEachCommit(Kind kind) throws Exception {
		try (TestDatabase file = TestDatabases.h2File(this.directory)) {
			assertThat(writeDelay(file)).isEqualTo(500);
			LedgerConnections connections = connections(kind.dataSource(file));
			assertThat(connections.withConnection(select(WRITE_DELAY))).isEqualTo("0");
			assertThat(writeDelay(file)).isZero();
		}
	}

	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void aFileThatWasClosedAndOpenedAgainIsWrittenAtEachCommitToo(Kind kind) throws Exception {
		try (TestDatabase file = TestDatabases.h2File(this.directory)) {
			LedgerConnections connections = connections(kind.dataSource(file));
			file.jdbc().sql("shutdown").update();
			file.dataSource().getHikariPoolMXBean().softEvictConnections();
			assertThat(writeDelay(file)).isEqualTo(500);
			assertThat(connections.fresh(select(WRITE_DELAY))).isEqualTo("0");
			assertThat(connections.withConnection(select(WRITE_DELAY))).isEqualTo("0");
		}
	}

	@Test
	void aDelayInTheUrlIsRefused() {
		try (HikariDataSource application = fileWith("sa", ";Write_Delay=200")) {
			assertThatExceptionOfType(LedgerUnusableException.class).isThrownBy(() -> connections(application))
				.withMessageContaining("WRITE_DELAY=200 in its URL")
				.withMessageContaining("Put ;WRITE_DELAY=0 into the URL of the data source (spring.datasource.url)");
		}
	}

	@Test
	void aUserWhoMayNotSetTheDelayIsRefused() throws Exception {
		try (HikariDataSource admin = fileWith("sa", ""); Connection connection = admin.getConnection()) {
			connection.createStatement().execute("create user limited password ''");
			try (HikariDataSource application = fileWith("limited", "")) {
				assertThatExceptionOfType(LedgerUnusableException.class).isThrownBy(() -> connections(application))
					.withMessageContaining("has WRITE_DELAY=500, and user LIMITED cannot set it to 0");
			}
		}
	}

	@Test
	void aUserWhoMayNotSetTheDelayFindsItSet() throws Exception {
		try (HikariDataSource admin = fileWith("sa", ";WRITE_DELAY=0"); Connection connection = admin.getConnection()) {
			connection.createStatement().execute("create user limited password ''");
			try (HikariDataSource application = fileWith("limited", "")) {
				assertThat(connections(application).withConnection(select(WRITE_DELAY))).isEqualTo("0");
			}
		}
	}

	@Test
	void aMemoryDatabaseWithoutANameIsNotCopied() throws Exception {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setJdbcUrl("jdbc:h2:mem:;MODE=REGULAR");
			application.setMaximumPoolSize(1);
			try (Connection connection = application.getConnection()) {
				connection.createStatement().execute("create table seen (id integer primary key)");
			}
			LedgerConnections connections = connections(application);
			connections.withConnection(insert(1));
			assertThat(connections.fresh(select("select count(*) from seen"))).isEqualTo("1");
		}
	}

	private HikariDataSource fileWith(String user, String settings) {
		HikariDataSource application = new HikariDataSource();
		application.setJdbcUrl("jdbc:h2:file:" + this.directory.resolve("ledger") + settings);
		application.setUsername(user);
		application.setPassword("");
		return application;
	}

	private static int writeDelay(TestDatabase file) {
		return file.jdbc().sql(WRITE_DELAY).query(Integer.class).single();
	}

}
