package dev.once.aop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.EffectNotSentException;
import dev.once.EffectTarget;
import dev.once.EffectUnresolvedException;
import dev.once.JobAlreadyRunningException;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceException;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.RunFencedException;
import dev.once.Unobservable;
import dev.once.ledger.EffectState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Jobs: one run at a time, and what its effects and items become.
 */
@ExtendWith(OutputCaptureExtension.class)
class GuardedJobTests {

	private final GuardedContext guarded = GuardedContext.of(Mails.class, Jobs.class, Bodies.class);

	private final Jobs jobs = this.guarded.get(Jobs.class);

	private final Mails mails = this.guarded.get(Mails.class);

	private final Bodies bodies = this.guarded.get(Bodies.class);

	@AfterEach
	void close() {
		this.guarded.close();
	}

	@Test
	void aRunHoldsTheLeaseWhileItsBodyRunsAndReportsInOneLine(CapturedOutput output) {
		this.bodies.body = () -> {
			assertThat(JobRun.current().job()).isEqualTo("mailing");
			assertThat(JobRun.current().fencingToken()).isOne();
			assertThat(this.guarded.once().leases().live()).hasSize(1);
			JobRun.current().each(List.of("a", "b", "a"), this.mails::send);
		};
		this.jobs.mailing();
		assertThat(this.guarded.once().leases().live()).isEmpty();
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(JobRun::current);
		assertThat(this.guarded.rows()).hasSize(2).allSatisfy((row) -> assertThat(row.facts()).isNotNull());
		assertThat(output).containsOnlyOnce("Run of job 'mailing' (token 1) took 0 ms: 2 performed, 1 duplicates, ")
			.contains(" 0 unknown, ")
			.contains(" 0 failed items");
		this.bodies.body = () -> assertThat(JobRun.current().fencingToken()).isEqualTo(2);
		this.jobs.mailing();
	}

	@Test
	void aFiringThatComesWhileARunIsLiveIsSkippedOrATypedException() throws Exception {
		CountDownLatch started = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		AtomicInteger runs = new AtomicInteger();
		this.bodies.body = () -> {
			runs.incrementAndGet();
			started.countDown();
			await(finish);
		};
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			Future<Integer> first = other.submit(this.jobs::counting);
			assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
			assertThatExceptionOfType(JobAlreadyRunningException.class).isThrownBy(this.jobs::counting)
				.withMessageContaining("'counting'");
			finish.countDown();
			assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(42);
		}
		finally {
			other.shutdownNow();
		}
		this.guarded.once().leases().claim("mailing", Duration.ofSeconds(30), "another node", null);
		this.jobs.mailing();
		assertThat(runs).hasValue(1);
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aCallWithinItsOwnRunIsAPartOfIt(CapturedOutput output) {
		AtomicInteger inner = new AtomicInteger();
		this.bodies.body = () -> {
			JobRun outer = JobRun.current();
			this.bodies.body = () -> {
				assertThat(JobRun.current()).isSameAs(outer);
				inner.incrementAndGet();
			};
			assertThat(this.jobs.counting()).isEqualTo(42);
		};
		assertThat(this.jobs.counting()).isEqualTo(42);
		assertThat(inner).hasValue(1);
		assertThat(output).containsOnlyOnce("Run of job 'counting'");
	}

	@Test
	void anotherJobWithinARunHasARunOfItsOwn() {
		this.bodies.body = () -> {
			JobRun outer = JobRun.current();
			this.bodies.body = () -> assertThat(JobRun.current().job()).isEqualTo("mailing");
			this.jobs.mailing();
			assertThat(JobRun.current()).isSameAs(outer);
		};
		this.jobs.counting();
	}

	@Test
	void aBodyThatThrowsReleasesTheLeaseAndIsReportedWithoutItsMessage(CapturedOutput output) {
		IllegalStateException failure = new IllegalStateException("CANARY");
		this.bodies.body = () -> {
			throw failure;
		};
		assertThatThrownBy(this.jobs::mailing).isSameAs(failure);
		assertThat(this.guarded.once().leases().live()).isEmpty();
		assertThat(output).contains("and then threw java.lang.IllegalStateException").doesNotContain("CANARY");
	}

	@Test
	void eachGoesOnPastUnsettledAndFailingItems(CapturedOutput output) {
		this.bodies.body = () -> JobRun.current().each(List.of("a", "fails", "unsent", "b"), (item) -> {
			if (item.equals("fails")) {
				throw new Exception("CANARY");
			}
			if (item.equals("unsent")) {
				throw new EffectNotSentException("CANARY");
			}
			this.mails.send(item);
		});
		this.jobs.mailing();
		assertThat(this.guarded.rows()).hasSize(2);
		assertThat(output).contains("2 performed").contains("1 failed items").doesNotContain("CANARY");
	}

