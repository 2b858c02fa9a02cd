package dev.once.occurrence;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.ScheduledFuture;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.PeriodicTrigger;

/**
 * A scheduler whose tasks run with their due time in scope. It schedules nothing itself.
 */
final class DueScheduler implements TaskScheduler {

	private final TaskScheduler scheduler;

	private final @Nullable ZoneId zone;

	DueScheduler(TaskScheduler scheduler, @Nullable ZoneId zone) {
		this.scheduler = scheduler;
		this.zone = zone;
	}

	@Override
	public Clock getClock() {
		return this.scheduler.getClock();
	}

	@Override
	public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
		TriggerFirings firings = new TriggerFirings(trigger, scheduleOf(trigger), this.zone);
		return this.scheduler.schedule(new DueTask(task, firings), firings);
	}

	private static Schedule scheduleOf(Trigger trigger) {
		if (trigger instanceof CronTrigger cron) {
			return new Schedule.Cron(cron.getExpression(), CronZone.of(cron));
		}
		if (trigger instanceof PeriodicTrigger periodic) {
			Duration period = periodic.getPeriodDuration();
			return (periodic.isFixedRate() && !period.isZero() && !period.isNegative()) ? new Schedule.FixedRate(period)
					: new Schedule.FixedDelay(period);
		}
		return new Schedule.Other(trigger.getClass().getSimpleName());
	}

	@Override
	public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
		Schedule once = new Schedule.OneTime();
		return this.scheduler.schedule(new DueTask(task, () -> Firings.dueTime(once, startTime, fallback())),
				startTime);
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
		PeriodicFirings firings = rate(startTime, period);
		return firings.follow(this.scheduler.scheduleAtFixedRate(new DueTask(task, firings), startTime, period));
	}

	@Override
	public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
		PeriodicFirings firings = rate(Instant.now(), period);
		return firings.follow(this.scheduler.scheduleAtFixedRate(new DueTask(task, firings), period));
	}

	private PeriodicFirings rate(Instant startTime, Duration period) {
		return new PeriodicFirings(new Schedule.FixedRate(period), period, startTime, fallback());
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
		PeriodicFirings firings = delay(startTime, delay);
		return firings.follow(this.scheduler.scheduleWithFixedDelay(new DueTask(task, firings), startTime, delay));
	}

	@Override
	public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
		PeriodicFirings firings = delay(Instant.now(), delay);
		return firings.follow(this.scheduler.scheduleWithFixedDelay(new DueTask(task, firings), delay));
	}

	private PeriodicFirings delay(Instant startTime, Duration delay) {
		return new PeriodicFirings(new Schedule.FixedDelay(delay), delay, startTime, fallback());
	}

	private ZoneId fallback() {
		return (this.zone != null) ? this.zone : getClock().getZone();
	}

	@Override
	public String toString() {
		return "Due times of " + this.scheduler;
	}

}
