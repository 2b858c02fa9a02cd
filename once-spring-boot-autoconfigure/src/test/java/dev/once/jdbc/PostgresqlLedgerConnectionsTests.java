package dev.once.jdbc;

import java.sql.SQLException;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import dev.once.test.SwallowingProxy;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PostgresqlLedgerConnectionsTests extends LedgerConnectionsContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@ParameterizedTest
	@MethodSource("dev.once.jdbc.LedgerConnectionsContract$Kind#values")
	void theSessionIsSetUp(Kind kind) throws Exception {
		LedgerConnections connections = connections(kind.dataSource(this.database));
		assertThat(connections.database()).isEqualTo(LedgerDatabase.POSTGRESQL);
		assertThat(connections.withConnection(select("show plan_cache_mode"))).isEqualTo("force_generic_plan");
		assertThat(connections.withConnection(select("show statement_timeout"))).isEqualTo("4s");
		assertThat(connections.inTransaction(select("show idle_in_transaction_session_timeout"))).isEqualTo("4s");
		assertThat(connections.renewal(select("show statement_timeout"))).isEqualTo("1500ms");
		assertThat(connections.fresh(select("show statement_timeout"))).isEqualTo("4s");
		assertThat(connections.withConnection(select("show transaction isolation level"))).isEqualTo("read committed");
		assertThat(this.database.jdbc().sql("show statement_timeout").query(String.class).single()).isEqualTo("0");
	}

	@ParameterizedTest
	@CsvSource({ "off, on", "local, on", "on, on", "remote_write, remote_write", "remote_apply, remote_apply" })
	void synchronousCommitIsRaisedAndNeverLowered(String found, String used) throws Exception {
		setForDatabase("synchronous_commit", found);
		try (HikariDataSource application = this.database.newDataSource(2)) {
			for (Kind kind : Kind.values()) {
				LedgerConnections connections = connections((kind == Kind.OWN) ? application : new Opaque(application));
				assertThat(connections.withConnection(select("show synchronous_commit"))).isEqualTo(used);
				assertThat(connections.inTransaction(select("show synchronous_commit"))).isEqualTo(used);
			}
		}
	}

	@Test
	void theIsolationIsReadCommittedWhateverTheDatabasesDefault() throws Exception {
		setForDatabase("default_transaction_isolation", "serializable");
		try (HikariDataSource application = this.database.newDataSource(2)) {
			LedgerConnections connections = connections(application);
			assertThat(connections.withConnection(select("show transaction isolation level")))
				.isEqualTo("read committed");
			assertThat(connections.inTransaction(select("show transaction isolation level")))
				.isEqualTo("read committed");
		}
	}

	@Test
	void freshMeansANewConnection() throws Exception {
		LedgerConnections connections = connections(this.database.dataSource());
		String first = connections.withConnection(select("select pg_backend_pid()"));
		assertThat(connections.withConnection(select("select pg_backend_pid()"))).isEqualTo(first);
		String second = connections.fresh(select("select pg_backend_pid()"));
		assertThat(second).isNotEqualTo(first);
		assertThat(connections.fresh(select("select pg_backend_pid()"))).isNotIn(first, second);
	}

	@Test
	void aCommitWhoseAnswerWasLostIsReadBackOnANewConnection() throws Exception {
		try (SwallowingProxy proxy = this.database.proxy();
				HikariDataSource application = this.database.newDataSource(proxy)) {
			LedgerConnections connections = connections(application);
			CompletableFuture<String> swallowed = proxy.swallowAnswerTo("COMMIT"::equals);
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connections.inTransaction(insert(1)));
			assertThat(connections.fresh(select("select count(*) from seen"))).isEqualTo("1");
			assertThat(swallowed.get(5, TimeUnit.SECONDS)).isEqualTo("COMMIT");
		}
	}

	@Test
	void aSilentNetworkIsNotWaitedForLongerThanALease() throws Exception {
		try (SwallowingProxy proxy = this.database.proxy();
				HikariDataSource application = this.database.newDataSource(proxy)) {
			LedgerConnections connections = connections(application);
			connections.renewal(insert(1));
			proxy.pause();
			long start = System.nanoTime();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connections.renewal(insert(2)));
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isLessThan(4500L);
			proxy.resume();
			connections.renewal(insert(3));
		}
	}

	@Test
	void credentialsAreReadFromTheApplicationsPoolAtEachConnect() throws Exception {
		String role = "rotated_" + ProcessHandle.current().pid();
		this.database.jdbc().sql("create role " + role + " login").update();
		LedgerConnections connections = connections(this.database.dataSource());
		assertThat(connections.fresh(select("select current_user"))).isEqualTo("postgres");
		this.database.dataSource().setCredentials(Credentials.of(role, "secret"));
		assertThat(connections.fresh(select("select current_user"))).isEqualTo(role);
		assertThat(connections.withConnection(select("select current_user"))).isEqualTo(role);
	}

	@Test
	void aPoolOfADataSourceClassIsCopiedToo() throws Exception {
		try (HikariDataSource application = new HikariDataSource()) {
			Properties properties = new Properties();
			properties.setProperty("url", this.database.url());
			properties.setProperty("applicationName", "the-application");
			application.setDataSourceClassName("org.postgresql.ds.PGSimpleDataSource");
			application.setDataSourceProperties(properties);
			application.setUsername(this.database.username());
			application.setMaximumPoolSize(1);
			LedgerConnections connections = connections(application);
			application.getConnection();
			assertThat(connections.withConnection(select("show application_name"))).isEqualTo("the-application");
			assertThat(connections.withConnection(select("show plan_cache_mode"))).isEqualTo("force_generic_plan");
		}
	}

	@Test
	void theApplicationsSchemaAndInitSqlAreKept() throws Exception {
		this.database.jdbc().sql("create schema billing").update();
		try (HikariDataSource application = new HikariDataSource()) {
			application.setJdbcUrl(this.database.url());
			application.setUsername(this.database.username());
			application.setSchema("billing");
			application.setConnectionInitSql("set application_name to 'initialised'");
			LedgerConnections connections = connections(application);
			assertThat(connections.withConnection(select("select current_schema"))).isEqualTo("billing");
			assertThat(connections.fresh(select("show application_name"))).isEqualTo("initialised");
		}
	}

	@Test
	void aDatabaseThatCannotBeReachedIsToldAtOnce() {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setJdbcUrl("jdbc:postgresql://localhost:1/nowhere");
			assertThatExceptionOfType(LedgerUnusableException.class).isThrownBy(() -> connections(application))
				.withMessageContaining("Once cannot use its database: ")
				.withMessageContaining("localhost:1");
		}
	}

	private void setForDatabase(String setting, String value) {
		String name = this.database.jdbc().sql("select current_database()").query(String.class).single();
		this.database.jdbc().sql("alter database " + name + " set " + setting + " = '" + value + "'").update();
	}

}
