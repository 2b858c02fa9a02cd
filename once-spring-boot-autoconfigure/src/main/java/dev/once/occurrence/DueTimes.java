package dev.once.occurrence;

import java.time.ZoneId;

import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Gives each firing of a scheduled task its due time, as its trigger computed it: the
 * scheduler of the context's registrar is wrapped, whichever it is.
 */
public final class DueTimes implements SchedulingConfigurer, Ordered {

	private final @Nullable ZoneId zone;

	/**
	 * Creates it.
	 * @param zone the zone in which crons without a zone fire, or {@code null} for that
	 * of the scheduler's clock, which is the JVM's
	 */
	public DueTimes(@Nullable ZoneId zone) {
		this.zone = zone;
	}

	@Override
	public void configureTasks(ScheduledTaskRegistrar registrar) {
		TaskScheduler scheduler = registrar.getScheduler();
		if (scheduler != null && !(scheduler instanceof DueScheduler)) {
			registrar.setTaskScheduler(new DueScheduler(scheduler, this.zone));
		}
	}

	// After the application's own, which may choose the scheduler
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
