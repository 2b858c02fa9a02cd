package dev.once.occurrence;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.NavigableSet;
import java.util.TreeSet;

import dev.once.DueTime;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;

/**
 * Firings of a trigger. A scheduler that hands tasks off to other threads may have asked
 * for the next firing before this one has begun, and one that is busy may have lost some:
 * the instants that the trigger computed are kept until a firing begins at or after them.
 */
final class TriggerFirings implements Trigger, Firings {

	/** Timers wake early by less; no cron fires as often. */
	private static final Duration EARLY = Duration.ofMillis(100);

	private final Trigger trigger;

	private final Schedule schedule;

	private final @Nullable ZoneId zone;

	private final NavigableSet<Instant> pending = new TreeSet<>();

	private Clock clock = Clock.systemDefaultZone();

	private @Nullable Instant last;

	private int overtaken;

	/**
	 * Creates it.
	 * @param trigger computes the firings
	 * @param schedule what names them
	 * @param zone the zone where the schedule gives none, or {@code null} for that of the
	 * scheduler's clock
	 */
	TriggerFirings(Trigger trigger, Schedule schedule, @Nullable ZoneId zone) {
		this.trigger = trigger;
		this.schedule = schedule;
		this.zone = zone;
	}

	@Override
	public @Nullable Instant nextExecution(TriggerContext context) {
		Clock clock = (this.zone != null) ? context.getClock().withZone(this.zone) : context.getClock();
		Instant next = this.trigger.nextExecution((this.zone != null) ? new ZonedContext(context, clock) : context);
		synchronized (this) {
			this.clock = clock;
			if (next != null) {
				this.pending.add(next);
			}
		}
		return next;
	}

	@Override
	public synchronized DueTime take() {
		return Firings.dueTime(this.schedule, takeInstant(), this.clock.getZone());
	}

	private Instant takeInstant() {
		Instant now = this.clock.instant();
		Instant due = this.pending.floor(now.plus(EARLY));
		if (due != null) {
			NavigableSet<Instant> begun = this.pending.headSet(due, true);
			this.overtaken += begun.size() - 1;
			begun.clear();
		}
		else if (this.pending.isEmpty() || this.overtaken > 0) {
			// Another thread, handed off later, began before this one
			this.overtaken = Math.max(0, this.overtaken - 1);
			due = (this.last != null) ? this.last : now;
		}
		else {
			// The clock was put back, or the timer was very early
			due = this.pending.pollFirst();
		}
		this.last = due;
		return due;
	}

	@Override
	public String toString() {
		return this.trigger.toString();
	}

	/** The scheduler's context, with a clock of another zone. */
	private record ZonedContext(TriggerContext context, Clock clock) implements TriggerContext {

		@Override
		public Clock getClock() {
			return this.clock;
		}

		@Override
		public @Nullable Instant lastScheduledExecution() {
			return this.context.lastScheduledExecution();
		}

		@Override
		public @Nullable Instant lastActualExecution() {
			return this.context.lastActualExecution();
		}

		@Override
		public @Nullable Instant lastCompletion() {
			return this.context.lastCompletion();
		}

	}

}
