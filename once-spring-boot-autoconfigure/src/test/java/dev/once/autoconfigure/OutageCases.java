package dev.once.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.actuate.OnceHealthIndicator;
import dev.once.lease.StoreException;
import dev.once.test.TestDatabase;
import dev.once.test.TroubledServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Case 42: the database goes away, and comes back. Nothing needs a restart of the
 * application.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class OutageCases {

	private final TroubledServer server = server();

	private final TestDatabase database = this.server.newDatabase();

	private final Map<String, AtomicInteger> farSide = new ConcurrentHashMap<>();

	abstract TroubledServer server();

	TestDatabase database() {
		return this.database;
	}

	TroubledServer troubled() {
		return this.server;
	}

	Map<String, AtomicInteger> farSide() {
		return this.farSide;
	}

	@BeforeAll
	void openPoolToLookWith() {
		this.database.withTables();
	}

	@AfterAll
	void close() {
		this.database.close();
		this.server.close();
	}

	@BeforeEach
	void forget() {
		this.farSide.clear();
	}

	/** Case 42 (b). */
	@Test
	void anAnswerThatComesWhileTheDatabaseIsDownIsStoredWhenItIsBack(CapturedOutput output) {
		run((work, health) -> {
			CompletableFuture<Void> job = CompletableFuture.runAsync(() -> work.inRun(() -> work.slow("down", () -> {
				this.server.stop();
				CompletableFuture.runAsync(this.server::start, later());
			})), threads());
			await().atMost(Duration.ofSeconds(60)).until(() -> status(health).equals(Status.DOWN));
			assertThat(job).succeedsWithin(Duration.ofSeconds(60));
			await().atMost(Duration.ofSeconds(60)).until(() -> status(health).equals(Status.UP));
			assertThat(rows("target = 'down' and outcome = 'performed'")).isOne();
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				work.inRun(() -> work.send("afterwards"));
				assertThat(this.farSide).containsKey("afterwards");
			});
			assertThat(this.farSide.values()).allMatch((sent) -> sent.get() == 1);
			assertThat(
					output.getAll().lines().filter((line) -> line.contains("could not be stored and is written again")))
				.hasSize(1);
			assertThat(output.getAll().lines().filter((line) -> line.contains("Renewal failed"))).hasSizeLessThan(3);
			assertThat(output.getAll().lines().filter((line) -> line.contains("Looking after open effects failed")))
				.hasSizeLessThan(2);
		});
	}

	@Test
	void withoutTheDatabaseNothingIsSentAndAfterwardsItIs(CapturedOutput output) {
		run((work, health) -> {
			work.inRun(() -> work.send("warm"));
			this.server.stop();
			try {
				assertThat(work.outcome("refused")).isInstanceOf(Outcome.NotSent.class);
				assertThatExceptionOfType(StoreException.class)
					.isThrownBy(() -> work.inRun(() -> work.send("in vain")));
				assertThat(status(health)).isEqualTo(Status.DOWN);
				assertThat(this.farSide).containsOnlyKeys("warm");
				assertThat(output.getAll().lines().filter((line) -> line.contains(" ERROR ["))).hasSize(1);
			}
			finally {
				this.server.start();
			}
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				assertThat(work.outcome("refused")).isInstanceOf(Outcome.Done.class);
				work.inRun(() -> work.send("in vain"));
				assertThat(this.farSide).containsKey("in vain");
			});
			assertThat(status(health)).isEqualTo(Status.UP);
			assertThat(this.farSide.values()).allMatch((sent) -> sent.get() == 1);
		});
	}

	/**
	 * On two processors the common pool has one thread, which waits for the other task.
	 */
	static Executor threads() {
		return (task) -> new Thread(task).start();
	}

	static Executor later() {
		return CompletableFuture.delayedExecutor(3, TimeUnit.SECONDS, threads());
	}

	static Status status(OnceHealthIndicator health) {
		return health.health().getStatus();
	}

	int rows(String condition) {
		return this.database.jdbc()
			.sql("select count(*) from once_effect_ledger where " + condition)
			.query(Integer.class)
			.single();
	}

	void run(Scenario scenario) {
		run(this.database.newDataSource((config) -> {
			config.setMaximumPoolSize(4);
			config.setConnectionTimeout(1000);
		}), scenario);
	}

	void run(HikariDataSource dataSource, Scenario scenario) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class,
					OnceHealthAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> dataSource)
			.withBean(Work.class, () -> new Work(this.farSide))
			.withPropertyValues("once.caretaker.interval=200ms")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				scenario.with(context.getBean(Work.class), context.getBean(OnceHealthIndicator.class));
			});
	}

	interface Scenario {

		void with(Work work, OnceHealthIndicator health) throws Exception;

	}

	@FarSide(name = "post", window = "60s", settleAfter = "5s")
	static class Work {

		private final Map<String, AtomicInteger> farSide;

		Work(Map<String, AtomicInteger> farSide) {
			this.farSide = farSide;
		}

		@OnceJob(name = "outage", overlap = Overlap.COALESCE, lease = "5s")
		void inRun(Runnable body) {
			body.run();
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
			count(target);
		}

		@OnceEffect(action = "slow", unobservable = Unobservable.ACCEPTED)
		void slow(@EffectTarget String target, Runnable meanwhile) {
			count(target);
			meanwhile.run();
		}

		@OnceEffect(action = "outcome", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> outcome(@EffectTarget String target) {
			count(target);
			return Outcome.done(null);
		}

		private void count(String target) {
			this.farSide.computeIfAbsent(target, (key) -> new AtomicInteger()).incrementAndGet();
		}

	}

}
