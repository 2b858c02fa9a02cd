package dev.once.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A process's time that stands still until it is moved, the database's clock with it.
 * Whoever pauses moves it, so that nobody sleeps.
 */
public final class SettableTime implements TimeSource {

	/** Whoever pauses more often waits for what will not come. */
	private static final int MOST_PAUSES = 1000;

	private final SettableClock database;

	private final List<Duration> pauses = new CopyOnWriteArrayList<>();

	private long nanos = 4_711_000_000_000L;

	private Instant wall = Instant.parse("2026-08-24T06:00:07Z");

	public SettableTime(SettableClock database) {
		this.database = database;
	}

	/**
	 * Time passes for the process and for the database.
	 * @param duration how much
	 */
	public synchronized void advance(Duration duration) {
		this.nanos += duration.toNanos();
		this.wall = this.wall.plus(duration);
		this.database.advance(duration);
	}

	/**
	 * The machine is suspended: time passes, and its monotonic clock stands still.
	 * @param duration how long
	 */
	public synchronized void suspend(Duration duration) {
		this.wall = this.wall.plus(duration);
		this.database.advance(duration);
	}

	/**
	 * Somebody sets the machine's wall clock, and nothing else changes.
	 * @param step how far
	 */
	public synchronized void stepWallClock(Duration step) {
		this.wall = this.wall.plus(step);
	}

	/**
	 * How long was paused, in order.
	 */
	public List<Duration> pauses() {
		return List.copyOf(this.pauses);
	}

	@Override
	public synchronized long nanoTime() {
		return this.nanos;
	}

	@Override
	public synchronized Instant now() {
		return this.wall;
	}

	@Override
	public void pause(Duration duration) throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException("interrupted in a pause");
		}
		this.pauses.add(duration);
		if (this.pauses.size() > MOST_PAUSES) {
			throw new AssertionError("Paused " + MOST_PAUSES + " times in vain");
		}
		advance(duration);
	}

}
