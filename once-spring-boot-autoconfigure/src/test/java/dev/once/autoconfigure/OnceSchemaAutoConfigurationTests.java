package dev.once.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.once.jdbc.LedgerConnections;
import dev.once.jdbc.LedgerUnusableException;
import dev.once.jdbc.OnceTables;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import liquibase.integration.spring.SpringLiquibase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

@ExtendWith(OutputCaptureExtension.class)
class OnceSchemaAutoConfigurationTests {

	private static final String OF_APPLICATION = "select count(*) from of_the_application";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
				DataSourceInitializationAutoConfiguration.class, OnceSchemaAutoConfiguration.class));

	private TestDatabase database = TestDatabases.h2();

	static Stream<TestDatabase> databases() {
		return Stream.of(TestDatabases.h2(), TestDatabases.postgresql());
	}

	@AfterEach
	void closeDatabase() {
		this.database.close();
	}

	private ApplicationContextRunner on(TestDatabase database) {
		this.database.close();
		this.database = database;
		return this.runner.withPropertyValues("spring.datasource.url=" + database.url(),
				"spring.datasource.username=" + database.username(),
				"spring.datasource.password=" + database.password());
	}

	@ParameterizedTest
	@MethodSource("databases")
	void makesTheTablesAsTheApplicationStarts(TestDatabase database) {
		on(database).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(count(context, "select count(*) from once_effect_ledger")).isZero();
			assertThat(count(context, "select count(*) from once_job_lease")).isZero();
			assertThat(context).hasSingleBean(DataSource.class).doesNotHaveBean(SpringLiquibase.class);
		});
	}

	@Test
	void theLedgersConnectionsCloseBeforeTheApplicationsPool() {
		on(TestDatabases.h2()).run((context) -> {
			LedgerConnections connections = context.getBean(LedgerConnections.class);
			assertThat(context.getBeanFactory().getDependentBeans("dataSource")).contains("onceLedgerConnections");
			context.close();
			assertThat(connections.isClosed()).isTrue();
		});
	}

	@Test
	void whatDependsOnADatabaseDependsOnTheTables() {
		on(TestDatabases.h2()).run((context) -> {
			BeanDefinition template = context.getBeanFactory().getBeanDefinition("jdbcTemplate");
			assertThat(template.getDependsOn()).contains("onceSchemaInitializer");
		});
	}

	@Test
	void settingsAreTakenOver() {
		on(TestDatabases.h2())
			.withPropertyValues("once.jdbc.table-prefix=o_", "once.jdbc.schema=Ops", "once.jdbc.pool.size=2",
					"spring.sql.init.schema-locations=classpath:dev/once/autoconfigure/flyway/V1__make_schema.sql")
			.run((context) -> {
				assertThat(context.getBean(OnceTables.class)).isEqualTo(new OnceTables("Ops", "o_"));
				assertThat(context.getBean(OnceJdbcProperties.class).getPool().getSize()).isEqualTo(2);
				assertThat(count(context, "select count(*) from \"Ops\".o_effect_ledger")).isZero();
			});
	}

	@ParameterizedTest
	@MethodSource("databases")
	void anApplicationWithLiquibaseIsNotDisturbed(TestDatabase database) {
		on(database).withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
			.withPropertyValues("spring.liquibase.change-log=classpath:dev/once/autoconfigure/liquibase.sql",
					"once.jdbc.schema=Ops")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(SpringLiquibase.class);
				assertThat(count(context, OF_APPLICATION)).isZero();
				assertThat(count(context, "select count(*) from databasechangelog")).isEqualTo(2);
				assertThat(count(context, "select count(*) from \"Ops\".once_effect_ledger")).isZero();
				assertThat(count(context, "select count(*) from \"Ops\".once_changelog")).isEqualTo(16);
			});
		on(database).withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
			.withPropertyValues("spring.liquibase.change-log=classpath:dev/once/autoconfigure/liquibase.sql",
					"once.jdbc.schema=Ops", "once.jdbc.initialize-schema=validate")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@MethodSource("databases")
	void aLiquibaseBeanOfTheApplicationsOwnIsNotDisturbed(TestDatabase database) {
		on(database).withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
			.withUserConfiguration(OwnLiquibase.class)
			.withPropertyValues("once.jdbc.schema=Ops")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(SpringLiquibase.class);
				assertThat(count(context, OF_APPLICATION)).isZero();
				assertThat(count(context, "select count(*) from of_its_own")).isEqualTo(2);
				assertThat(count(context, "select count(*) from \"Ops\".once_changelog")).isEqualTo(16);
			});
	}

	@Test
	void anApplicationThatSwitchesItsLiquibaseOffGetsTheTables() {
		on(TestDatabases.h2()).withConfiguration(AutoConfigurations.of(LiquibaseAutoConfiguration.class))
			.withPropertyValues("spring.liquibase.enabled=false")
			.run((context) -> assertThat(count(context, "select count(*) from once_effect_ledger")).isZero());
	}

	@ParameterizedTest
	@MethodSource("databases")
	void anApplicationWithFlywayIsNotDisturbed(TestDatabase database) {
		for (String mode : List.of("always", "validate")) {
			on(database).withConfiguration(AutoConfigurations.of(FlywayAutoConfiguration.class))
				.withPropertyValues("spring.flyway.locations=classpath:dev/once/autoconfigure/flyway",
						"once.jdbc.schema=Ops", "once.jdbc.initialize-schema=" + mode)
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertThat(count(context, OF_APPLICATION)).isZero();
					assertThat(count(context, "select count(*) from \"flyway_schema_history\" where \"version\" = '1'"))
						.isOne();
					assertThat(count(context, "select count(*) from \"Ops\".once_effect_ledger")).isZero();
				});
		}
	}

	@Test
	void validateStopsTheStartWithWhatIsMissing() {
		on(TestDatabases.h2()).withPropertyValues("once.jdbc.initialize-schema=validate").run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new LedgerUnusableFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("table once_job_lease is missing")
				.contains("dev/once/jdbc/schema-h2.sql")
				.contains("once.jdbc.initialize-schema");
		});
	}

	@Test
	void neverStartsWithoutTables() {
		on(TestDatabases.h2()).withPropertyValues("once.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "x; drop table y--", "a-b", "a23456789012345678901234567890123456789012345678901234567890" })
	void aBadPrefixStopsTheStartAndReachesNoStatement(String prefix) {
		on(TestDatabases.h2()).withPropertyValues("once.jdbc.table-prefix=" + prefix).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("once.jdbc.table-prefix is '" + prefix + "'")
				.hasMessageContaining("[a-z][a-z0-9_]{0,29}");
		});
		assertThat(this.database.jdbc()
			.sql("select count(*) from information_schema.tables where table_schema = current_schema")
			.query(Integer.class)
			.single()).isZero();
	}

	@Test
	void aDatabaseThatCannotHoldTheLedgerStopsTheStart() {
		this.runner.withPropertyValues("spring.datasource.url=jdbc:h2:mem:slow;WRITE_DELAY=500").run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("WRITE_DELAY=500 in its URL");
			assertThat(context.getStartupFailure()).hasCauseInstanceOf(Exception.class)
				.hasStackTraceContaining(LedgerUnusableException.class.getName());
		});
	}

	@Test
	void aUsersOwnBeansAreUsed() {
		LedgerConnections connections = LedgerConnections.of(this.database.dataSource(), 1);
		this.runner.withBean("mine", LedgerConnections.class, () -> connections)
			.withBean("tables", OnceTables.class, () -> new OnceTables(null, "mine_"))
			.withBean(DataSource.class, () -> mock(DataSource.class))
			.run((context) -> {
				assertThat(context).hasSingleBean(LedgerConnections.class).hasSingleBean(OnceTables.class);
				assertThat(
						this.database.jdbc().sql("select count(*) from mine_job_lease").query(Integer.class).single())
					.isZero();
			});
	}

	@Test
	void withoutADataSourceNothingIsDone() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(LedgerConnections.class));
	}

	@Test
	void nothingButTheTablesAndTheConnectionsIsTold(CapturedOutput output) {
		on(TestDatabases.h2()).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output.getOut().lines().filter((line) -> line.contains("INFO") || line.contains("WARN")))
			.satisfiesExactlyInAnyOrder((line) -> assertThat(line).contains("Once completed its tables"),
					(line) -> assertThat(line)
						.contains("Once keeps its ledger in H2, data source 'dataSource', and needs"
								+ " up to 5 connections of its own"),
					(line) -> assertThat(line).contains("The ledger is in an H2 database in memory"));
	}

	@Test
	void aNativeImageHasTheChangelogAndThePlainSql() {
		RuntimeHints hints = new RuntimeHints();
		new OnceSchemaRuntimeHints().registerHints(hints, null);
		for (String resource : List.of("changelog/once.sql", "schema-h2.sql", "schema-postgresql.sql")) {
			assertThat(RuntimeHintsPredicates.resource().forResource("dev/once/jdbc/" + resource)).accepts(hints);
			assertThat(getClass().getResource("/dev/once/jdbc/" + resource)).isNotNull();
		}
	}

	private static int count(AssertableApplicationContext context, String sql) {
		return context.getBean(JdbcTemplate.class).queryForObject(sql, Integer.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnLiquibase {

		@Bean
		SpringLiquibase liquibase(DataSource dataSource) {
			SpringLiquibase liquibase = new SpringLiquibase();
			liquibase.setDataSource(dataSource);
			liquibase.setChangeLog("classpath:dev/once/autoconfigure/liquibase.sql");
			liquibase.setDatabaseChangeLogTable("of_its_own");
			return liquibase;
		}

	}

}
