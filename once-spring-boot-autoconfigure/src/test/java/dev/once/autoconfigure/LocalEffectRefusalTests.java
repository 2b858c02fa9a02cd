package dev.once.autoconfigure;

import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import dev.once.Boundary;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceDataSource;
import dev.once.OnceEffect;
import dev.once.OnceException;
import dev.once.OnceOperations;
import dev.once.OnceResolver;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * T1: what cannot hold stops the start, naming method, beans and mend.
 */
@ExtendWith(OutputCaptureExtension.class)
class LocalEffectRefusalTests {

	private static final TestDatabase ledger = TestDatabases.h2();

	private static final TestDatabase other = TestDatabases.h2();

	private final ApplicationContextRunner contexts = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
				TransactionAutoConfiguration.class, OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class));

	private final ApplicationContextRunner oneDatabase = this.contexts.withBean("dataSource", DataSource.class,
			() -> ledger.newDataSource(4));

	@BeforeAll
	static void openPoolsThatNoContextCloses() {
		ledger.dataSource();
		other.dataSource();
	}

	@AfterAll
	static void close() {
		ledger.close();
		other.close();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			RequiresNew      | (propagation = REQUIRES_NEW)   | Use REQUIRED, MANDATORY or NESTED
			NotSupported     | (propagation = NOT_SUPPORTED)  | Use REQUIRED, MANDATORY or NESTED
			Never            | (propagation = NEVER)          | Use REQUIRED, MANDATORY or NESTED
			Supports         | (propagation = SUPPORTS)       | Use REQUIRED, MANDATORY or NESTED
			ReadOnly         | (readOnly = true)              | Take readOnly = true away
			NoRollback       | (noRollbackFor)                | Take noRollbackFor away
			Later            | it answers later               | Return the answer itself
			Resolved         | has a resolver                 | Remove the @OnceResolver
			AskingFirst      | it asks first                  | Drop askFirst
			NamingAFarSide   | names far side 'bank'          | Drop farSide
			OtherManager     | transaction manager 'nobody'   | Name a transaction manager
			TwoBoundaries    | with other terms too           | Give both the same far side
			""")
	void whatCannotBeOneTransactionStopsTheStart(String bean, String what, String mend) throws Exception {
		Class<?> type = Class.forName(getClass().getName() + "$" + bean);
		this.oneDatabase.withBean("local", type)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("bean 'local'")
				.hasMessageContaining(what)
				.hasMessageContaining(mend));
	}

	@Test
	void theTableSaysThatATransactionStopsTheSecondOne(CapturedOutput output) {
		this.oneDatabase.withBean("local", Local.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output.getAll().lines().filter((line) -> line.contains("local.book(String)"))).singleElement()
				.asString()
				.containsSubsequence("book", "database", "transaction");
		});
	}

	@Test
	void withoutATransactionManagerTheApplicationDoesNotStart() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> ledger.newDataSource(4))
			.withBean("local", Undeclared.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("Undeclared.book(String) of bean 'local'")
				.hasMessageContaining("has no transaction manager")
				.hasMessageContaining("JdbcTransactionManager")
				.hasMessageContaining("data source 'dataSource'"));
	}

	@Test
	void anotherDatabasesTransactionManagerStopsTheStart() {
		this.contexts.withUserConfiguration(TwoDatabases.class)
			.withBean("local", Local.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("transaction manager 'othersTransactions' works on data source 'others'")
				.hasMessageContaining("the ledger is in data source 'ledgers'")
				.hasMessageContaining("Name a transaction manager of the ledger's data source"));
	}

	@Test
	void theMethodsQualifierChoosesAndAMethodWithoutTransactionalFindsTheLedgers() {
		this.contexts.withUserConfiguration(TwoDatabases.class)
			.withBean("qualified", QualifiedMethod.class)
			.withBean("undeclared", Undeclared.class)
			.withBean("qualifiedType", QualifiedType.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(QualifiedMethod.class).book("qualified")).isEqualTo("qualified");
				assertThat(context.getBean(Undeclared.class).book("undeclared")).isEqualTo("undeclared");
				assertThat(context.getBean(QualifiedType.class).book("type")).isEqualTo("type");
				// in the other database's transaction it is committed by itself
				new TransactionTemplate(context.getBean("othersTransactions", PlatformTransactionManager.class))
					.executeWithoutResult((status) -> {
						context.getBean(QualifiedMethod.class).book("inside");
						status.setRollbackOnly();
					});
				assertThat(ledger.jdbc()
					.sql("select target from once_effect_ledger where state = 'done' order by target")
					.query(String.class)
					.list()).contains("inside", "qualified", "type", "undeclared");
			});
	}

	@Test
	void aManagerWithoutJdbcStopsTheStartAndOneThatBindsTheConnectionDoesNot() {
		this.oneDatabase.withBean("broker", PlatformTransactionManager.class, BoundTransactions::new)
			.withBean("local", Local.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("transaction manager 'broker' (BoundTransactions) has no transactions on the "
						+ "ledger's data source 'dataSource'"));
		this.contexts
			.withBean("dataSource", DataSource.class, () -> new LazyConnectionDataSourceProxy(ledger.newDataSource(4)))
			.withBean("local", Local.class)
			.run((context) -> assertThat(context.getBean(Local.class).book("lazy")).isEqualTo("lazy"));
	}

	@Test
	void aManagerThatCallsNoSynchronizationsStopsTheStart() {
		this.oneDatabase.withBean("silent", PlatformTransactionManager.class, () -> {
			JdbcTransactionManager silent = new JdbcTransactionManager(ledger.dataSource());
			silent.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
			return silent;
		})
			.withBean("local", Local.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessageContaining("transaction manager 'silent' calls no synchronizations")
				.hasMessageContaining("SYNCHRONIZATION_ALWAYS"));
	}

	@Test
	void aCallOfOnceOperationsIsHeldToTheSame() {
		this.oneDatabase.withBean("external", External.class).run((context) -> {
			OnceOperations once = context.getBean(OnceOperations.class);
			assertThatExceptionOfType(OnceException.class)
				.isThrownBy(() -> once.effect("transfer").target("a").boundary(Boundary.DATABASE).perform((effect) -> {
				}))
				.withMessageContaining("boundary = EXTERNAL");
			assertThatExceptionOfType(OnceException.class).isThrownBy(() -> once.effect("other")
				.target("a")
				.farSide("bank")
				.boundary(Boundary.DATABASE)
				.perform((effect) -> {
				})).withMessageContaining("names far side 'bank'");
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoDatabases {

		@Bean
		@OnceDataSource
		DataSource ledgers() {
			return ledger.newDataSource(4);
		}

		@Bean
		DataSource others() {
			return other.newDataSource(4);
		}

		@Bean
		PlatformTransactionManager ledgersTransactions(@Qualifier("ledgers") DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

		@Bean
		@Primary
		PlatformTransactionManager othersTransactions(@Qualifier("others") DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

	static class Local {

		@Transactional
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		String book(@EffectTarget String name) {
			return name;
		}

	}

	static class Undeclared {

		@OnceEffect(action = "undeclared", boundary = Boundary.DATABASE)
		String book(@EffectTarget String name) {
			return name;
		}

	}

	static class QualifiedMethod {

		@Transactional("ledgersTransactions")
		@OnceEffect(action = "qualified", boundary = Boundary.DATABASE)
		String book(@EffectTarget String name) {
			return name;
		}

	}

	@Qualifier("ledgersTransactions")
	static class QualifiedType {

		@Transactional
		@OnceEffect(action = "qualified-type", boundary = Boundary.DATABASE)
		String book(@EffectTarget String name) {
			return name;
		}

	}

	static class RequiresNew {

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	static class NotSupported {

		@Transactional(propagation = Propagation.NOT_SUPPORTED)
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	@Transactional(propagation = Propagation.NEVER)
	static class Never {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	static class Supports {

		@Transactional(propagation = Propagation.SUPPORTS)
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	@Transactional(readOnly = true)
	static class ReadOnly {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	static class NoRollback {

		@Transactional(noRollbackFor = IllegalStateException.class)
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	static class Later {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		CompletableFuture<String> book(@EffectTarget String name) {
			return CompletableFuture.completedFuture(name);
		}

	}

	static class Resolved {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

		@OnceResolver("book")
		Resolution<Void> find(UnresolvedEffect effect) {
			return Resolution.didNotHappen();
		}

	}

	static class AskingFirst {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE, askFirst = true)
		void book(@EffectTarget String name) {
		}

	}

	static class NamingAFarSide {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE, farSide = "bank")
		void book(@EffectTarget String name) {
		}

	}

	static class OtherManager {

		@Transactional("nobody")
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

	}

	@FarSide(name = "bank", remembers = "24h")
	static class TwoBoundaries {

		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		void book(@EffectTarget String name) {
		}

		@OnceEffect(action = "book")
		void send(@EffectTarget String name) {
		}

	}

	@FarSide(name = "bank", remembers = "24h")
	static class External {

		@OnceEffect(action = "transfer")
		void transfer(@EffectTarget String name) {
		}

	}

}
