package dev.once.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.Unobservable;
import dev.once.UnresolvedEffect;
import dev.once.autoconfigure.OnceAutoConfiguration;
import dev.once.autoconfigure.OnceSchemaAutoConfiguration;
import dev.once.lease.StoreException;
import dev.once.ledger.Move;
import dev.once.test.SwallowingProxy;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Case 42 (c) and (d), at every statement of the protocol: the backend is terminated
 * before it, or its answer, and so that to its commit, is lost. Every job is runnable
 * afterwards, and every effect has happened once or is listed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresqlTerminationTests {

	private static final Duration PATIENCE = Duration.ofSeconds(40);

	private static final PostgresqlStatements STATEMENTS = new PostgresqlStatements();

	private final TestDatabase database = TestDatabases.postgresql().withTables();

	private final SwallowingProxy proxy = this.database.proxy();

	private final HikariDataSource application = this.database.newDataSource(this.proxy);

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private Work work;

	private int day;

	@BeforeAll
	void start() {
		TestPropertyValues
			.of("once.caretaker.interval=50ms", "once.defaults.resolver-backoff=50ms",
					"once.defaults.resolver-max-backoff=100ms", "once.defaults.resolver-tries=1000",
					"once.defaults.resolver-timeout=1s")
			.applyTo(this.context);
		this.context.registerBean("dataSource", DataSource.class, () -> this.application);
		this.context.registerBean(Work.class);
		this.context.register(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class);
		this.context.refresh();
		this.work = this.context.getBean(Work.class);
	}

	@AfterAll
	void close() {
		this.context.close();
		this.proxy.close();
		this.database.close();
	}

	/** Each statement of the protocol, and what makes it be sent. */
	private static Map<String, String> statements() {
		Map<String, String> statements = new LinkedHashMap<>();
		statements.put("claim", STATEMENTS.claim());
		statements.put("renew", STATEMENTS.renew());
		statements.put("release the lease", STATEMENTS.releaseLease());
		statements.put("look for what is due", STATEMENTS.due());
		STATEMENTS.moves().forEach((move, sql) -> statements.put(move.getSimpleName(), sql));
		STATEMENTS.manyMoves()
			.forEach((move, sql) -> statements.computeIfPresent(move.getSimpleName(),
					(name, one) -> (move == Move.Extend.class) ? sql : one));
		// sent by hand, or after a second answer only
		statements.remove("Contradict");
		return statements;
	}

	static Stream<Trouble> troubles() {
		List<Trouble> troubles = new ArrayList<>();
		statements().forEach((name, sql) -> {
			for (Kind kind : Kind.values()) {
				troubles.add(new Trouble(name, sql, kind));
			}
		});
		return troubles.stream();
	}

	@ParameterizedTest
	@MethodSource("troubles")
	void everyJobRunsAgainAndEveryEffectHappensOnce(Trouble trouble) {
		Day today = new Day(++this.day, trouble.statement().equals("DidNotHappen"));
		CompletableFuture<String> struck = trouble.arm(this.proxy, this::terminate);
		// A run is renewed, and a window extended, only while a body is at it
		boolean slow = trouble.statement().equals("renew") || trouble.statement().equals("Extend");
		await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).until(() -> {
			this.work.run(today, slow ? struck : CompletableFuture.completedFuture(""));
			return this.work.hasRun(today) && struck.isDone();
		});
		Map<String, String> expected = new LinkedHashMap<>(Map.of("charged", "done performed", "lost", "done resolved",
				"unsent", "claimed null", "refused", "claimed null"));
		if (today.isLong()) {
			expected.put("gone", "done performed");
		}
		await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).untilAsserted(() -> {
			this.work.run(today, CompletableFuture.completedFuture(""));
			assertThat(states(today)).as("after " + trouble).isEqualTo(expected);
		});
		assertThat(this.work.happened(today)).as("after " + trouble)
			.isEqualTo(today.isLong() ? Map.of("charged", 1, "lost", 1, "gone", 1) : Map.of("charged", 1, "lost", 1));
	}

	@Test
	void everyStatementIsTroubled() {
		assertThat(statements().keySet()).hasSize(4 + STATEMENTS.moves().size() - 1);
	}

	private Map<String, String> states(Day today) {
		Map<String, String> states = new LinkedHashMap<>();
		this.database.jdbc()
			.sql("select action, state || ' ' || coalesce(outcome, 'null') as state from once_effect_ledger where target = ?")
			.param(today.target())
			.query((row) -> {
				states.put(row.getString(1), row.getString(2));
			});
		return states;
	}

	private void terminate(int clientPort) {
		this.database.jdbc()
			.sql("select pg_terminate_backend(pid, 5000) from pg_stat_activity where client_port = ?")
			.param(clientPort)
			.query(Boolean.class)
			.list();
	}

	/**
	 * A run of the job.
	 *
	 * @param number its number
	 * @param isLong whether it has an effect that is known not to have happened only
	 * later
	 */
	record Day(int number, boolean isLong) {

		String target() {
			return "day-" + this.number;
		}

	}

	private enum Kind {

		TERMINATED_BEFORE, ANSWER_LOST

	}

	record Trouble(String statement, String sql, Kind kind) {

		CompletableFuture<String> arm(SwallowingProxy proxy, IntConsumer terminate) {
			String wanted = normalized(Sql.of(OnceTables.defaults(), this.sql).toString());
			Predicate<String> matches = (sent) -> normalized(sent).equals(wanted);
			return switch (this.kind) {
				case TERMINATED_BEFORE -> proxy.before(matches, terminate);
				case ANSWER_LOST -> proxy.swallowAnswerTo(matches);
			};
		}

		private static String normalized(String sql) {
			return sql.replaceAll("\\$\\d+", "?").replaceAll("\\s+", " ").strip();
		}

		@Override
		public String toString() {
			return this.kind + " at " + this.statement;
		}

	}

	@FarSide(name = "post", window = "2s", settleAfter = "1s", attempts = 1000, backoff = "1ms")
	static class Work {

		private final Map<String, AtomicInteger> happened = new ConcurrentHashMap<>();

		private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();

		private final Map<Integer, Boolean> days = new ConcurrentHashMap<>();

		private final ObjectProvider<Work> self;

		Work(ObjectProvider<Work> self) {
			this.self = self;
		}

		boolean hasRun(Day day) {
			return this.days.containsKey(day.number());
		}

		Map<String, Integer> happened(Day day) {
			Map<String, Integer> counts = new LinkedHashMap<>();
			this.happened.forEach((name, count) -> {
				if (name.endsWith(" " + day.target())) {
					counts.put(name.substring(0, name.indexOf(' ')), count.get());
				}
			});
			return counts;
		}

		@OnceJob(name = "day", overlap = Overlap.COALESCE, lease = "5s")
		void run(Day day, CompletableFuture<String> before) {
			Work guarded = this.self.getObject();
			guarded.charged(day.target(), before);
			guarded.lost(day.target());
			if (day.isLong()) {
				guarded.gone(day.target());
			}
			guarded.unsent(day.target());
			guarded.refused(day.target());
			this.days.put(day.number(), true);
		}

		@OnceEffect(action = "charged", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> charged(@EffectTarget String target, CompletableFuture<String> before) {
			count("charged", target);
			before.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
			return Outcome.done(null);
		}

		@OnceEffect(action = "lost")
		Outcome<Void> lost(@EffectTarget String target) {
			count("lost", target);
			throw new IllegalStateException("the answer is lost");
		}

		@OnceResolver("lost")
		Resolution<Void> find(UnresolvedEffect effect) {
			return first(effect) ? Resolution.cannotTell() : Resolution.happened(null);
		}

		/** Its first attempt does not get there. */
		@OnceEffect(action = "gone")
		Outcome<Void> gone(@EffectTarget String target) {
			if (this.asked.containsKey("gone " + target)) {
				count("gone", target);
				return Outcome.done(null);
			}
			throw new IllegalStateException("lost on its way");
		}

		@OnceResolver("gone")
		Resolution<Void> findGone(UnresolvedEffect effect) {
			first(effect);
			return Resolution.didNotHappen();
		}

		@OnceEffect(action = "unsent", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> unsent(@EffectTarget String target) {
			throw new EffectNotSentException("no address");
		}

		@OnceEffect(action = "refused", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> refused(@EffectTarget String target) {
			throw new EffectRefusedException("busy");
		}

		private boolean first(UnresolvedEffect effect) {
			return this.asked.computeIfAbsent(effect.action() + " " + effect.target(), (key) -> new AtomicInteger())
				.getAndIncrement() == 0;
		}

		private void count(String name, String target) {
			this.happened.computeIfAbsent(name + " " + target, (key) -> new AtomicInteger()).incrementAndGet();
		}

	}

}
