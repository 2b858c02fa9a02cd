package dev.once.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * A local deadline, counted from before the statement that set the database's, so that it
 * always ends first. It is past, too, when the wall clock says so: a suspended machine's
 * monotonic clock stands still (L5).
 */
public final class Deadline {

	private final TimeSource time;

	private final long startNanos;

	private final Instant startWall;

	private final Duration length;

	private Deadline(TimeSource time, long startNanos, Instant startWall, Duration length) {
		this.time = time;
		this.startNanos = startNanos;
		this.startWall = startWall;
		this.length = length;
	}

	/**
	 * A deadline that starts now.
	 * @param time the process's time
	 * @param length how long it lasts
	 */
	public static Deadline startingNow(TimeSource time, Duration length) {
		return new Deadline(time, time.nanoTime(), time.now(), length);
	}

	/**
	 * Whether it has passed.
	 */
	public boolean isPast() {
		return left().isZero();
	}

	/**
	 * What is left of it; zero once it has passed.
	 */
	public Duration left() {
		Duration left = this.length.minus(elapsed());
		return left.isNegative() ? Duration.ZERO : left;
	}

	/**
	 * How long ago it started, by whichever clock says more.
	 */
	public Duration elapsed() {
		Duration monotonic = Duration.ofNanos(this.time.nanoTime() - this.startNanos);
		Duration wall = Duration.between(this.startWall, this.time.now());
		return (wall.compareTo(monotonic) > 0) ? wall : monotonic;
	}

}
