package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/**
 * When one schedule fires, as Spring computes it.
 */
abstract sealed class FiringTimes {

	private final Schedule schedule;

	private final ZoneId zone;

	private FiringTimes(Schedule schedule, ZoneId fallback) {
		this.schedule = schedule;
		this.zone = schedule.zone(fallback);
	}

	static FiringTimes of(Schedule schedule, ZoneId fallback) {
		if (schedule instanceof Schedule.Cron cron) {
			return new OfCron(cron, fallback);
		}
		if (schedule instanceof Schedule.FixedRate rate) {
			return new OfRate(rate, fallback);
		}
		throw new IllegalArgumentException("Nodes share no due times of " + schedule.text());
	}

	ZoneId zone() {
		return this.zone;
	}

	/** The first firing after an instant, or {@code null} where there is none. */
	abstract @Nullable Instant next(Instant after);

	/** The last firing before an instant, or {@code null} where there is none. */
	abstract @Nullable Instant previous(Instant before);

	/** The due time that a firing has, with its name. */
	DuePoint point(Instant due) {
		return new DuePoint(name(due), due, this.zone, passes(due), true);
	}

	final String name(Instant due) {
		return Objects.requireNonNull(this.schedule.name(due, this.zone));
	}

	/** When no further firing of the same name can come. */
	abstract Instant passes(Instant due);

	/**
	 * An instant after which, and before which, those fire that pass after, and before,
	 * another one.
	 */
	abstract Instant beforePassing(Instant passes);

	/** Local times in a span that the clock jumped over. */
	List<Skipped> skipped(Instant after, Instant until) {
		return List.of();
	}

	/**
	 * The last time before an instant that the zone's clock was set; long ago without.
	 */
	Instant lastTransition(Instant before) {
		return before;
	}

	/**
	 * A local time that did not exist.
	 *
	 * @param name the name that its firing would have had
	 * @param at when the clock jumped over it
	 */
	record Skipped(String name, Instant at) {

	}

	/** A cron's. */
	private static final class OfCron extends FiringTimes {

		/** Leap days in years that are not divisible by 100. */
		private static final Duration LONGEST = Duration.ofDays(366 * 8 + 2);

		private final CronExpression expression;

		private final boolean local;

		private OfCron(Schedule.Cron cron, ZoneId fallback) {
			super(cron, fallback);
			this.expression = CronExpression.parse(cron.expression());
			this.local = cron.hasFixedTime();
		}

		@Override
		@Nullable Instant next(Instant after) {
			ZonedDateTime start = after.atZone(zone());
			ZonedDateTime next = this.expression.next(start);
			// Where the clock is put back by half an hour, an instant follows itself
			while (next != null && !next.toInstant().isAfter(after)) {
				start = start.plusSeconds(1);
				next = this.expression.next(start);
			}
			return (next != null) ? next.toInstant() : null;
		}

		// Nothing computes it backwards: from a firing before it, by halves
		@Override
		@Nullable Instant previous(Instant before) {
			Instant firing = before(before);
			Instant end = before;
			while (firing != null) {
				Instant following = next(firing);
				if (following == null || !following.isBefore(before)) {
					return firing;
				}
				Instant middle = firing.plus(Duration.between(firing, end).dividedBy(2));
				Instant later = next(middle);
				if (later != null && later.isBefore(before)) {
					firing = later;
				}
				else {
					end = middle;
					firing = following;
				}
			}
			return null;
		}

		private @Nullable Instant before(Instant before) {
			for (Duration back = guess(before); true; back = back.multipliedBy(8)) {
				Duration step = (back.compareTo(LONGEST) < 0) ? back : LONGEST;
				Instant firing = next(before.minus(step));
				if (firing != null && firing.isBefore(before)) {
					return firing;
				}
				if (step == LONGEST) {
					return null;
				}
			}
		}

		private Duration guess(Instant around) {
			Instant next = next(around);
			Instant following = (next != null) ? next(next) : null;
			return (following != null) ? Duration.between(next, following) : Duration.ofDays(1);
		}

		// O1: autumn's repeated hour is one occurrence, which may be fired twice
		@Override
		DuePoint point(Instant due) {
			Instant other = other(due);
			return (other == null) ? super.point(due)
					: new DuePoint(name(due), due.isBefore(other) ? due : other, zone(), passes(due), true);
		}

		@Override
		Instant passes(Instant due) {
			Instant other = other(due);
			return (other != null && other.isAfter(due)) ? other : due;
		}

		private @Nullable Instant other(Instant due) {
			LocalDateTime time = LocalDateTime.ofInstant(due, zone());
			List<ZoneOffset> offsets = this.local ? zone().getRules().getValidOffsets(time) : List.of();
			if (offsets.size() < 2) {
				return null;
			}
			Instant first = time.toInstant(offsets.get(0));
			Instant other = first.equals(due) ? time.toInstant(offsets.get(1)) : first;
			return other.equals(next(other.minusNanos(1))) ? other : null;
		}

		@Override
		Instant beforePassing(Instant passes) {
			return passes;
		}

		@Override
		Instant lastTransition(Instant before) {
			ZoneOffsetTransition transition = this.local ? zone().getRules().previousTransition(before) : null;
			return (transition != null) ? transition.getInstant() : before;
		}

		@Override
		List<Skipped> skipped(Instant after, Instant until) {
			List<Skipped> skipped = new ArrayList<>();
			ZoneOffsetTransition transition = this.local ? zone().getRules().nextTransition(after) : null;
			while (transition != null && !transition.getInstant().isAfter(until)) {
				if (transition.isGap() && !isFiredAt(transition.getInstant())) {
					addSkipped(transition, skipped);
				}
				transition = zone().getRules().nextTransition(transition.getInstant());
			}
			return skipped;
		}

		private boolean isFiredAt(Instant instant) {
			return instant.equals(next(instant.minusNanos(1)));
		}

		private void addSkipped(ZoneOffsetTransition gap, List<Skipped> skipped) {
			LocalDateTime time = this.expression.next(gap.getDateTimeBefore().minusNanos(1));
			while (time != null && time.isBefore(gap.getDateTimeAfter())) {
				skipped.add(new Skipped(time + "[" + Schedule.text(zone()) + "]", gap.getInstant()));
				time = this.expression.next(time);
			}
		}

	}

	/** A fixed rate's: the slots of its grid. */
	private static final class OfRate extends FiringTimes {

		private final Schedule.FixedRate rate;

		private OfRate(Schedule.FixedRate rate, ZoneId fallback) {
			super(rate, fallback);
			this.rate = rate;
		}

		@Override
		Instant next(Instant after) {
			return this.rate.due(after).plus(this.rate.period());
		}

		@Override
		Instant previous(Instant before) {
			return this.rate.due(before.minusNanos(1));
		}

		@Override
		Instant passes(Instant due) {
			return due.plus(this.rate.period());
		}

		@Override
		Instant beforePassing(Instant passes) {
			return passes.minus(this.rate.period());
		}

	}

}
