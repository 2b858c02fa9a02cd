package dev.once.occurrence;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.once.DueTime;
import org.jspecify.annotations.Nullable;

/**
 * Firings of a fixed rate or delay. While a firing runs, its future says how long ago it
 * was due, on the monotonic clock: a pool that catches up gives each firing its own due
 * time, and a clock that was set gives no wrong ones for ever. Where tasks are handed off
 * to other threads the future is one period ahead already.
 */
final class PeriodicFirings implements Firings {

	private static final Duration MOST_SLACK = Duration.ofSeconds(1);

	private final Schedule schedule;

	private final Duration period;

	private final ZoneId zone;

	private final Clock clock;

	private final Duration slack;

	private Instant start;

	private @Nullable ScheduledFuture<?> future;

	PeriodicFirings(Schedule schedule, Duration period, Instant start, ZoneId zone) {
		this(schedule, period, start, zone, Clock.systemUTC());
	}

	PeriodicFirings(Schedule schedule, Duration period, Instant start, ZoneId zone, Clock clock) {
		this.schedule = schedule;
		this.period = period;
		this.zone = zone;
		this.clock = clock;
		Instant now = clock.instant();
		this.start = start.isBefore(now) ? now : start;
		Duration quarter = period.dividedBy(4);
		this.slack = (quarter.compareTo(MOST_SLACK) < 0) ? quarter : MOST_SLACK;
	}

	/**
	 * Takes the future that the scheduler returned.
	 * @return the future
	 */
	synchronized ScheduledFuture<?> follow(ScheduledFuture<?> future) {
		this.future = future;
		return future;
	}

	@Override
	public DueTime take() {
		return Firings.dueTime(this.schedule, takeInstant(), this.zone);
	}

	private synchronized Instant takeInstant() {
		if (this.future == null) {
			// The first firing began before the scheduler returned
			return this.start;
		}
		long left = this.future.getDelay(TimeUnit.NANOSECONDS);
		Instant due = this.clock.instant().plusNanos(left);
		if (left > 0) {
			due = due.minus(this.period);
		}
		return (this.schedule instanceof Schedule.FixedRate) ? snapped(due) : due;
	}

	/**
	 * Two clocks are read one after the other: what that adds must not carry a firing
	 * over the edge of a slot.
	 */
	private Instant snapped(Instant due) {
		long periods = Math.round((double) Duration.between(this.start, due).toNanos() / this.period.toNanos());
		Instant exact = this.start.plus(this.period.multipliedBy(periods));
		if (Duration.between(exact, due).abs().compareTo(this.slack) > 0) {
			// The wall clock was set, or the machine slept
			this.start = due;
			return due;
		}
		return exact;
	}

}