	@Test
	void eachStopsWhenTheRunIsFenced() {
		AtomicInteger items = new AtomicInteger();
		this.bodies.body = () -> JobRun.current().each(List.of("a", "b", "c"), (item) -> {
			items.incrementAndGet();
			this.guarded.once().time().advance(Duration.ofSeconds(31));
			this.guarded.once().leases("another").claim("mailing", Duration.ofSeconds(30), "another node", null);
			this.mails.send(item);
		});
		assertThatExceptionOfType(RunFencedException.class).isThrownBy(this.jobs::mailing);
		assertThat(items).hasValue(1);
		assertThat(this.guarded.rows()).isEmpty();
	}

	@Test
	void eachStopsWhenTheThreadIsInterrupted() {
		AtomicInteger items = new AtomicInteger();
		this.bodies.body = () -> JobRun.current().each(List.of("a", "b"), (item) -> {
			items.incrementAndGet();
			throw new InterruptedException();
		});
		assertThatExceptionOfType(OnceException.class).isThrownBy(this.jobs::mailing)
			.withMessageContaining("interrupted");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(items).hasValue(1);
		assertThat(this.guarded.once().leases().live()).isEmpty();
	}

	@Test
	void aMetUnsettledEffectWithoutAnswerIsCountedAndSkippedInARun(CapturedOutput output) {
		this.bodies.body = () -> JobRun.current().each(List.of("a"), this.mails::sendOrFail);
		this.jobs.mailing();
		assertThat(this.guarded.row().state()).isEqualTo(EffectState.UNKNOWN);
		this.bodies.body = () -> this.mails.sendOrFail("a");
		this.jobs.mailing();
		assertThat(output).contains("(token 1) took 0 ms: 0 performed").contains("(token 2) took 0 ms: 0 performed");
		assertThat(output.toString().lines().filter((line) -> line.contains("1 unknown"))).hasSize(2);
	}

	@Test
	void anAnswerThatIsUnsettledThrowsInARunToo() {
		this.bodies.body = () -> {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.mails.number("a"));
			assertThatExceptionOfType(EffectUnresolvedException.class).isThrownBy(() -> this.mails.number("a"));
		};
		this.jobs.mailing();
	}

	@Test
	void aJobThatIsAnEffectIsAnEffectInARunOfItsOwn() {
		this.jobs.figure("2026-08-24");
		this.jobs.figure("2026-08-24");
		assertThat(this.guarded.row().attempt().number()).isOne();
		assertThat(this.guarded.row().attempt().fence()).isNotNull();
	}

	@Test
	void aStoppingContextStartsNothingNew() {
		AtomicInteger runs = new AtomicInteger();
		this.bodies.body = runs::incrementAndGet;
		this.guarded.runs().stop();
		this.jobs.mailing();
		assertThatExceptionOfType(OnceException.class).isThrownBy(this.jobs::counting)
			.withMessageContaining("shutting down");
		assertThat(runs).hasValue(0);
	}

	@Test
	void eachStartsNoFurtherItemInAStoppingContext() {
		AtomicInteger items = new AtomicInteger();
		this.bodies.body = () -> JobRun.current().each(List.of("a", "b"), (item) -> {
			items.incrementAndGet();
			this.guarded.runs().stop();
		});
		assertThatExceptionOfType(OnceException.class).isThrownBy(this.jobs::mailing)
			.withMessageContaining("shutting down");
		assertThat(items).hasValue(1);
	}

	static class Bodies {

		Runnable body = () -> {
		};

	}

	static class Jobs {

		private final Bodies bodies;

		Jobs(Bodies bodies) {
			this.bodies = bodies;
		}

		@OnceJob(name = "mailing", overlap = Overlap.COALESCE)
		void mailing() {
			this.bodies.body.run();
		}

		@OnceJob(name = "counting", overlap = Overlap.COALESCE)
		int counting() {
			this.bodies.body.run();
			return 42;
		}

		@OnceJob(name = "figure", overlap = Overlap.COALESCE)
		@OnceEffect(action = "figure", unobservable = Unobservable.ACCEPTED)
		void figure(@EffectTarget String day) {
		}

	}

	static class Mails {

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String address) {
		}

		@OnceEffect(action = "mail-or-fail", unobservable = Unobservable.ACCEPTED)
		void sendOrFail(@EffectTarget String address) {
			throw new IllegalStateException("lost");
		}

		@OnceEffect(action = "number", unobservable = Unobservable.ACCEPTED)
		int number(@EffectTarget String address) {
			throw new IllegalStateException("lost");
		}

	}

}
