package dev.once.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PostgresqlSchemaInitializerTests extends SchemaInitializerContract {

	private static final int NODES = 8;

	private static final int ROUNDS = 20;

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@Override
	HikariDataSource unprivileged() {
		execute("do 'begin create role limited login; exception when duplicate_object then null; end'");
		HikariDataSource application = new HikariDataSource();
		application.setJdbcUrl(this.database.url());
		application.setUsername("limited");
		return application;
	}

	@Test
	void eightNodesOnAnEmptyDatabaseMakeTheTablesOnce(CapturedOutput output) throws Exception {
		ExecutorService nodes = Executors.newFixedThreadPool(NODES);
		try {
			for (int round = 0; round < ROUNDS; round++) {
				try (TestDatabase empty = newDatabase()) {
					startAll(nodes, empty);
					assertThat(empty.jdbc().sql("select count(*) from once_changelog").query(Integer.class).single())
						.isEqualTo(CHANGESETS);
				}
			}
		}
		finally {
			nodes.shutdownNow();
		}
		assertThat(output.getOut().lines().filter((line) -> line.contains("Once completed its tables")))
			.hasSize(ROUNDS);
		assertThat(output.getAll()).doesNotContain("ERROR").doesNotContain("WARN").doesNotContain("liquibase");
	}

	private static void startAll(ExecutorService nodes, TestDatabase empty) throws Exception {
		for (Future<?> outcome : startAll(nodes, NODES, empty)) {
			outcome.get(60, TimeUnit.SECONDS);
		}
	}

	private static List<Future<?>> startAll(ExecutorService nodes, int number, TestDatabase empty) {
		CyclicBarrier start = new CyclicBarrier(number);
		List<Future<?>> outcomes = new ArrayList<>();
		for (int node = 0; node < number; node++) {
			HikariDataSource application = empty.newDataSource(2);
			outcomes.add(nodes.submit(() -> {
				try (LedgerConnections connections = LedgerConnections.of(application, 4)) {
					start.await(20, TimeUnit.SECONDS);
					new SchemaInitializer(connections, DEFAULTS, InitializeSchema.ALWAYS).initialize();
				}
				return null;
			}));
		}
		return outcomes;
	}

	@Test
	void aNodeThatIsKilledInTheMiddleHoldsNoneOfSevenUp(CapturedOutput output) throws Exception {
		ExecutorService nodes = Executors.newFixedThreadPool(NODES - 1);
		try (JavaProcess killed = SchemaNode.start()) {
			assertThat(killed.line()).isEqualTo("ready");
			killed.say(this.database.url() + " postgres create table if not exists once_effect_ledger");
			assertThat(killed.line()).isEqualTo(SchemaNode.IN_THE_MIDDLE);
			List<Future<?>> seven = startAll(nodes, NODES - 1, this.database);
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(waitingForTheLock()).isEqualTo(NODES - 1));
			killed.kill();
			for (Future<?> outcome : seven) {
				outcome.get(60, TimeUnit.SECONDS);
			}
		}
		finally {
			nodes.shutdownNow();
		}
		assertThat(rows("once_effect_ledger")).isZero();
		assertThat(output.getOut().lines().filter((line) -> line.contains("Once completed its tables"))).hasSize(1);
		assertThat(output.getAll()).doesNotContain("ERROR").doesNotContain("WARN");
	}

	private int waitingForTheLock() {
		return rows("pg_locks where locktype = 'advisory' and not granted and database ="
				+ " (select oid from pg_database where datname = current_database())");
	}

	@Test
	void whoHoldsATableHoldsNoStartUpWhereAllIsThere() throws Exception {
		this.database.withTables();
		try (Connection other = this.database.dataSource().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement().execute("lock table once_effect_ledger, once_job_lease in access exclusive mode");
			initialize(DEFAULTS, InitializeSchema.ALWAYS);
			other.rollback();
		}
	}

}
