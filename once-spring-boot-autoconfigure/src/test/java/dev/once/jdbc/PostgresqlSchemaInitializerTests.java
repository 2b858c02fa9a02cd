package dev.once.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThat;

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
						.isEqualTo(5);
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
		CyclicBarrier start = new CyclicBarrier(NODES);
		List<HikariDataSource> applications = new ArrayList<>();
		for (int node = 0; node < NODES; node++) {
			applications.add(empty.newDataSource(2));
		}
		List<Future<?>> outcomes = new ArrayList<>();
		for (HikariDataSource application : applications) {
			outcomes.add(nodes.submit(() -> {
				try (LedgerConnections connections = LedgerConnections.of(application, 4)) {
					start.await(20, TimeUnit.SECONDS);
					new SchemaInitializer(connections, DEFAULTS, InitializeSchema.ALWAYS).initialize();
				}
				return null;
			}));
		}
		for (Future<?> outcome : outcomes) {
			outcome.get(60, TimeUnit.SECONDS);
		}
	}

	@Test
	void theLockOfAKilledNodeHoldsNobodyUp() {
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		execute("drop table once_effect_ledger");
		execute("delete from once_changelog where id like 'effect-ledger%'");
		execute("update once_changelog_lock set locked = true, lockgranted = now(), lockedby = 'a killed node'");
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(rows("once_effect_ledger")).isZero();
		assertThat(rows("once_changelog_lock where locked")).isZero();
	}

}
