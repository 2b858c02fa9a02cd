package dev.once.occurrence;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * When a job is due, and what names its occurrences on every node alike (O1).
 */
public sealed interface Schedule {

	/**
	 * The name of the occurrence that is due at an instant.
	 * @param due the instant, as the trigger computed it
	 * @param fallback the zone where the schedule gives none
	 * @return the name, or {@code null} where nodes share no due times
	 */
	default @Nullable String name(Instant due, ZoneId fallback) {
		return null;
	}

	/**
	 * The due time that all nodes share.
	 * @param at when this node is to fire
	 */
	default Instant due(Instant at) {
		return at;
	}

	/**
	 * The zone in which a due time falls into a day.
	 * @param fallback the zone where the schedule gives none
	 */
	default ZoneId zone(ZoneId fallback) {
		return fallback;
	}

	/**
	 * The schedule in a form that is the same on every node, for tables.
	 */
	String text();

	/**
	 * A zone as names and tables write it. Base images give a machine without a zone of
	 * its own {@code UTC}, {@code Etc/UTC} or {@code GMT}, which are one.
	 * @param zone the zone
	 */
	static String text(ZoneId zone) {
		ZoneId normalized;
		try {
			normalized = zone.normalized();
		}
		catch (DateTimeException ex) {
			return zone.getId();
		}
		return normalized.equals(ZoneOffset.UTC) ? "UTC" : normalized.getId();
	}

	/**
	 * A cron expression.
	 *
	 * @param expression the expression, macros resolved and blanks single
	 * @param zone its zone, or {@code null} where nobody gave one
	 */
	record Cron(String expression, @Nullable ZoneId zone) implements Schedule {

		private static final Pattern FIXED_TIME = Pattern.compile("(\\d+(,\\d+)* ){3}.*");

		private static final Pattern BLANKS = Pattern.compile("\\s+");

		/**
		 * Reads an expression.
		 * @throws IllegalArgumentException when it is none
		 */
		public Cron {
			expression = BLANKS.matcher(CronExpression.parse(expression).toString().trim()).replaceAll(" ");
		}

		/**
		 * A fixed time of day is one occurrence also where the clock passes it twice;
		 * anything else, an hourly job say, is due each time.
		 */
		@Override
		public String name(Instant due, ZoneId fallback) {
			ZoneId zone = zone(fallback);
			return hasFixedTime() ? LocalDateTime.ofInstant(due, zone) + "[" + Schedule.text(zone) + "]"
					: due.toString();
		}

		boolean hasFixedTime() {
			return FIXED_TIME.matcher(this.expression).matches();
		}

		@Override
		public ZoneId zone(ZoneId fallback) {
			return (this.zone != null) ? this.zone : fallback;
		}

		@Override
		public String text() {
			return "cron " + this.expression;
		}

	}

	/**
	 * A fixed rate, whose occurrences are the slots of a grid that begins at the epoch:
	 * nodes start at different times, and are due once in each slot all the same.
	 *
	 * @param period the time between two firings, more than zero
	 */
	record FixedRate(Duration period) implements Schedule {

		public FixedRate {
			if (period.isZero() || period.isNegative()) {
				throw new IllegalArgumentException("A rate's period is more than zero, not " + period);
			}
		}

		@Override
		public String name(Instant due, ZoneId fallback) {
			return due(due).toString();
		}

		@Override
		public Instant due(Instant at) {
			long nanos = ChronoUnit.NANOS.between(Instant.EPOCH, at);
			return at.minusNanos(Math.floorMod(nanos, this.period.toNanos()));
		}

		@Override
		public String text() {
			return "rate " + this.period;
		}

	}

	/**
	 * A fixed delay after the end of the last run, which is another time on each node.
	 *
	 * @param delay the delay
	 */
	record FixedDelay(Duration delay) implements Schedule {

		@Override
		public String text() {
			return "delay " + this.delay;
		}

	}

	/**
	 * Once after the start, which is another time on each node.
	 */
	record OneTime() implements Schedule {

		@Override
		public String text() {
			return "one time";
		}

	}

	/**
	 * A trigger of which nothing is known but the instants that it computes.
	 *
	 * @param text what it is, for tables
	 */
	record Other(String text) implements Schedule {

	}

}
