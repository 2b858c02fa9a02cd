package dev.once.caretaker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A thread that makes a round at every interval, until it is closed. What a round throws
 * ends nothing.
 */
final class Rounds implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Rounds.class);

	/** Statements end within it; a round that waits for a far side need not. */
	private static final Duration LAST_ROUND = Duration.ofSeconds(1);

	private final String name;

	private final String what;

	private final Duration interval;

	private final Round round;

	private final Semaphore wake = new Semaphore(0);

	private @Nullable Thread thread;

	private boolean failing;

	private volatile boolean closed;

	/**
	 * Creates it; it works from {@link #start()} on.
	 * @param name the thread's name
	 * @param what what it does, for messages
	 * @param interval the time between two rounds
	 * @param round one round
	 */
	Rounds(String name, String what, Duration interval, Round round) {
		this.name = name;
		this.what = what;
		this.interval = interval;
		this.round = round;
	}

	synchronized void start() {
		if (this.thread == null && !this.closed) {
			this.thread = daemon(this::run, this.name);
			this.thread.start();
		}
	}

	/**
	 * Makes a round now instead of at the next interval.
	 */
	void look() {
		if (this.wake.availablePermits() == 0) {
			this.wake.release();
		}
	}

	private void run() {
		while (!this.closed) {
			After after = After.A_PAUSE;
			try {
				after = this.round.make();
				recovered();
			}
			catch (Throwable ex) {
				failed(ex);
			}
			if (after == After.A_PAUSE) {
				sleep();
			}
		}
	}

	// A database that is away is told of once, not at every interval
	private void failed(Throwable failure) {
		String message = this.what + " failed and is tried again every " + this.interval.toMillis() + " ms";
		if (this.closed || this.failing) {
			logger.debug(message, failure);
		}
		else {
			logger.warn(message, failure);
		}
		this.failing = true;
	}

	private void recovered() {
		if (this.failing) {
			logger.info(this.what + " works again");
		}
		this.failing = false;
	}

	private void sleep() {
		try {
			if (this.wake.tryAcquire(this.interval.toMillis(), TimeUnit.MILLISECONDS)) {
				this.wake.drainPermits();
			}
		}
		catch (InterruptedException ex) {
			// Only closing ends the rounds
		}
	}

	static Thread daemon(Runnable work, String name) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * Ends it, and waits a little for the round that is under way: what that reads over
	 * is closed next.
	 */
	@Override
	public void close() {
		Thread thread = end();
		if (thread != null) {
			try {
				thread.join(LAST_ROUND.toMillis());
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private synchronized @Nullable Thread end() {
		this.closed = true;
		if (this.thread != null) {
			this.thread.interrupt();
		}
		return this.thread;
	}

	/**
	 * One round.
	 */
	@FunctionalInterface
	interface Round {

		/**
		 * Makes it.
		 * @return when the next one follows
		 */
		After make();

	}

	/**
	 * When the next round follows.
	 */
	enum After {

		/**
		 * At once: there is more to do.
		 */
		NOTHING,

		/**
		 * After the interval.
		 */
		A_PAUSE

	}

}
