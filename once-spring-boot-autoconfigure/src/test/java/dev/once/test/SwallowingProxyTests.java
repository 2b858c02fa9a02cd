package dev.once.test;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SwallowingProxyTests {

	private static TestDatabase database;

	private final SwallowingProxy proxy = database.proxy();

	private final HikariDataSource throughProxy = database.newDataSource(this.proxy);

	@BeforeAll
	static void createTable() {
		database = TestDatabases.postgresql();
		database.jdbc().sql("create table seen (id integer)").update();
	}

	@AfterAll
	static void closeDatabase() {
		database.close();
	}

	@BeforeEach
	void emptyTable() {
		database.jdbc().sql("truncate seen").update();
	}

	@AfterEach
	void closeProxy() {
		this.throughProxy.close();
		this.proxy.close();
	}

	@Test
	void aSwallowedCommitIsCarriedOutAndNotAnswered() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo("COMMIT"::equals);
		try (Connection connection = this.throughProxy.getConnection();
				Statement statement = connection.createStatement()) {
			connection.setAutoCommit(false);
			statement.executeUpdate("insert into seen values (1)");
			assertThatExceptionOfType(SQLException.class).isThrownBy(connection::commit)
				.satisfies((ex) -> assertThat(ex.getSQLState()).startsWith("08"));
		}
		assertThat(swallowed.get(5, TimeUnit.SECONDS)).isEqualTo("COMMIT");
		assertThat(rows()).isEqualTo(1);
	}

	@Test
	void theAnswerToASingleStatementIsSwallowedToo() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo((sql) -> sql.startsWith("insert into seen"));
		JdbcClient client = JdbcClient.create(this.throughProxy);
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> client.sql("insert into seen values (?)").param(1).update());
		assertThat(swallowed.get(5, TimeUnit.SECONDS)).startsWith("insert into seen");
		assertThat(rows()).isEqualTo(1);
		assertThat(client.sql("insert into seen values (?)").param(2).update()).isOne();
	}

	@Test
	void aStatementPreparedBeforeIsRecognised() throws Exception {
		JdbcClient client = JdbcClient.create(this.throughProxy);
		for (int i = 0; i < 10; i++) {
			client.sql("insert into seen values (?)").param(i).update();
		}
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo((sql) -> sql.startsWith("insert into seen"));
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> client.sql("insert into seen values (?)").param(10).update());
		assertThat(swallowed.get(5, TimeUnit.SECONDS)).startsWith("insert into seen");
		assertThat(rows()).isEqualTo(11);
	}

	@Test
	void aSwallowedStatementIsNotCarriedOut() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallow((sql) -> sql.startsWith("insert into seen"));
		JdbcClient client = JdbcClient.create(this.throughProxy);
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> client.sql("insert into seen values (?)").param(1).update());
		assertThat(swallowed.get(5, TimeUnit.SECONDS)).startsWith("insert into seen");
		assertThat(rows()).isZero();
	}

	@Test
	void aPausedProxyAnswersAfterItIsResumed() throws Exception {
		JdbcClient client = JdbcClient.create(this.throughProxy);
		client.sql("select 1").query(Integer.class).single();
		this.proxy.pause();
		CompletableFuture<Integer> answer = CompletableFuture
			.supplyAsync(() -> client.sql("insert into seen values (1)").update());
		assertThat(answer).isNotCompleted();
		assertThat(rows()).isZero();
		this.proxy.resume();
		assertThat(answer.get(5, TimeUnit.SECONDS)).isOne();
	}

	@Test
	void aDelayIsAddedToEachRoundTrip() {
		JdbcClient client = JdbcClient.create(this.throughProxy);
		client.sql("select 1").query(Integer.class).single();
		this.proxy.delay(Duration.ofMillis(300));
		long start = System.nanoTime();
		client.sql("select 1").query(Integer.class).single();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(300),
				Duration.ofMillis(2000));
	}

	@Test
	void cutClosesWhatIsOpenAndLetsNewOnesThrough() throws Exception {
		try (Connection connection = this.throughProxy.getConnection();
				Statement statement = connection.createStatement()) {
			this.proxy.cut();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> statement.execute("select 1"));
		}
		assertThat(JdbcClient.create(this.throughProxy).sql("select 1").query(Integer.class).single()).isOne();
	}

	private static int rows() {
		return database.jdbc().sql("select count(*) from seen").query(Integer.class).single();
	}

}
