package dev.once.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.jdbc.OnceTables;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.LedgerHealth;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A database that is set up by others.
 */
class SchemaFieldCaseTests {

	private static final OnceTables ELSEWHERE = new OnceTables("Ops", "acme_");

	private TestDatabase database;

	static Stream<TestDatabase> databases() {
		return Stream.of(TestDatabases.h2(), TestDatabases.postgresql());
	}

	@AfterEach
	void closeDatabase() {
		this.database.close();
	}

	/**
	 * Case 40 (a) and (c): a user who may select, insert and update is enough where a
	 * migration has made the tables.
	 */
	@ParameterizedTest
	@MethodSource("databases")
	void aUserWhoMayOnlyReadAndWriteIsEnough(TestDatabase database) {
		this.database = database.withTables();
		for (String statement : database.isPostgresql()
				? List.of("create role writer login",
						"grant select, insert, update on once_job_lease, once_effect_ledger, once_occurrence to writer",
						"grant select, insert on once_decision to writer")
				: List.of("create user writer password ''", "set write_delay 0",
						"grant select, insert, update on once_job_lease, once_effect_ledger, once_occurrence to writer",
						"grant select, insert on once_decision to writer")) {
			database.jdbc().sql(statement).update();
		}
		application(database, "writer")
			.run((context) -> assertThat(theJobsEffectsAreDone(context, OnceTables.defaults())).isEqualTo(2));
		if (database.isPostgresql()) {
			database.jdbc().sql("drop owned by writer").update();
			database.jdbc().sql("drop role writer").update();
		}
	}

	/**
	 * Case 40 (d): with a prefix and in a schema with a capital letter, which is not on
	 * the search path, every statement finds its table.
	 */
	@ParameterizedTest
	@MethodSource("databases")
	void everyStatementFindsTablesWithAPrefixInAnotherSchema(TestDatabase database) {
		this.database = database;
		database.jdbc().sql("create schema \"Ops\"").update();
		application(database, database.username())
			.withPropertyValues("once.jdbc.schema=Ops", "once.jdbc.table-prefix=acme_")
			.run((context) -> {
				assertThat(theJobsEffectsAreDone(context, ELSEWHERE)).isEqualTo(2);
				assertThat(context.getBean(EffectLedger.class).standing().attention()).isEmpty();
				assertThat(context.getBean(LedgerHealth.class).obstacle()).isEmpty();
			});
		assertThat(database.jdbc()
			.sql("select distinct lower(table_schema) from information_schema.tables where lower(table_name) like 'acme_%'")
			.query(String.class)
			.list()).containsExactly("ops");
	}

	private int theJobsEffectsAreDone(ApplicationContext context, OnceTables tables) {
		Orders orders = context.getBean(Orders.class);
		context.getBean(Nightly.class).run();
		context.getBean(Nightly.class).run();
		await().untilAsserted(() -> assertThat(rows(tables, "state = 'done'")).isEqualTo(2));
		assertThat(rows(tables, "outcome = 'resolved'")).isOne();
		return orders.sent();
	}

	private int rows(OnceTables tables, String condition) {
		return this.database.jdbc()
			.sql(tables.in("select count(*) from {effect_ledger} where " + condition))
			.query(Integer.class)
			.single();
	}

	private ApplicationContextRunner application(TestDatabase database, String user) {
		HikariDataSource dataSource = database.newDataSource((config) -> {
			config.setUsername(user);
			// H2 lets only an administrator set what may stand in a URL
			config.setJdbcUrl(database.url().replaceFirst(";.*", ""));
		});
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", HikariDataSource.class, () -> dataSource)
			.withUserConfiguration(Application.class)
			.withPropertyValues("once.caretaker.interval=100ms");
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		Orders orders() {
			return new Orders();
		}

		@Bean
		Nightly nightly(Orders orders) {
			return new Nightly(orders);
		}

	}

	static class Nightly {

		private final Orders orders;

		Nightly(Orders orders) {
			this.orders = orders;
		}

		@OnceJob(name = "nightly", overlap = Overlap.COALESCE)
		void run() {
			JobRun.current().each(List.of("answered", "lost"), this.orders::charge);
		}

	}

	static class Orders {

		private volatile int sent;

		int sent() {
			return this.sent;
		}

		@OnceEffect(action = "charge")
		void charge(@EffectTarget String order) {
			this.sent++;
			if (order.equals("lost")) {
				throw new IllegalStateException("no answer");
			}
		}

		@OnceResolver("charge")
		Resolution<Void> find(UnresolvedEffect effect) {
			return Resolution.happened(null);
		}

	}

}
