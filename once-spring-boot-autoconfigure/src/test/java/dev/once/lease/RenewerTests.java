package dev.once.lease;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * L4: one thread renews, an exception never ends it, and it is started anew if it dies.
 */
@ExtendWith(OutputCaptureExtension.class)
class RenewerTests {

	private static final Duration TICK = Duration.ofMillis(2);

	private Renewer renewer;

	@AfterEach
	void close() {
		this.renewer.close();
	}

	/** L4: nothing runs before something is held. */
	@Test
	void itStartsWhenItIsNeededAndOnlyOnce() {
		AtomicReference<Thread> thread = new AtomicReference<>();
		AtomicInteger threads = new AtomicInteger();
		AtomicInteger ticks = new AtomicInteger();
		renewer(() -> {
			ticks.incrementAndGet();
			if (thread.getAndSet(Thread.currentThread()) != Thread.currentThread()) {
				threads.incrementAndGet();
			}
		});
		assertThat(this.renewer.isRunning()).isFalse();
		for (int i = 0; i < 10; i++) {
			this.renewer.ensureRunning();
		}
		Awaitility.await().untilAtomic(ticks, org.hamcrest.Matchers.greaterThan(3));
		assertThat(this.renewer.isRunning()).isTrue();
		assertThat(threads).hasValue(1);
		assertThat(thread.get().isDaemon()).isTrue();
		assertThat(thread.get().getName()).isEqualTo("once-renewal");
	}

	/** L4: each by itself. */
	@Test
	void aRenewalThatThrowsEndsNeitherTheThreadNorTheOtherRenewal() {
		AtomicInteger failures = new AtomicInteger();
		AtomicInteger ticks = new AtomicInteger();
		List<Throwable> thrown = List.of(new StoreException("connection lost", new IllegalStateException()),
				new NoClassDefFoundError("Driver"), new StackOverflowError(), new ThreadDeath());
		renewer(() -> sneakyThrow(thrown.get(failures.getAndIncrement() % thrown.size())), ticks::incrementAndGet);
		this.renewer.ensureRunning();
		Awaitility.await().untilAtomic(ticks, org.hamcrest.Matchers.greaterThan(8));
		assertThat(failures).hasValueGreaterThan(7);
		assertThat(this.renewer.isRunning()).isTrue();
	}

	/** L4: a database that is away is told of once, not at every tick. */
	@Test
	void aRenewalThatGoesOnFailingIsToldOfOnceAndItsRecoveryToo(CapturedOutput output) {
		AtomicInteger ticks = new AtomicInteger();
		renewer(() -> {
			if (ticks.incrementAndGet() < 10) {
				throw new StoreException("connection lost", new IllegalStateException());
			}
		});
		this.renewer.ensureRunning();
		Awaitility.await().until(() -> output.getAll().contains("Renewal fails no more"));
		assertThat(output.getAll().lines().filter((line) -> line.contains("Renewal failed"))).hasSize(1);
	}

	/** L4: only closing ends it. */
	@Test
	void anInterruptDoesNotEndIt() {
		AtomicInteger ticks = new AtomicInteger();
		renewer(() -> {
			ticks.incrementAndGet();
			Thread.currentThread().interrupt();
		});
		this.renewer.ensureRunning();
		Awaitility.await().untilAtomic(ticks, org.hamcrest.Matchers.greaterThan(5));
		assertThat(this.renewer.isRunning()).isTrue();
	}

	/** L4: it is restarted if it dies. */
	@Test
	void aThreadThatDiedAllTheSameIsStartedAnew() {
		AtomicInteger deaths = new AtomicInteger();
		AtomicInteger ticks = new AtomicInteger();
		renewer(() -> {
			if (deaths.getAndIncrement() == 0) {
				throw new Unspeakable();
			}
			ticks.incrementAndGet();
		});
		this.renewer.ensureRunning();
		Awaitility.await().dontCatchUncaughtExceptions().until(() -> deaths.get() > 0 && !this.renewer.isRunning());
		this.renewer.ensureRunning();
		Awaitility.await().untilAtomic(ticks, org.hamcrest.Matchers.greaterThan(2));
		assertThat(this.renewer.isRunning()).isTrue();
	}

	/** L4: shutdown. */
	@Test
	void itEndsWhenItIsClosedAndIsNotStartedAgain() {
		AtomicInteger ticks = new AtomicInteger();
		renewer(ticks::incrementAndGet);
		this.renewer.ensureRunning();
		Awaitility.await().untilAtomic(ticks, org.hamcrest.Matchers.greaterThan(0));
		this.renewer.close();
		Awaitility.await().until(() -> !this.renewer.isRunning());
		this.renewer.ensureRunning();
		assertThat(this.renewer.isRunning()).isFalse();
	}

	private void renewer(Runnable... renewals) {
		this.renewer = new Renewer(List.of(renewals), TICK);
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> void sneakyThrow(Throwable failure) throws T {
		throw (T) failure;
	}

	/** Not even its report can be written. */
	private static final class Unspeakable extends RuntimeException {

		@Override
		public String getMessage() {
			throw new IllegalStateException("no message");
		}

		@Override
		public String toString() {
			throw new IllegalStateException("no text");
		}

	}

}
