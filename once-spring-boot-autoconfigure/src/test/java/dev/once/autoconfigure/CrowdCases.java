package dev.once.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.RunFencedException;
import dev.once.Unobservable;
import dev.once.test.CountingDataSource;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Case 22: a pool smaller than the crowd, and a job that holds all of it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrowdCases {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final TestDatabase database = database();

	private final ConcurrentHashMap<String, AtomicInteger> farSide = new ConcurrentHashMap<>();

	abstract TestDatabase database();

	@BeforeAll
	void makeTables() {
		this.database.withTables();
	}

	@AfterAll
	void close() {
		this.database.close();
	}

	@BeforeEach
	void forget() {
		this.farSide.clear();
		this.database.jdbc().sql("delete from once_effect_ledger").update();
	}

	/** The ledger's own pool: nobody waits for the application's. */
	@ParameterizedTest
	@CsvSource({ "2, 10", "10, 50" })
	void aCrowdThatHoldsTheWholePoolWaitsForNobodyBesideAPoolOfOnces(int size, int crowd) throws Exception {
		try (HikariDataSource pool = pool(size)) {
			crowd(pool, pool, size, crowd, (calls) -> {
				assertThat(calls.subList(0, size)).allMatch((call) -> call.end() == End.DONE);
				assertThat(calls).noneMatch((call) -> call.end() == End.NOT_SENT);
			});
		}
	}

	/** On borrowed connections: refused before anything is sent, within the time-out. */
	@ParameterizedTest
	@CsvSource({ "2, 10", "10, 50" })
	void aCrowdThatHoldsTheWholePoolIsRefusedBeforeSendingOnBorrowedConnections(int size, int crowd) throws Exception {
		try (HikariDataSource pool = pool(size)) {
			crowd(new CountingDataSource(pool), pool, size, crowd,
					(calls) -> assertThat(calls.subList(0, size)).anyMatch((call) -> call.end() == End.NOT_SENT)
						// who waits longer than the first may get its connection
						.allMatch((call) -> call.end() == End.NOT_SENT || call.end() == End.DONE)
						.allMatch((call) -> call.took().compareTo(PATIENCE.multipliedBy(3)) < 0));
		}
	}

	private void crowd(DataSource dataSource, HikariDataSource pool, int size, int crowd, Consumer<List<Call>> ends)
			throws Exception {
		run(dataSource, (work) -> {
			TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(dataSource));
			CyclicBarrier poolIsHeld = new CyclicBarrier(size);
			CountDownLatch firstAreIn = new CountDownLatch(size);
			ExecutorService threads = Executors.newFixedThreadPool(crowd);
			try {
				List<Future<Call>> calls = new ArrayList<>();
				for (int i = 0; i < crowd; i++) {
					String target = "crowd-" + i;
					boolean first = i < size;
					calls.add(threads.submit(() -> {
						if (!first) {
							firstAreIn.await();
						}
						return inTransaction(transaction, dataSource, () -> {
							if (first) {
								firstAreIn.countDown();
								poolIsHeld.await();
							}
							return work.send(target);
						});
					}));
				}
				List<Call> ended = new ArrayList<>();
				for (Future<Call> call : calls) {
					ended.add(call.get(60, TimeUnit.SECONDS));
				}
				ends.accept(ended);
				assertThat(this.farSide.values()).allMatch((sent) -> sent.get() == 1);
				assertThat(this.farSide).hasSize(rows("state in ('done', 'unknown')"));
				assertThat(rows("state in ('submitted', 'claimed')")).isZero();
				assertThat(ended.stream().filter((call) -> call.end() == End.DONE)).hasSize(rows("state = 'done'"));
			}
			finally {
				threads.shutdownNow();
			}
		});
	}

	private static Call inTransaction(TransactionTemplate transaction, DataSource dataSource,
			Callable<Outcome<Void>> work) {
		long[] start = { System.nanoTime() };
		try {
			Outcome<Void> outcome = transaction.execute((status) -> {
				JdbcClient.create(dataSource).sql("select 1").query(Integer.class).single();
				try {
					return work.call();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			});
			End end = (outcome instanceof Outcome.Done) ? End.DONE
					: (outcome instanceof Outcome.NotSent) ? End.NOT_SENT : End.OTHER;
			return new Call(end, Duration.ofNanos(System.nanoTime() - start[0]));
		}
		catch (CannotCreateTransactionException ex) {
			return new Call(End.NO_TRANSACTION, Duration.ofNanos(System.nanoTime() - start[0]));
		}
	}

	/** Renewing has a connection of its own. */
	@Test
	void aJobThatHoldsTheWholePoolLongerThanItsLeaseIsNotTakenOver() throws Exception {
		try (HikariDataSource pool = pool(2); HikariDataSource other = pool(2)) {
			run(pool, (holder) -> run(other, (waiting) -> holder.holding(() -> {
				holdAll(pool, () -> await().during(Duration.ofMillis(5500)).atMost(Duration.ofSeconds(20)).until(() -> {
					waiting.holding(() -> this.farSide.put("taken over", new AtomicInteger(1)));
					return !this.farSide.containsKey("taken over");
				}));
				assertThat(holder.send("held")).isInstanceOf(Outcome.Done.class);
			})));
			assertThat(this.farSide).containsOnlyKeys("held");
		}
	}

	/** Without one, who holds it all notices the lost lease before the next effect. */
	@Test
	void aJobThatKeepsItsBorrowedRenewalFromRunningStopsBeforeItsNextEffect() throws Exception {
		try (HikariDataSource pool = pool(2); HikariDataSource other = pool(2)) {
			run(new CountingDataSource(pool),
					(holder) -> run(new CountingDataSource(other),
							(waiting) -> assertThatExceptionOfType(RunFencedException.class)
								.isThrownBy(() -> holder.holding(() -> {
									assertThat(holder.send("before")).isInstanceOf(Outcome.Done.class);
									holdAll(pool, () -> await().atMost(Duration.ofSeconds(30)).until(() -> {
										waiting.holding(() -> waiting.send("after"));
										return this.farSide.containsKey("after");
									}));
									holder.send("next");
								}))));
			assertThat(this.farSide).containsOnlyKeys("before", "after");
			assertThat(this.farSide.values()).allMatch((sent) -> sent.get() == 1);
		}
	}

	private static void holdAll(HikariDataSource pool, Runnable meanwhile) {
		try (Connection first = pool.getConnection(); Connection second = pool.getConnection()) {
			meanwhile.run();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private HikariDataSource pool(int size) {
		return this.database.newDataSource((config) -> {
			config.setMaximumPoolSize(size);
			config.setConnectionTimeout(PATIENCE.toMillis());
		});
	}

	private int rows(String condition) {
		return this.database.jdbc()
			.sql("select count(*) from once_effect_ledger where " + condition)
			.query(Integer.class)
			.single();
	}

	private void run(DataSource dataSource, Scenario scenario) throws Exception {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> dataSource,
					(definition) -> definition.setDestroyMethodName(null))
			.withBean(Work.class, () -> new Work(this.farSide))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				scenario.with(context.getBean(Work.class));
			});
	}

	private interface Scenario {

		void with(Work work) throws Exception;

	}

	private enum End {

		DONE, NOT_SENT, NO_TRANSACTION, OTHER

	}

	private record Call(End end, Duration took) {

	}

	static class Work {

		private final ConcurrentHashMap<String, AtomicInteger> farSide;

		Work(ConcurrentHashMap<String, AtomicInteger> farSide) {
			this.farSide = farSide;
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> send(@EffectTarget String target) {
			this.farSide.computeIfAbsent(target, (key) -> new AtomicInteger()).incrementAndGet();
			return Outcome.done(null);
		}

		@OnceJob(name = "holding", overlap = Overlap.COALESCE, lease = "5s")
		void holding(Runnable body) {
			body.run();
		}

	}

}
