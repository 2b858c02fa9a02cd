package dev.once.aop;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.once.occurrence.Schedule;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * When methods fire, as their annotations say it: what a call of one, made by somebody
 * who knows the due time, is named by.
 */
final class Schedules {

	private Schedules() {
	}

	/**
	 * The schedules of a method.
	 * @param method the method
	 * @param values resolves placeholders
	 */
	static List<Schedule> of(Method method, StringValueResolver values) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream(Scheduled.class)
			.map(MergedAnnotation::synthesize)
			.filter((scheduled) -> !Scheduled.CRON_DISABLED.equals(resolve(scheduled.cron(), values)))
			.map((scheduled) -> schedule(scheduled, values))
			.toList();
	}

	static boolean isScheduled(Method method) {
		return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.isPresent(Scheduled.class);
	}

	private static Schedule schedule(Scheduled scheduled, StringValueResolver values) {
		try {
			String cron = resolve(scheduled.cron(), values);
			if (StringUtils.hasText(cron)) {
				String zone = resolve(scheduled.zone(), values);
				return new Schedule.Cron(cron,
						StringUtils.hasText(zone) ? StringUtils.parseTimeZoneString(zone).toZoneId() : null);
			}
			Duration rate = duration(scheduled.fixedRate(), scheduled.fixedRateString(), scheduled.timeUnit(), values);
			if (rate != null) {
				return new Schedule.FixedRate(rate);
			}
			Duration delay = duration(scheduled.fixedDelay(), scheduled.fixedDelayString(), scheduled.timeUnit(),
					values);
			return (delay != null) ? new Schedule.FixedDelay(delay) : new Schedule.OneTime();
		}
		catch (RuntimeException ex) {
			// Spring says what is wrong with it
			return new Schedule.Other("unread");
		}
	}

	private static String resolve(String text, StringValueResolver values) {
		String resolved = values.resolveStringValue(text);
		return (resolved != null) ? resolved : "";
	}

	private static @Nullable Duration duration(long number, String text, TimeUnit unit, StringValueResolver values) {
		if (number >= 0) {
			return Duration.of(number, unit.toChronoUnit());
		}
		String resolved = resolve(text, values);
		if (!StringUtils.hasText(resolved)) {
			return null;
		}
		return DurationFormatterUtils.detectAndParse(resolved, DurationFormat.Unit.fromChronoUnit(unit.toChronoUnit()));
	}

}
