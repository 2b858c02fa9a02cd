package dev.once.aop;

import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;

import dev.once.Grain;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * A job that is guarded, for people.
 *
 * @param name the job's name
 * @param method bean and method
 * @param schedules when it fires; empty where no timer calls it
 * @param zone the zone of schedules that give none
 * @param zoneChoice whether somebody chose that; else it is the JVM's
 * @param grain how much of the due time names an occurrence
 * @param policy how firings are treated that cannot run at once
 * @param lease how long a run's lease lasts without a renewal
 * @param leaseChoice whether somebody chose that
 */
public record GuardedJob(String name, String method, List<Schedule> schedules, ZoneId zone, Choice zoneChoice,
		Grain grain, JobPolicy policy, Duration lease, Choice leaseChoice) {

	/**
	 * Text of its schedules, the same on every node and in any order of annotations, or
	 * {@code null} where no timer calls it.
	 */
	public @Nullable String schedule() {
		return this.schedules.isEmpty() ? null
				: this.schedules.stream().map(Schedule::text).distinct().sorted().collect(Collectors.joining(" | "));
	}

	/**
	 * Text of the zones in which its due times fall.
	 */
	public String zones() {
		return this.schedules.isEmpty() ? Schedule.text(this.zone)
				: this.schedules.stream()
					.map((schedule) -> Schedule.text(schedule.zone(this.zone)))
					.distinct()
					.sorted()
					.collect(Collectors.joining(", "));
	}

	/**
	 * Whether any of its due times falls in the zone of schedules that give none.
	 */
	boolean usesFallbackZone() {
		return this.schedules.isEmpty() || this.schedules.stream()
			.anyMatch((schedule) -> !(schedule instanceof Schedule.Cron cron) || cron.zone() == null);
	}

}
