package dev.once.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * The process's own time, for local deadlines only: leases, windows and ages are the
 * database's (L5).
 */
public interface TimeSource {

	/**
	 * The process's monotonic and wall clock.
	 */
	TimeSource SYSTEM = new TimeSource() {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public Instant now() {
			return Instant.now();
		}

		@Override
		public void pause(Duration duration) throws InterruptedException {
			Thread.sleep(duration.toMillis());
		}

	};

	/**
	 * Monotonic nanoseconds; only differences mean anything.
	 */
	long nanoTime();

	/**
	 * The wall clock.
	 */
	Instant now();

	/**
	 * Lets the calling thread wait.
	 * @param duration how long
	 * @throws InterruptedException when the thread is interrupted
	 */
	void pause(Duration duration) throws InterruptedException;

}
