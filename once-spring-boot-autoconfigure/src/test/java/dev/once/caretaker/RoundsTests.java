package dev.once.caretaker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RoundsTests {

	/** What a driver waits for on its socket is not ended by an interrupt. */
	@Test
	void theRoundThatIsUnderWayHasEndedWhenItIsClosed() throws InterruptedException {
		CountDownLatch begun = new CountDownLatch(1);
		AtomicBoolean ended = new AtomicBoolean();
		Rounds rounds = new Rounds("rounds", "A round", Duration.ofHours(1), () -> {
			begun.countDown();
			long end = System.nanoTime() + Duration.ofMillis(200).toNanos();
			while (System.nanoTime() < end) {
				LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
			}
			ended.set(true);
			return Rounds.After.A_PAUSE;
		});
		rounds.start();
		begun.await();
		rounds.close();
		assertThat(ended).isTrue();
	}

}
