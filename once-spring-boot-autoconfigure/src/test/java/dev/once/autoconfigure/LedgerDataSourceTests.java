package dev.once.autoconfigure;

import java.util.List;

import javax.sql.DataSource;

import dev.once.EffectTarget;
import dev.once.OnceDataSource;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.ledger.LedgerHealth;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.GenericBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Case 43 (a) to (c): among several data sources all of Once uses the one that was
 * chosen, and the start stops where none was.
 */
@ExtendWith(OutputCaptureExtension.class)
class LedgerDataSourceTests {

	private static final TestDatabase ORDERS = TestDatabases.h2();

	private static final TestDatabase REPORTS = TestDatabases.h2();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
				OnceAutoConfiguration.class))
		.withBean(Work.class);

	@BeforeAll
	static void openPoolsToLookWith() {
		ORDERS.dataSource();
		REPORTS.dataSource();
	}

	@AfterAll
	static void close() {
		ORDERS.close();
		REPORTS.close();
	}

	@AfterEach
	void dropTables() {
		for (TestDatabase database : List.of(ORDERS, REPORTS)) {
			database.jdbc().sql("drop all objects").update();
		}
	}

	@Test
	void severalWithoutAChoiceStopTheStartAndAreNamed() {
		this.runner.withUserConfiguration(TwoDataSources.class)
			.run((context) -> assertThat(whyNot(context))
				.isEqualTo("Once keeps its ledger in one database, and the application has 2 DataSources that it could"
						+ " be (orders, reports). Put @OnceDataSource (dev.once.OnceDataSource) on the @Bean method of"
						+ " the one to use, or make it @Primary"));
	}

	@Test
	void aMarkedOneGoesBeforeThePrimaryOne(CapturedOutput output) {
		this.runner.withUserConfiguration(MarkedBesidePrimary.class).run((context) -> {
			assertThatTheLedgerIsIn(ORDERS, context);
			assertThat(context.getBean(DataSource.class)).isSameAs(context.getBean("reports"));
			assertThat(context.getBeanFactory().getDependentBeans("orders")).contains("onceLedgerConnections");
		});
		assertThat(output).contains("Once keeps its ledger in H2, data source 'orders' (marked among 2), and needs up");
	}

	@Test
	void thePrimaryOneIsUsedWhereNoneIsMarkedAndTheStartSaysSo(CapturedOutput output) {
		this.runner.withUserConfiguration(PrimaryOnly.class).run((context) -> assertThatTheLedgerIsIn(ORDERS, context));
		assertThat(output)
			.contains("data source 'orders' (primary among 2; @OnceDataSource would choose another of:" + " reports)");
	}

	@Test
	void oneThatIsInjectedOnlyByItsQualifierCanBeMarked() {
		this.runner.withUserConfiguration(MarkedNonDefault.class)
			.run((context) -> assertThatTheLedgerIsIn(ORDERS, context));
	}

	@Test
	void oneThatIsInjectedOnlyByItsQualifierIsLeftAloneWhereItIsNotMarked() {
		this.runner.withUserConfiguration(NonDefaultBesideAnother.class)
			.run((context) -> assertThatTheLedgerIsIn(ORDERS, context));
	}

	@Test
	void twoThatAreMarkedStopTheStartAndAreNamed() {
		this.runner.withUserConfiguration(TwoMarked.class)
			.run((context) -> assertThat(whyNot(context))
				.isEqualTo("Once keeps its ledger in one database, and @OnceDataSource marks 2 DataSources"
						+ " (orders, reports): take it from all but one"));
	}

	@Test
	void aQualifierOfABeanDefinitionMarksToo() {
		this.runner.withUserConfiguration(PrimaryOnly.class)
			.withInitializer((context) -> register((GenericApplicationContext) context))
			.run((context) -> assertThatTheLedgerIsIn(REPORTS, context));
	}

	private static void register(GenericApplicationContext context) {
		GenericBeanDefinition definition = new GenericBeanDefinition();
		definition.setBeanClass(DataSource.class);
		definition.setInstanceSupplier(() -> REPORTS.newDataSource(2));
		definition.addQualifier(new AutowireCandidateQualifier(OnceDataSource.class));
		context.registerBeanDefinition("registered", definition);
	}

	@Test
	void aParentsDataSourceIsUsedWhereTheContextHasNone() {
		try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext(PrimaryOnly.class)) {
			this.runner.withParent(parent).run((context) -> assertThatTheLedgerIsIn(ORDERS, context));
		}
	}

	private void assertThatTheLedgerIsIn(TestDatabase database, AssertableApplicationContext context) {
		assertThat(context).hasNotFailed();
		context.getBean(Work.class).send("a");
		assertThat(context.getBean(LedgerHealth.class).obstacle()).isEmpty();
		assertThat(database.jdbc().sql("select count(*) from once_effect_ledger").query(Integer.class).single())
			.isOne();
		TestDatabase other = (database == ORDERS) ? REPORTS : ORDERS;
		assertThat(other.jdbc()
			.sql("select count(*) from information_schema.tables where table_name like 'ONCE%'")
			.query(Integer.class)
			.single()).isZero();
	}

	private static String whyNot(AssertableApplicationContext context) {
		assertThat(context).hasFailed();
		FailureAnalysis analysis = new LedgerUnusableFailureAnalyzer().analyze(context.getStartupFailure());
		assertThat(analysis).isNotNull();
		return analysis.getDescription();
	}

	static class Work {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String to) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDataSources {

		@Bean
		DataSource orders() {
			return ORDERS.newDataSource(2);
		}

		@Bean
		DataSource reports() {
			return REPORTS.newDataSource(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedBesidePrimary {

		@Bean
		@OnceDataSource
		DataSource orders() {
			return ORDERS.newDataSource(2);
		}

		@Bean
		@Primary
		DataSource reports() {
			return REPORTS.newDataSource(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryOnly {

		@Bean
		@Primary
		DataSource orders() {
			return ORDERS.newDataSource(2);
		}

		@Bean
		DataSource reports() {
			return REPORTS.newDataSource(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MarkedNonDefault {

		@Bean(defaultCandidate = false)
		@OnceDataSource
		DataSource orders() {
			return ORDERS.newDataSource(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NonDefaultBesideAnother {

		@Bean
		DataSource orders() {
			return ORDERS.newDataSource(2);
		}

		@Bean(defaultCandidate = false)
		DataSource reports() {
			return REPORTS.newDataSource(2);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoMarked {

		@Bean
		@OnceDataSource
		DataSource orders() {
			return ORDERS.newDataSource(2);
		}

		@Bean
		@Primary
		@OnceDataSource
		DataSource reports() {
			return REPORTS.newDataSource(2);
		}

	}

}
