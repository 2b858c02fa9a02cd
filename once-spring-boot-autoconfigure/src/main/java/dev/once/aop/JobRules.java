package dev.once.aop;

import java.lang.reflect.Method;
import java.util.List;

import dev.once.Grain;
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
