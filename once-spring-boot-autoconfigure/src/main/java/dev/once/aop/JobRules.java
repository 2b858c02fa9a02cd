package dev.once.aop;

import java.lang.reflect.Method;
import java.time.ZoneId;
import java.util.List;

import dev.once.Grain;
import dev.once.OnMissed;
import dev.once.Overlap;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.Timetable;
import dev.once.OnceJob;
import dev.once.occurrence.Schedule;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.util.StringUtils;

/**
 * What holds for the names of a job's occurrences (O1).
 */
final class JobRules {

	private JobRules() {
	}

	/**
	 * Finds how a job's occurrences are named.
	 * @param job the job's name
	 * @param declared what the code declares, or {@code null} for a scheduled effect
	 * @param method its method
	 * @param schedules when that fires
	 * @param where bean and method, for messages
	 * @throws InvalidGuardException when they could not be named
	 */
	static OccurrenceRule occurrences(String job, @Nullable OnceJob declared, Method method, List<Schedule> schedules,
			String where) {
		Grain grain = (declared != null) ? declared.grain() : Grain.OCCURRENCE;
		if (grain == Grain.FACT) {
			throw new InvalidGuardException(where,
					"its job '" + job + "' has grain FACT, so that it would run once " + "and never again",
					"Choose grain = DAY, WEEK, MONTH or YEAR, or leave it out for one occurrence for each due time");
		}
		String occurrence = (declared != null) ? declared.occurrence() : "";
		if (StringUtils.hasText(occurrence)) {
			return byArguments(job, occurrence, grain, method, schedules, where);
		}
		return (method.getParameterCount() > 0 && grain == Grain.OCCURRENCE) ? new OccurrenceRule.ByLease()
				: new OccurrenceRule.ByDueTime(job, grain, schedules);
	}

	/**
	 * Finds how a job's firings are treated that cannot run at once.
	 * @param job the job's name
	 * @param terms the job's terms
	 * @param rule names its occurrences
	 * @param schedules when it fires
	 * @param zone the zone of schedules that give none
	 * @param grain how much of the due time names an occurrence
	 * @param where bean and method, for messages
	 * @throws InvalidGuardException when they could not be treated so
	 */
	static JobPolicy policy(String job, JobTerms terms, OccurrenceRule rule, List<Schedule> schedules, ZoneId zone,
			Grain grain, String where) {
		Timetable timetable = (rule instanceof OccurrenceRule.ByDueTime)
				? Timetable.of(schedules, zone, grain).orElse(null) : null;
		if (terms.overlap() == Overlap.QUEUE && timetable == null && (rule instanceof OccurrenceRule.ByLease
				|| rule instanceof OccurrenceRule.ByDueTime && !schedules.isEmpty() && grain == Grain.OCCURRENCE)) {
			throw new InvalidGuardException(where,
					"its job '" + job + "' chooses overlap QUEUE, which keeps a row for each occurrence, and its "
							+ "occurrences have no names",
					(rule instanceof OccurrenceRule.ByLease)
							? "Name them with occurrence = \"#argument\" on @OnceJob, or choose COALESCE or FAIL"
							: "Use a cron or a fixedRate instead of a fixedDelay, set grain, or choose COALESCE or FAIL");
		}
		if (terms.onMissed() != OnMissed.REPORT && timetable == null) {
			throw new InvalidGuardException(where,
					"its job '" + job + "' chooses onMissed " + terms.onMissed()
							+ ", and has no due times that could be missed",
					"Leave onMissed out, or use a cron or a fixedRate");
		}
		return new JobPolicy(terms.overlap(), terms.queueDepth(), terms.onMissed(), timetable, terms.renewedFor());
	}

	private static OccurrenceRule byArguments(String job, String occurrence, Grain grain, Method method,
			List<Schedule> schedules, String where) {
		if (!schedules.isEmpty()) {
			throw new InvalidGuardException(where,
					"arguments are to name the occurrences of its job '" + job + "', and @Scheduled passes none",
					"Take occurrence away from @OnceJob: the due time names them (grain keeps less of it); or take "
							+ "@Scheduled away and call the method");
		}
		if (grain != Grain.OCCURRENCE) {
			throw new InvalidGuardException(where,
					"both occurrence and grain are to name the occurrences of its job '" + job + "'",
					"Keep one; a day among the arguments can be a part of the name: "
							+ "occurrence = \"{#customer, #day}\"");
		}
		KeyExpression expression = KeyExpression.read(occurrence,
				new DefaultParameterNameDiscoverer().getParameterNames(method), where);
		if (!expression.usesArguments()) {
			throw new InvalidGuardException(where,
					"the occurrence '" + occurrence + "' of its job '" + job
							+ "' uses no argument, so that all calls would be one occurrence",
					"Name what tells them apart, such as occurrence = \"#order.id\"");
		}
		return new OccurrenceRule.ByArguments(job, expression);
	}

}
