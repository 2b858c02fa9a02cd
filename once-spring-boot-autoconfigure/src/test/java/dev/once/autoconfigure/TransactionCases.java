package dev.once.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceOperations;
import dev.once.Outcome;
import dev.once.Unobservable;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * External effects inside their callers' transactions: the effect's row is committed on
 * the ledger's own connections, and the caller's transaction stays whole.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class TransactionCases {

	private static final int CROWD = 20;

	private static final String WARNING = "is called inside a transaction";

	private final TestDatabase database = database();

	private final Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();

	private final ExecutorService threads = Executors.newFixedThreadPool(CROWD);

	abstract TestDatabase database();

	@BeforeAll
	void createCustomers() {
		this.database.jdbc().sql("create table customer (name varchar(100) primary key)").update();
	}

	@BeforeEach
	void forget() {
		this.sent.clear();
	}

	@AfterAll
	void close() {
		this.threads.shutdownNow();
		this.database.close();
	}

	/**
	 * Case 19: the mail went out, the transaction did not. Variants (a) to (d), with a
	 * pool of the ledger's own and with one that it shares with the application.
	 */
	@ParameterizedTest
	@EnumSource
	void theMailWentOutAndTheTransactionDidNot(Pool pool, CapturedOutput output) {
		run(pool, (context) -> {
			Registration registration = context.getBean(Registration.class);
			String name = "case-19-" + pool;
			// (a) rolled back twice
			for (int i = 0; i < 2; i++) {
				assertThatIllegalStateException().isThrownBy(() -> registration.failing(name));
				assertThat(customer(name)).isFalse();
			}
			assertThat(this.sent(name)).isOne();
			assertThat(state(name)).isEqualTo("done");
			// (b) retried around the transaction
			registration.retried(name + "-b", new AtomicInteger());
			assertThat(this.sent(name + "-b")).isOne();
			assertThat(customer(name + "-b")).isTrue();
			// (c) the effect's own transaction is rolled back, and then its caller's too
			context.getBean(Mails.class).rollingBack(name + "-c");
			context.getBean(Mails.class).rollingBack(name + "-c");
			assertThat(state(name + "-c")).isEqualTo("done");
			assertThat(this.sent(name + "-c")).isOne();
			assertThat(customer(name + "-c")).isFalse();
			// (d) after the commit
			registration.publishing(name + "-d");
			registration.hooking(name + "-d2");
			for (String published : List.of(name + "-d", name + "-d2")) {
				assertThat(this.sent(published)).isOne();
				assertThat(state(published)).isEqualTo("done");
				assertThat(customer(published)).isTrue();
			}
		});
		assertThat(warnings(output)).hasSize(2).allSatisfy((line) -> assertThat(line).contains("WARN", "'welcome'"));
		assertThat(warnings(output)).anySatisfy((line) -> assertThat(line).contains("Mails.welcome(String)",
				"Registration.failing", "boundary = Boundary.DATABASE", "A rollback cannot undo it"));
		assertThat(warnings(output)).anySatisfy((line) -> assertThat(line).contains("Registration.retried"));
		assertThat(output).doesNotContain(" ERROR ");
	}

	/**
	 * Case 23, first part: the same key twice inside one transaction, then an ordinary
	 * statement and the commit; whatever the transaction is like.
	 */
	@ParameterizedTest
	@EnumSource
	void aRepeatLeavesTheCallersTransactionUsable(Pool pool, CapturedOutput output) {
		run(pool, (context) -> {
			Registration registration = context.getBean(Registration.class);
			Map<String, Consumer<String>> callers = Map.of("default", registration::twice, "repeatable-read",
					registration::twiceInRepeatableRead, "serializable", registration::twiceInSerializable, "nested",
					registration::twiceInNested);
			callers.forEach((kind, caller) -> {
				String name = "case-23-" + kind + "-" + pool;
				caller.accept(name);
				assertThat(this.sent(name)).isOne();
				assertThat(state(name)).isEqualTo("done");
				assertThat(customer(name)).isTrue();
			});
			String name = "case-23-read-only-" + pool;
			assertThat(registration.twiceInReadOnly(name)).isNotNegative();
			assertThat(this.sent(name)).isOne();
			assertThat(state(name)).isEqualTo("done");
		});
		assertThat(output).doesNotContain(" ERROR ");
	}

	/**
	 * Case 23, second part: SERIALIZABLE as the pool's default, and 20 callers with one
	 * key, without a transaction and inside one.
	 */
	@ParameterizedTest
	@EnumSource
	void aCrowdWithOneKeyMeetsNoSerializationFailure(Pool pool, CapturedOutput output) {
		run(pool, "TRANSACTION_SERIALIZABLE", (context) -> {
			Mails mails = context.getBean(Mails.class);
			Registration registration = context.getBean(Registration.class);
			for (int round = 0; round < 24; round++) {
				String name = "crowd-" + pool + "-" + round;
				boolean inside = round % 4 == 0;
				List<Outcome<Void>> outcomes = together(
						() -> inside ? registration.looking(name) : mails.outcome(name));
				assertThat(this.sent(name)).as(name).isOne();
				assertThat(outcomes).as(name)
					.allMatch((outcome) -> outcome instanceof Outcome.Done || outcome instanceof Outcome.InProgress)
					.filteredOn((outcome) -> outcome instanceof Outcome.Done<Void> done && !done.repeated())
					.hasSize(1);
				assertThat(mails.outcome(name)).isInstanceOfSatisfying(Outcome.Done.class,
						(done) -> assertThat(done.repeated()).isTrue());
			}
		});
		assertThat(output).doesNotContain(" ERROR ");
	}

	/** Without annotations it is the same. */
	@Test
	void aCallOfOnceOperationsIsWarnedOfToo(CapturedOutput output) {
		run(Pool.OWN, (context) -> {
			Registration registration = context.getBean(Registration.class);
			for (int i = 0; i < 2; i++) {
				assertThatIllegalStateException()
					.isThrownBy(() -> registration.withOperations(context.getBean(OnceOperations.class)));
			}
			assertThat(this.sent("operations")).isOne();
		});
		assertThat(warnings(output)).singleElement().asString().contains("'described'", "OnceOperations");
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.getAll().lines().filter((line) -> line.contains(WARNING)).toList();
	}

	private <T> List<T> together(Call<T> call) {
		CyclicBarrier start = new CyclicBarrier(CROWD);
		List<Future<T>> calls = new ArrayList<>();
		for (int i = 0; i < CROWD; i++) {
			calls.add(this.threads.submit(() -> {
				start.await();
				return call.make();
			}));
		}
		return calls.stream().map(TransactionCases::answer).toList();
	}

	private static <T> T answer(Future<T> call) {
		try {
			return call.get(60, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	private int sent(String target) {
		AtomicInteger count = this.sent.get(target);
		return (count != null) ? count.get() : 0;
	}

	private boolean customer(String name) {
		return this.database.jdbc()
			.sql("select count(*) from customer where name = ?")
			.param(name)
			.query(Integer.class)
			.single() == 1;
	}

	private String state(String target) {
		return this.database.jdbc()
			.sql("select state from once_effect_ledger where target = ?")
			.param(target)
			.query(String.class)
			.single();
	}

	private void run(Pool pool, Consumer<ConfigurableApplicationContext> application) {
		run(pool, "TRANSACTION_READ_COMMITTED", application);
	}

	private void run(Pool pool, String isolation, Consumer<ConfigurableApplicationContext> application) {
		DataSource dataSource = pool.of(this.database, (config) -> config.setTransactionIsolation(isolation));
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class,
					JdbcTemplateAutoConfiguration.class, JdbcClientAutoConfiguration.class,
					TransactionAutoConfiguration.class, OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> dataSource)
			.withBean("sent", Sent.class,
					() -> (target) -> this.sent.computeIfAbsent(target, (name) -> new AtomicInteger())
						.incrementAndGet())
			.withUserConfiguration(Application.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				application.accept(context);
			});
	}

	/**
	 * Whose connections the ledger uses.
	 */
	enum Pool {

		/** A pool of its own beside the application's. */
		OWN {

			@Override
			DataSource of(TestDatabase database, Consumer<HikariConfig> settings) {
				return pool(database, settings);
			}

		},

		/** The application's, from a data source that cannot be copied. */
		BORROWED {

			@Override
			DataSource of(TestDatabase database, Consumer<HikariConfig> settings) {
				HikariDataSource behind = pool(database, settings);
				return new AbstractDataSource() {

					@Override
					public Connection getConnection() throws SQLException {
						return behind.getConnection();
					}

					@Override
					public Connection getConnection(String username, String password) throws SQLException {
						return behind.getConnection(username, password);
					}

				};
			}

		};

		abstract DataSource of(TestDatabase database, Consumer<HikariConfig> settings);

		private static HikariDataSource pool(TestDatabase database, Consumer<HikariConfig> settings) {
			return database.newDataSource((config) -> {
				config.setMaximumPoolSize(CROWD + 5);
				settings.accept(config);
			});
		}

	}

	/**
	 * A far side.
	 */
	interface Sent {

		void send(String target);

	}

	@FunctionalInterface
	interface Call<T> {

		T make() throws Exception;

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods
	@Import({ Registration.class, Mails.class, Listener.class })
	static class Application {

	}

	static class Mails {

		private final Sent sent;

		private final JdbcClient jdbc;

		Mails(Sent sent, JdbcClient jdbc) {
			this.sent = sent;
			this.jdbc = jdbc;
		}

		@OnceEffect(action = "welcome", unobservable = Unobservable.ACCEPTED)
		void welcome(@EffectTarget String name) {
			this.sent.send(name);
		}

		@OnceEffect(action = "crowd", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> outcome(@EffectTarget String name) {
			this.sent.send(name);
			return Outcome.done(null);
		}

		@Transactional
		@OnceEffect(action = "transactional", unobservable = Unobservable.ACCEPTED)
		void rollingBack(@EffectTarget String name) {
			this.jdbc.sql("insert into customer values (?)").param(name).update();
			this.sent.send(name);
			TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
		}

	}

	static class Listener {

		private final Mails mails;

		Listener(Mails mails) {
			this.mails = mails;
		}

		@TransactionalEventListener
		void registered(Registered event) {
			this.mails.welcome(event.name());
		}

	}

	record Registered(String name) {

	}

	static class Registration {

		private final Mails mails;

		private final JdbcClient jdbc;

		private final Sent sent;

		private final ApplicationEventPublisher events;

		Registration(Mails mails, JdbcClient jdbc, Sent sent, ApplicationEventPublisher events) {
			this.mails = mails;
			this.jdbc = jdbc;
			this.sent = sent;
			this.events = events;
		}

		@Transactional
		public void failing(String name) {
			insert(name);
			this.mails.welcome(name);
			throw new IllegalStateException("after the mail");
		}

		@Retryable(maxRetries = 2, delay = 0)
		@Transactional
		public void retried(String name, AtomicInteger attempts) {
			insert(name);
			this.mails.welcome(name);
			if (attempts.incrementAndGet() < 3) {
				throw new IllegalStateException("after the mail");
			}
		}

		@Transactional
		public void publishing(String name) {
			insert(name);
			this.events.publishEvent(new Registered(name));
		}

		@Transactional
		public void hooking(String name) {
			insert(name);
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					Registration.this.mails.welcome(name);
				}

			});
		}

		@Transactional
		public void twice(String name) {
			insert(name);
			this.mails.welcome(name);
			this.mails.welcome(name);
			count();
		}

		@Transactional(isolation = Isolation.REPEATABLE_READ)
		public void twiceInRepeatableRead(String name) {
			twice(name);
		}

		@Transactional(isolation = Isolation.SERIALIZABLE)
		public void twiceInSerializable(String name) {
			twice(name);
		}

		@Transactional(propagation = Propagation.NESTED)
		public void twiceInNested(String name) {
			twice(name);
		}

		@Transactional(readOnly = true)
		public int twiceInReadOnly(String name) {
			this.mails.welcome(name);
			this.mails.welcome(name);
			return count();
		}

		@Transactional
		public Outcome<Void> looking(String name) {
			Outcome<Void> outcome = this.mails.outcome(name);
			count();
			return outcome;
		}

		@Transactional
		public void withOperations(OnceOperations once) {
			once.effect("described")
				.target("operations")
				.unobservable(Unobservable.ACCEPTED)
				.perform((effect) -> this.sent.send("operations"));
			throw new IllegalStateException("after the effect");
		}

		private void insert(String name) {
			this.jdbc.sql("insert into customer values (?)").param(name).update();
		}

		private int count() {
			return this.jdbc.sql("select count(*) from customer").query(Integer.class).single();
		}

	}

}
