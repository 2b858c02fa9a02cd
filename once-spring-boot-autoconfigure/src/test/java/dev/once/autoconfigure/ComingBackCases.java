package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.Grain;
import dev.once.JobOutcome;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceResolver;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * O4: an occurrence is run again, under its own name, until all that it met is done.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class ComingBackCases {

	private static final Instant DUE = Instant.parse("2026-05-04T02:00:00Z");

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final Mails mails = new Mails();

	private final Work work = new Work();

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	private TestDatabase database;

	private ConfigurableApplicationContext node;

	abstract TestDatabase newDatabase();

	@BeforeEach
	void start() {
		this.database = newDatabase();
		this.node = newNode();
	}

	@AfterEach
	void close() {
		this.nodes.forEach(ConfigurableApplicationContext::close);
		this.database.close();
	}

	/** O4, E12: nobody calls again, and no further due time comes. */
	@Test
	void anEffectOfTheOccurrenceThatDidNotHappenIsCarriedOutLaterByItself() {
		this.mails.failures.set(1);
		this.work.body = () -> this.node.getBean(Mails.class).brief();
		fire(DUE);
		assertThat(state(DUE)).isEqualTo("open");
		awaitState(DUE, "finished");
		assertThat(this.mails.sent).containsExactly("brief");
		assertThat(this.mails.attempts).hasValue(2);
		assertThat(row(DUE, "attempt")).isEqualTo("1");
		assertThat(this.database.jdbc()
			.sql("select distinct occurrence from once_effect_ledger")
			.query(String.class)
			.single()).isEqualTo(this.work.occurrences.get(0));
		assertThat(this.work.occurrences).hasSizeGreaterThan(1);
		assertThat(this.work.occurrences.stream().distinct()).hasSize(1);
	}

	/** O2: a copy of a finished one. */
	@Test
	void aFinishedOccurrenceIsNeverRunAgain() {
		fire(DUE);
		fire(DUE);
		assertThat(state(DUE)).isEqualTo("finished");
		assertThat(this.work.occurrences).hasSize(1);
	}

	/** O6: throws count. */
	@Test
	void aBodyThatThrowsIsRunAgainUntilItsAttemptsAreUsedUp(CapturedOutput output) {
		this.work.body = () -> {
			throw new IllegalStateException("no such customer");
		};
		assertThatIllegalStateException().isThrownBy(() -> fire(DUE));
		assertThat(row(DUE, "attempt")).isIn("2", "3");
		awaitState(DUE, "abandoned");
		fire(DUE);
		assertThat(this.work.occurrences).hasSize(3);
		// The line follows the row
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(
					output.getAll().lines().filter((line) -> line.contains("ERROR") && line.contains("is abandoned")))
				.hasSize(1));
	}

	/** O4: an item that fails is no reason to call the occurrence finished. */
	@Test
	void anItemThatFailsIsRunAgainToo() {
		AtomicInteger failures = new AtomicInteger(1);
		this.work.body = () -> JobRun.current().each(List.of("a", "b"), (item) -> {
			if ("a".equals(item) && failures.getAndDecrement() > 0) {
				throw new IllegalStateException("not this time");
			}
			this.node.getBean(Mails.class).mail(item);
		});
		fire(DUE);
		awaitState(DUE, "finished");
		assertThat(this.mails.sent).containsExactlyInAnyOrder("a", "b");
		assertThat(row(DUE, "attempt")).isEqualTo("2");
	}

	/** O4: what COALESCE closes, and what it leaves. */
	@Test
	void aLaterFinishedOccurrenceClosesAnEarlierOneUnlessThatHasAnOpenEffectOfItsOwn() {
		this.mails.failures.set(2);
		this.mails.resolution = Resolution.cannotTell();
		this.work.body = () -> this.node.getBean(Mails.class).mail("a");
		fire(DUE);
		Instant second = DUE.plusSeconds(60);
		this.work.body = () -> this.node.getBean(Mails.class).brief();
		fire(second);
		assertThat(state(DUE)).isEqualTo("open");
		assertThat(state(second)).isEqualTo("open");
		Instant third = second.plusSeconds(60);
		this.work.body = () -> {
		};
		fire(third);
		assertThat(state(third)).isEqualTo("finished");
		assertThat(state(DUE)).isEqualTo("finished");
		assertThat(row(DUE, "detail")).contains(this.work.occurrences.get(this.work.occurrences.size() - 1));
		assertThat(state(second)).isEqualTo("open");
	}

	/** O4: a job that fires often must not pile up what waits for one effect. */
	@Test
	void ofSeveralThatWaitForAnEffectThatIsNotTheirsTheLatestIsKept() {
		this.mails.failures.set(1);
		this.mails.resolution = Resolution.cannotTell();
		this.work.body = () -> this.node.getBean(Mails.class).mail("a");
		for (int i = 0; i < 4; i++) {
			fire(DUE.plusSeconds(i));
		}
		assertThat(List.of(state(DUE), state(DUE.plusSeconds(1)), state(DUE.plusSeconds(2)), state(DUE.plusSeconds(3))))
			.containsExactly("open", "finished", "finished", "open");
		this.mails.resolution = Resolution.happened(null);
		awaitState(DUE, "finished");
		assertThat(this.mails.attempts).hasValue(1);
	}

	/** O4: a run has not finished while an effect that it met is in flight. */
	@Test
	void anOccurrenceWhoseEffectIsStillInFlightIsOpen() {
		CompletableFuture<Void> answer = new CompletableFuture<>();
		this.mails.answer = answer;
		this.work.body = () -> this.node.getBean(Mails.class).later("a");
		fire(DUE);
		assertThat(state(DUE)).isEqualTo("open");
		answer.complete(null);
		awaitState(DUE, "finished");
		assertThat(this.mails.sent).containsExactly("later a");
	}

	/** L4, O4: a deployment is no failed attempt, and nobody waits for a lease. */
	@Test
	void anotherNodeGoesOnAtOnceWhenOneShutsDownInTheMiddle() throws InterruptedException {
		CountDownLatch inside = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		this.work.body = () -> JobRun.current().each(List.of("a", "b"), (item) -> {
			inside.countDown();
			goOn.await();
			this.node.getBean(Mails.class).mail(item);
		});
		ConfigurableApplicationContext first = this.node;
		OnceOperations once = first.getBean(OnceOperations.class);
		Thread run = new Thread(() -> once.at(DUE, first.getBean(Jobs.class)::digest));
		run.setUncaughtExceptionHandler((thread, ex) -> {
		});
		run.start();
		inside.await();
		this.node = newNode();
		Thread shutdown = new Thread(first::close);
		shutdown.start();
		AtomicInteger probes = new AtomicInteger();
		await().until(() -> once.job("probe").occurrence("probe-" + probes.incrementAndGet(), DUE).run((probe) -> {
		}) instanceof JobOutcome.Stopping);
		goOn.countDown();
		run.join();
		shutdown.join();
		awaitState(DUE, "finished");
		assertThat(this.mails.sent).containsExactlyInAnyOrder("a", "b");
		assertThat(row(DUE, "attempt")).isEqualTo("1");
	}

	private void fire(Instant due) {
		this.node.getBean(OnceOperations.class).at(due, this.node.getBean(Jobs.class)::digest);
	}

	private void awaitState(Instant due, String state) {
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(state(due)).isEqualTo(state));
	}

	private String state(Instant due) {
		return row(due, "state");
	}

	private String row(Instant due, String column) {
		return String.valueOf(this.database.jdbc()
			.sql("select " + column + " from once_occurrence where due_at = :due")
			.param("due", due.atOffset(ZoneOffset.UTC))
			.query()
			.singleValue());
	}

	private ConfigurableApplicationContext newNode() {
		HikariDataSource dataSource = this.database.newDataSource(4);
		ConfigurableApplicationContext node = new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.initializers((context) -> {
				var beans = context.getBeanFactory();
				beans.registerSingleton("dataSource", dataSource);
				((org.springframework.beans.factory.support.BeanDefinitionRegistry) beans).registerBeanDefinition(
						"mails",
						org.springframework.beans.factory.support.BeanDefinitionBuilder
							.genericBeanDefinition(Mails.class, () -> this.mails)
							.getBeanDefinition());
				((org.springframework.beans.factory.support.BeanDefinitionRegistry) beans).registerBeanDefinition(
						"jobs",
						org.springframework.beans.factory.support.BeanDefinitionBuilder
							.genericBeanDefinition(Jobs.class, () -> new Jobs(this.work))
							.getBeanDefinition());
			})
			.properties("spring.main.banner-mode=off", "once.caretaker.interval=50ms", "once.defaults.window=1s",
					"once.defaults.settle-after=100ms", "once.defaults.resolver-backoff=100ms",
					"once.defaults.backoff=100ms", "once.jobs.digest.backoff=100ms")
			.run();
		this.nodes.add(node);
		return node;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class })
	static class Node {

	}

	/** What the job does. */
	static class Work {

		private final List<String> occurrences = new CopyOnWriteArrayList<>();

		private volatile Runnable body = () -> {
		};

	}

	static class Jobs {

		private final Work work;

		Jobs(Work work) {
			this.work = work;
		}

		@OnceJob(name = "digest", overlap = Overlap.COALESCE)
		public void digest() {
			this.work.occurrences.add(JobRun.current().occurrence());
			this.work.body.run();
		}

	}

	@FarSide(name = "mail")
	static class Mails {

		final List<String> sent = new CopyOnWriteArrayList<>();

		final AtomicInteger attempts = new AtomicInteger();

		final AtomicInteger failures = new AtomicInteger();

		volatile Resolution<Void> resolution = Resolution.didNotHappen();

		volatile CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);

		@OnceEffect(action = "brief", grain = Grain.OCCURRENCE)
		public Outcome<Void> brief() {
			return send("brief");
		}

		@OnceEffect(action = "mail")
		public Outcome<Void> mail(@EffectTarget String to) {
			return send(to);
		}

		@OnceEffect(action = "later")
		public CompletableFuture<Void> later(@EffectTarget String to) {
			this.sent.add("later " + to);
			return this.answer;
		}

		@OnceResolver("brief")
		public Resolution<Void> findBrief(UnresolvedEffect effect) {
			return this.resolution;
		}

		@OnceResolver("mail")
		public Resolution<Void> findMail(UnresolvedEffect effect) {
			return this.resolution;
		}

		@OnceResolver("later")
		public Resolution<Void> findLater(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

		private Outcome<Void> send(String what) {
			this.attempts.incrementAndGet();
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("the answer was lost");
			}
			this.sent.add(what);
			return Outcome.done(null);
		}

	}

}
