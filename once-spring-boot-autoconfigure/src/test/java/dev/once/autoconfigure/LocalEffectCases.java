package dev.once.autoconfigure;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.AnswerUnreadableException;
import dev.once.Boundary;
import dev.once.Effect;
import dev.once.EffectRefusedException;
import dev.once.EffectTarget;
import dev.once.EffectUnresolvedException;
import dev.once.OnceEffect;
import dev.once.OnceException;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceScope;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.RunFencedException;
import dev.once.SecondRequestException;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener;
import dev.once.ledger.Ending;
import dev.once.test.CountingDataSource;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * T1: an effect in the ledger's own database and its row are both there or neither is,
 * whoever commits. The application's pool has auto-commit off.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LocalEffectCases {

	private static final int CROWD = 8;

	private static final Runnable NOTHING = () -> {
	};

	private final TestDatabase database = database();

	private final ExecutorService threads = Executors.newFixedThreadPool(CROWD);

	private CountingDataSource counting;

	private ConfigurableApplicationContext context;

	private Accounts accounts;

	private Callers callers;

	private JdbcClient rows;

	private Told told;

	abstract TestDatabase database();

	@BeforeAll
	void start() {
		this.rows = this.database.jdbc();
		this.rows.sql("create table booking (name varchar(100) not null)").update();
		this.counting = new CountingDataSource(
				new DriverManagerDataSource(this.database.url(), this.database.username(), this.database.password()));
		HikariDataSource application = this.database.newDataSource((config) -> {
			config.setJdbcUrl(null);
			config.setDataSource(this.counting);
			config.setAutoCommit(false);
			// it would leave a transaction open, in which no isolation can be set
			config.setConnectionInitSql(null);
		});
		this.context = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(org.springframework.boot.Banner.Mode.OFF)
			.properties("once.ledger.max-value=10000")
			.initializers((context) -> ((GenericApplicationContext) context).registerBean("dataSource",
					HikariDataSource.class, () -> application))
			.run();
		this.accounts = this.context.getBean(Accounts.class);
		this.callers = this.context.getBean(Callers.class);
		this.told = this.context.getBean(Told.class);
	}

	@BeforeEach
	void forget() {
		this.told.endings.clear();
	}

	@AfterAll
	void close() {
		this.threads.shutdownNow();
		this.context.close();
		this.database.close();
	}

	@Test
	void workAndRowAreCommittedTogetherAndARepeatGetsTheAnswer() {
		assertThat(this.accounts.book("own", () -> assertNothing("own"))).isEqualTo("booked own");
		assertOne("own");
		assertThat(this.accounts.book("own", NOTHING)).isEqualTo("booked own");
		assertOne("own");
		assertThat(this.callers.twice("joined", () -> assertNothing("joined"))).isEqualTo("booked joined");
		assertOne("joined");
		assertThat(this.told.endings).containsExactly("own PERFORMED", "own DUPLICATE", "joined DUPLICATE",
				"joined PERFORMED");
	}

	@Test
	void aRolledBackCallerLeavesNoRowAndARepeatDoesTheWork() {
		assertThatIllegalStateException().isThrownBy(() -> this.callers.failingAfter("caller"));
		assertNothing("caller");
		this.callers.twice("caller", NOTHING);
		assertOne("caller");
		assertThat(this.told.endings).containsExactly("caller NOT_SENT", "caller DUPLICATE", "caller PERFORMED");
	}

	/** Two statements of the ledger besides the fence's, a repeat one. */
	@Test
	void aFirstCallIsTwoStatementsAndOneForTheFenceAndARepeatIsOne() throws Throwable {
		this.counting.forget();
		this.accounts.book("count", NOTHING);
		assertThat(ledgerStatements()).hasSize(2);
		assertThat(this.counting.record()).last().isEqualTo("commit");
		assertThat(this.counting.record()).filteredOn("commit"::equals).hasSize(1);
		this.counting.forget();
		this.accounts.book("count", NOTHING);
		assertThat(ledgerStatements()).hasSize(1);
		this.callers.inJob(() -> {
			this.counting.forget();
			this.callers.twice("count-job", NOTHING);
			List<String> statements = ledgerStatements();
			assertThat(statements).hasSize(4);
			// the last statement before the commit
			assertThat(statements.get(3)).contains("once_job_lease");
			int commit = this.counting.record().lastIndexOf("commit");
			assertThat(this.counting.record().get(commit - 1)).contains("once_job_lease");
		});
	}

	private List<String> ledgerStatements() {
		return this.counting.record().stream().filter((text) -> text.contains("once_")).toList();
	}

	/** I3: red when the fence is checked before the body. */
	@Test
	void aTakeoverBetweenInsertAndCommitIsFencedAndNothingIsCommitted() {
		for (Call call : List.<Call>of((during) -> this.accounts.book("fenced", during),
				(during) -> this.callers.twice("fenced", during))) {
			assertThatExceptionOfType(RunFencedException.class)
				.isThrownBy(() -> this.callers.inJob(() -> call.make(this::takeOver)));
			assertNothing("fenced");
			assertThat(this.told.endings).contains("fenced FENCED").doesNotContain("fenced PERFORMED");
		}
	}

	/**
	 * Spring's synchronizations are the inner transaction's then, and are not called at
	 * its rollback, while the outer one is committed.
	 */
	@Test
	void theFenceIsCheckedAroundAnotherManagersTransactionToo() {
		TransactionTemplate others = new TransactionTemplate(
				this.context.getBean("otherTransactionManager", PlatformTransactionManager.class));
		TransactionTemplate caller = new TransactionTemplate(transactionManager());
		assertThatExceptionOfType(RunFencedException.class).isThrownBy(() -> this.callers
			.inJob(() -> caller.executeWithoutResult((outer) -> others.executeWithoutResult((inner) -> {
				inner.setRollbackOnly();
				this.accounts.book("other", this::takeOver);
			}))));
		assertNothing("other");
	}

	private void takeOver() {
		try (Connection connection = this.database.dataSource().getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute(this.database.isPostgresql() ? "set lock_timeout = '2s'" : "set lock_timeout 2000");
			assertThat(statement.executeUpdate("update once_job_lease set fencing_token = fencing_token + 1,"
					+ " owner = 'another', run_id = 'another', lease_until = current_timestamp where job_key = 'booking'"))
				.isOne();
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The takeover had to wait", ex);
		}
	}

	/** L4: and in REPEATABLE READ, where the renewal is after the snapshot. */
	@ParameterizedTest
	@EnumSource(names = { "DEFAULT", "REPEATABLE_READ" })
	void renewalsComeThroughBesideALongTransaction(Isolation isolation) throws Throwable {
		TransactionTemplate caller = new TransactionTemplate(transactionManager());
		caller.setIsolationLevel(isolation.value());
		String name = "long-" + isolation;
		this.callers.inJob(() -> caller.execute((status) -> {
			this.context.getBean(JdbcClient.class).sql("select count(*) from booking").query(Integer.class).single();
			this.accounts.book(name, NOTHING);
			await().atMost(30, TimeUnit.SECONDS).until(this::isRenewed);
			return null;
		}));
		assertOne(name);
	}

	/** L4: where the fence locks the lease row, too (H2). */
	@Test
	void renewalsComeThroughBesideManyLocalEffectsOfTheirJob() throws Exception {
		AtomicBoolean ended = new AtomicBoolean();
		AtomicInteger number = new AtomicInteger();
		this.callers.inJob(() -> {
			OnceScope run = OnceScope.current();
			List<Future<?>> busy = new ArrayList<>();
			for (int i = 0; i < CROWD; i++) {
				busy.add(this.threads.submit(() -> {
					try (OnceScope.Restore scope = run.open()) {
						while (!ended.get()) {
							this.accounts.book("busy-" + number.incrementAndGet(), NOTHING);
						}
					}
					return null;
				}));
			}
			try {
				await().atMost(30, TimeUnit.SECONDS).until(this::isRenewed);
			}
			finally {
				ended.set(true);
			}
			for (Future<?> one : busy) {
				one.get(30, TimeUnit.SECONDS);
			}
		});
	}

	private boolean isRenewed() {
		return this.rows.sql("select count(*) from once_job_lease where job_key = 'booking' and renewed_at is not null")
			.query(Integer.class)
			.single() == 1;
	}

	@Test
	void whatABodyThrowsGoesToTheCallerAndTakesRowAndWorkAlong() {
		assertThatIllegalStateException().isThrownBy(() -> this.accounts.book("throws", this::fail));
		assertNothing("throws");
		assertThatExceptionOfType(java.io.IOException.class).isThrownBy(() -> this.accounts.checked("checked"));
		assertNothing("checked");
		assertThat(this.accounts.outcome("outcome", Outcome.done("booked"))).isInstanceOf(Outcome.Done.class);
		assertOne("outcome");
		assertThat(this.accounts.outcome("not-sent", new Outcome.NotSent<>("x", null)))
			.isInstanceOf(Outcome.NotSent.class);
		assertNothing("not-sent");
		assertThatExceptionOfType(dev.once.EffectNotSentException.class)
			.isThrownBy(() -> this.accounts.book("marked", this::markRollbackOnly));
		assertNothing("marked");
		assertThat(this.accounts.book("throws", NOTHING)).isEqualTo("booked throws");
		assertOne("throws");
	}

	/** Whatever the rules say: a part of the work without its row. */
	@Test
	void aCallerThatSwallowsAFailureCannotCommitAPartOfTheWork() {
		assertThatExceptionOfType(UnexpectedRollbackException.class)
			.isThrownBy(() -> this.callers.swallowing(() -> this.accounts.checked("swallowed")));
		assertNothing("swallowed");
		this.callers.swallowing(() -> this.accounts.nested("nested", this::fail));
		assertNothing("nested");
		assertThat(bookings("caller of swallowed")).isOne();
		assertThat(this.told.endings).containsExactly("swallowed NOT_SENT", "nested NOT_SENT");
	}

	/** O6: it leaves no row by which anybody would learn that it never succeeds. */
	@Test
	void aJobWhoseLocalEffectThrowsUsesUpItsAttempts() {
		assertThatIllegalStateException().isThrownBy(
				() -> this.context.getBean(OnceOperations.class).at(java.time.Instant.EPOCH, this.callers::poisoned));
		assertThat(this.rows.sql("select state from once_occurrence where job_key = 'poisoned'")
			.query(String.class)
			.single()).isEqualTo("abandoned");
	}

	@Test
	void anEffectGoesWithTheSavepointThatItsCallerRollsBackTo() {
		this.callers.swallowing(() -> {
			this.accounts.book("kept", NOTHING);
			this.callers.nestedFailingAfter("undone");
			return null;
		});
		assertNothing("undone");
		assertOne("kept");
		assertThat(this.told.endings).containsExactlyInAnyOrder("undone NOT_SENT", "kept PERFORMED");
	}

	@Test
	void ofManyCopiesAtOnceOneDoesTheWorkAndTheOthersGetItsAnswer() {
		for (int round = 0; round < 6; round++) {
			String name = "crowd-" + round;
			boolean joined = round % 2 == 0;
			List<String> answers = together(
					() -> joined ? this.callers.twice(name, NOTHING) : this.accounts.book(name, NOTHING));
			assertThat(answers).containsOnly("booked " + name).hasSize(CROWD);
			assertOne(name);
		}
	}

	/**
	 * The loser of a race gets the answer or the database's failure, on both databases.
	 */
	@ParameterizedTest
	@EnumSource(names = { "REPEATABLE_READ", "SERIALIZABLE" })
	void ofManyCopiesInStricterIsolationNoSecondOneIsDone(Isolation isolation) {
		TransactionTemplate caller = new TransactionTemplate(transactionManager());
		caller.setIsolationLevel(isolation.value());
		for (int round = 0; round < 6; round++) {
			String name = isolation + "-" + round;
			List<String> answers = together(() -> {
				try {
					return caller.execute((status) -> {
						bookings(name);
						return this.accounts.book(name, NOTHING);
					});
				}
				catch (ConcurrencyFailureException ex) {
					return "lost";
				}
			});
			assertThat(answers).isSubsetOf("booked " + name, "lost").contains("booked " + name);
			assertOne(name);
		}
	}

	@Test
	void aReadOnlyCallerIsRefusedBeforeAnythingIsDone() {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.callers.readOnly("read-only"))
			.withMessageContaining("Accounts.book(String, Runnable)")
			.withMessageContaining("Callers.readOnly")
			.withMessageContaining("readOnly = true");
		assertNothing("read-only");
	}

	/** Spring still calls a transaction active whose callbacks run after its commit. */
	@Test
	void afterTheCommitOfItsCallerAnEffectHasATransactionOfItsOwn() {
		this.callers.publishing("listener");
		this.callers.hooking("hook");
		assertOne("listener");
		assertOne("hook");
	}

	@Test
	void jdbcOnATransactionAwareProxyIsInTheSameTransaction() {
		DataSource proxy = new TransactionAwareDataSourceProxy(this.context.getBean(DataSource.class));
		Runnable insert = () -> {
			try (Connection connection = proxy.getConnection();
					PreparedStatement statement = connection.prepareStatement("insert into booking values ('proxy')")) {
				statement.execute();
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		};
		assertThatIllegalStateException().isThrownBy(() -> this.accounts.book("by proxy", () -> {
			insert.run();
			fail();
		}));
		assertThat(bookings("proxy")).isZero();
		this.accounts.book("by proxy", insert);
		assertThat(bookings("proxy")).isOne();
	}

	/** E6: what an external release of the action left behind. */
	@Test
	void aRowOfAnExternalReleaseIsAttemptedWhenItIsFreeAndNeverOverwritten() {
		Map<String, Class<? extends Exception>> rest = Map.of("unknown", EffectUnresolvedException.class, "claimed",
				EffectRefusedException.class);
		rest.forEach((state, refusal) -> {
			String name = "earlier-" + state;
			leftBehind(name, state, "refused");
			assertThatExceptionOfType(refusal).isThrownBy(() -> this.accounts.book(name, NOTHING));
			assertThat(bookings(name)).isZero();
			assertThat(state(name)).isEqualTo(state);
		});
		leftBehind("earlier-free", "claimed", null);
		assertThat(this.accounts.book("earlier-free", NOTHING)).isEqualTo("booked earlier-free");
		assertOne("earlier-free");
	}

	private void leftBehind(String name, String state, String attention) {
		this.accounts.book(name, NOTHING);
		this.rows.sql("delete from booking where name = ?").param(name).update();
		this.rows
			.sql("update once_effect_ledger set state = ?, attention = ?, outcome = null, response = null,"
					+ " response_type = null where target = ?")
			.params(state, attention, name)
			.update();
	}

	/** E11: the work is not lost because its answer is long. */
	@Test
	void anAnswerThatIsTooLongIsNotKeptAndARepeatLeavesItsCallerWhole() {
		String large = "x".repeat(20_000);
		assertThat(this.accounts.answer("large", large)).isEqualTo(large);
		assertOne("large");
		assertThat(this.callers.swallowing(() -> this.accounts.answer("large", large)))
			.isInstanceOf(AnswerUnreadableException.class);
		assertThat(bookings("caller of swallowed")).isPositive();
	}

	@Test
	void itIsTheSameWithoutAnnotations() {
		OnceOperations once = this.context.getBean(OnceOperations.class);
		Supplier<Outcome<String>> call = () -> once.effect("described")
			.target("operations")
			.boundary(Boundary.DATABASE)
			.answer(String.class)
			.perform((effect) -> {
				this.accounts.insert("operations");
				return "booked";
			});
		assertThatIllegalStateException()
			.isThrownBy(() -> new TransactionTemplate(transactionManager()).execute((status) -> {
				call.get();
				return fail();
			}));
		assertNothing("operations");
		assertThat(call.get()).isEqualTo(new Outcome.Done<>("booked", false, 1));
		assertThat(call.get()).isEqualTo(new Outcome.Done<>("booked", true, 1));
		assertOne("operations");
	}

	@Test
	void aWritingRequestInsideIsRefused() {
		assertThatExceptionOfType(SecondRequestException.class)
			.isThrownBy(() -> this.accounts.book("request", () -> Effect.current().sending("POST /mail")))
			.withMessageContaining("book/request")
			.withMessageContaining("POST /mail");
		assertNothing("request");
	}

	private Object fail() {
		throw new IllegalStateException("on purpose");
	}

	private void markRollbackOnly() {
		TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
	}

	private PlatformTransactionManager transactionManager() {
		return this.context.getBean("transactionManager", PlatformTransactionManager.class);
	}

	private <T> List<T> together(Callable<T> call) {
		CyclicBarrier start = new CyclicBarrier(CROWD);
		List<Future<T>> calls = new ArrayList<>();
		for (int i = 0; i < CROWD; i++) {
			calls.add(this.threads.submit(() -> {
				start.await();
				return call.call();
			}));
		}
		return calls.stream().map((future) -> {
			try {
				return future.get(60, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}).toList();
	}

	private void assertNothing(String name) {
		assertThat(bookings(name)).isZero();
		assertThat(states(name)).isEmpty();
	}

	private void assertOne(String name) {
		assertThat(bookings(name)).as(name).isOne();
		assertThat(states(name)).as(name).containsExactly("done");
	}

	private String state(String name) {
		return states(name).get(0);
	}

	private List<String> states(String name) {
		return this.rows.sql("select state from once_effect_ledger where target = ?")
			.param(name)
			.query(String.class)
			.list();
	}

	private int bookings(String name) {
		return this.rows.sql("select count(*) from booking where name = ?").param(name).query(Integer.class).single();
	}

	@FunctionalInterface
	interface Call {

		void make(Runnable during);

	}

	@FunctionalInterface
	interface Body {

		void run() throws Exception;

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceTransactionManagerAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			JdbcClientAutoConfiguration.class, TransactionAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
			OnceAutoConfiguration.class })
	@Import({ Accounts.class, Callers.class, Listener.class, Told.class, OtherTransactions.class })
	static class Application {

	}

	/**
	 * Not injected by type.
	 */
	@Configuration(proxyBeanMethods = false)
	static class OtherTransactions {

		@Bean(defaultCandidate = false)
		PlatformTransactionManager otherTransactionManager() {
			return new BoundTransactions();
		}

	}

	static class Told implements EffectListener {

		private final List<String> endings = new CopyOnWriteArrayList<>();

		@Override
		public void ended(EffectFacts facts, Ending ending) {
			this.endings.add(facts.target() + " " + ending);
		}

	}

	static class Accounts {

		private final JdbcClient jdbc;

		Accounts(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@Transactional
		@OnceEffect(action = "book", boundary = Boundary.DATABASE)
		String book(@EffectTarget String name, Runnable during) {
			insert(name);
			during.run();
			return "booked " + name;
		}

		@OnceEffect(action = "book-checked", boundary = Boundary.DATABASE)
		String checked(@EffectTarget String name) throws java.io.IOException {
			insert(name);
			throw new java.io.IOException("checked");
		}

		@Transactional(propagation = Propagation.NESTED)
		@OnceEffect(action = "book-nested", boundary = Boundary.DATABASE)
		String nested(@EffectTarget String name, Runnable during) {
			insert(name);
			during.run();
			return "booked " + name;
		}

		@OnceEffect(action = "book-outcome", boundary = Boundary.DATABASE)
		Outcome<String> outcome(@EffectTarget String name, Outcome<String> outcome) {
			insert(name);
			return outcome;
		}

		@OnceEffect(action = "book-answer", boundary = Boundary.DATABASE)
		String answer(@EffectTarget String name, String answer) {
			insert(name);
			return answer;
		}

		void insert(String name) {
			this.jdbc.sql("insert into booking values (?)").param(name).update();
		}

	}

	record Booked(String name) {

	}

	static class Listener {

		private final Accounts accounts;

		Listener(Accounts accounts) {
			this.accounts = accounts;
		}

		@TransactionalEventListener
		void booked(Booked event) {
			this.accounts.book(event.name(), NOTHING);
		}

	}

	static class Callers {

		private final Accounts accounts;

		private final ApplicationEventPublisher events;

		Callers(Accounts accounts, ApplicationEventPublisher events) {
			this.accounts = accounts;
			this.events = events;
		}

		@OnceJob(name = "booking", overlap = Overlap.COALESCE, lease = "5s")
		public void inJob(Body body) throws Exception {
			body.run();
		}

		@OnceJob(name = "poisoned", overlap = Overlap.COALESCE, attempts = 1)
		public void poisoned() {
			this.accounts.book("poisoned", () -> {
				throw new IllegalStateException("every time");
			});
		}

		/** Case 23 for local effects: a repeat leaves the transaction usable. */
		@Transactional
		public String twice(String name, Runnable during) {
			this.accounts.book(name, during);
			return this.accounts.book(name, during);
		}

		@Transactional
		public void failingAfter(String name) {
			this.accounts.book(name, NOTHING);
			throw new IllegalStateException("after the effect");
		}

		@Transactional(propagation = Propagation.NESTED)
		public void nestedFailingAfter(String name) {
			failingAfter(name);
		}

		@Transactional
		public Exception swallowing(Callable<?> call) {
			this.accounts.insert("caller of swallowed");
			try {
				call.call();
				return null;
			}
			catch (Exception ex) {
				return ex;
			}
		}

		@Transactional(readOnly = true)
		public void readOnly(String name) {
			this.accounts.book(name, NOTHING);
		}

		@Transactional
		public void publishing(String name) {
			this.events.publishEvent(new Booked(name));
		}

		@Transactional
		public void hooking(String name) {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					Callers.this.accounts.book(name, NOTHING);
				}

			});
		}

	}

}
