package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.Grain;
import dev.once.JobAlreadyDoneException;
import dev.once.JobOutcome;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceException;
import dev.once.OnceHeaders;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Who calls a job from outside its timer: a process that is started for one slot (case
 * 10), and a listener whose message comes again.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class CallerCases {

	private static final String SLOT = "2026-05-04T02:00Z";

	private static final Instant DUE = Instant.parse("2026-05-04T02:00:00Z");

	private TestDatabase database;

	abstract TestDatabase newDatabase();

	@BeforeEach
	void makeDatabase() {
		this.database = newDatabase();
		this.database.jdbc().sql("create table sent (item varchar(100))").update();
	}

	@AfterEach
	void closeDatabase() {
		this.database.close();
	}

	/** Case 10 a: the later of two processes finds it done, ends well and says so. */
	@Test
	void twoProcessesOfOneSlotDoItsWorkOnceAndTheLoserSaysSo(CapturedOutput output) {
		process(SLOT, (first) -> process("2026-05-04T04:00+02:00", (second) -> {
			CountDownLatch begun = new CountDownLatch(1);
			CountDownLatch end = new CountDownLatch(1);
			first.getBean(Bodies.class).body = () -> {
				begun.countDown();
				await(end);
			};
			CompletableFuture<Void> winner = CompletableFuture.runAsync(first.getBean(Jobs.class)::digest);
			await(begun);
			CompletableFuture<Void> loser = CompletableFuture.runAsync(second.getBean(Jobs.class)::digest);
			end.countDown();
			winner.join();
			loser.join();
			assertThat(sent()).containsExactly("1", "2");
			assertThat(output)
				.containsOnlyOnce("Occurrence '2026-05-04' of job 'digest' is not run: it is already done");
			first.getBean(Jobs.class).count();
			assertThatExceptionOfType(JobAlreadyDoneException.class).isThrownBy(second.getBean(Jobs.class)::count)
				.matches((ex) -> ex.doneAt() != null);
		}));
	}

	/** Case 10 c. */
	@Test
	void aProcessThatIsNotToldItsSlotIsRefusedBeforeItDoesAnything() {
		process("", (context) -> {
			assertThatExceptionOfType(OnceException.class).isThrownBy(context.getBean(Jobs.class)::digest)
				.withMessageContaining("ONCE_OCCURRENCE");
			assertThat(sent()).isEmpty();
		});
	}

	/** Case 10 d: nothing waits for a dead process longer than its lease. */
	@Test
	void aProcessThatIsStartedForOneThatWasKilledHalfWayDoesTheRest() {
		try (JavaProcess killed = OneShotNode.start(this.database, SLOT)) {
			while (!killed.line().contains(OneShotNode.HALF_WAY)) {
				// Its log
			}
			killed.kill();
		}
		assertThat(sent()).containsExactly("1");
		process(SLOT, (context) -> {
			long start = System.nanoTime();
			context.getBean(Jobs.class).digest();
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
			assertThat(sent()).containsExactly("1", "2");
		});
	}

	@Test
	void aMessageThatIsDeliveredAgainIsRecognised() {
		process("", (context) -> {
			Broker broker = new Broker();
			Listener listener = new Listener(context.getBean(OnceOperations.class), context.getBean(Mails.class));
			Message message = new Message(Map.of(OnceHeaders.JOB, "welcome", OnceHeaders.OCCURRENCE, "topic-3@42",
					OnceHeaders.DUE, DUE.toString()), "ada,grace");
			broker.send(message);
			listener.failsAt = "grace";
			broker.deliver(listener);
			assertThat(broker.waiting).hasSize(1);
			listener.failsAt = "";
			broker.deliver(listener);
			assertThat(broker.waiting).isEmpty();
			assertThat(sent()).containsExactly("ada/topic-3@42", "grace/topic-3@42");
			// A copy that comes when it is done, and another message
			broker.send(message);
			broker.deliver(listener);
			assertThat(broker.waiting).isEmpty();
			assertThat(listener.outcome).isInstanceOf(JobOutcome.AlreadyDone.class);
			broker.send(new Message(Map.of(OnceHeaders.JOB, "welcome", OnceHeaders.OCCURRENCE, "topic-3@43",
					OnceHeaders.DUE, DUE.toString()), "ada"));
			broker.deliver(listener);
			assertThat(sent()).containsExactly("ada/topic-3@42", "grace/topic-3@42", "ada/topic-3@43");
		});
	}

	/** Triggered work, named by what it is called with. */
	@Test
	void triggeredWorkIsDoneOnceForItsArguments() {
		process("", (context) -> {
			Jobs jobs = context.getBean(Jobs.class);
			jobs.export("c-1");
			jobs.export("c-2");
			jobs.export("c-1");
			assertThat(sent()).containsExactly("c-1/c-1", "c-2/c-2");
			assertThat(jdbc().sql("select grain from once_effect_ledger").query(String.class).list())
				.containsExactlyInAnyOrder("export@c-1", "export@c-2");
			assertThat(jdbc().sql("select arguments from once_occurrence where occurrence = 'c-2'")
				.query(String.class)
				.single()).isEqualTo("[\"c-2\"]");
		});
	}

	private List<String> sent() {
		return jdbc().sql("select item from sent").query(String.class).list();
	}

	private JdbcClient jdbc() {
		return this.database.jdbc();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void process(String slot, Consumer<ConfigurableApplicationContext> application) {
		HikariDataSource dataSource = this.database.newDataSource(4);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", HikariDataSource.class, () -> dataSource)
			.withBean(Bodies.class)
			.withBean(Mails.class, () -> new Mails(JdbcClient.create(dataSource)))
			.withBean(Jobs.class)
			.withPropertyValues("once.occurrence=" + slot, "once.zone=UTC", "once.defaults.lease=5s",
					"once.defaults.job-backoff=0s")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				application.accept(context);
			});
	}

	static class Bodies {

		Runnable body = () -> {
		};

	}

	static class Jobs {

		private final Bodies bodies;

		private final Mails mails;

		Jobs(Bodies bodies, Mails mails) {
			this.bodies = bodies;
			this.mails = mails;
		}

		@OnceJob(name = "digest", overlap = Overlap.COALESCE, grain = Grain.DAY)
		void digest() {
			this.mails.send("1");
			this.bodies.body.run();
			this.mails.send("2");
		}

		@OnceJob(name = "count", overlap = Overlap.COALESCE, grain = Grain.DAY)
		int count() {
			return 2;
		}

		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "#customer")
		void export(String customer) {
			this.mails.sendInOccurrence(customer);
		}

	}

	static class Mails {

		private final JdbcClient jdbc;

		Mails(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String item) {
			insert(item);
		}

		private void insert(String item) {
			this.jdbc.sql("insert into sent values (:item)").param("item", item).update();
		}

		@OnceEffect(action = "send-anew", grain = Grain.OCCURRENCE, unobservable = Unobservable.ACCEPTED)
		void sendInOccurrence(@EffectTarget String item) {
			insert(item + "/" + JobRun.current().occurrence());
		}

	}

	record Message(Map<String, String> headers, String body) {

	}

	/**
	 * Delivers again what was not acknowledged.
	 */
	static class Broker {

		private final Deque<Message> waiting = new ArrayDeque<>();

		void send(Message message) {
			this.waiting.add(message);
		}

		void deliver(Listener listener) {
			try {
				listener.on(this.waiting.element());
				this.waiting.remove();
			}
			catch (Exception ex) {
				// Not acknowledged
			}
		}

	}

	static class Listener {

		private final OnceOperations once;

		private final Mails mails;

		private String failsAt = "";

		private JobOutcome<?> outcome;

		Listener(OnceOperations once, Mails mails) {
			this.once = once;
			this.mails = mails;
		}

		void on(Message message) throws Exception {
			this.outcome = this.once.job(message.headers().get(OnceHeaders.JOB))
				.occurrence(message.headers().get(OnceHeaders.OCCURRENCE),
						Instant.parse(message.headers().get(OnceHeaders.DUE)))
				.run((run) -> {
					for (String name : message.body().split(",")) {
						if (name.equals(this.failsAt)) {
							throw new IllegalStateException();
						}
						this.mails.sendInOccurrence(name);
					}
				});
			this.outcome.requireDone();
		}

	}

}
