package dev.once.occurrence;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.once.Grain;
import org.jspecify.annotations.Nullable;

/**
 * The due times of a job that nodes share, as its timers compute them, in both directions
 * of time: what is missed, and what overlaps, is found by them (O5).
 */
public final class Timetable {

	/** A Monday, after which the shortest interval is looked for. */
	private static final Instant REFERENCE = Instant.parse("2026-01-05T00:00:00Z");

	private static final int INTERVALS = 100;

	private final List<FiringTimes> times;

	private final Grain grain;

	private volatile @Nullable Known known;

	private Timetable(List<FiringTimes> times, Grain grain) {
		this.times = times;
		this.grain = grain;
	}

	/**
	 * Makes the timetable of a job.
	 * @param schedules its schedules
	 * @param fallback the zone of those that give none
	 * @param grain how much of the due time names an occurrence
	 * @return it, or empty where nodes share no due times: no schedule, a fixed delay, a
	 * one-time task, a trigger of the application's own
	 */
	public static Optional<Timetable> of(List<Schedule> schedules, ZoneId fallback, Grain grain) {
		boolean shared = schedules.stream()
			.allMatch((schedule) -> schedule instanceof Schedule.Cron || schedule instanceof Schedule.FixedRate);
		if (schedules.isEmpty() || !shared) {
			return Optional.empty();
		}
		return Optional.of(new Timetable(
				schedules.stream().distinct().map((schedule) -> FiringTimes.of(schedule, fallback)).toList(), grain));
	}

	/**
	 * The latest due time that has come.
	 * @param now the present
	 */
	public Optional<DuePoint> latest(Instant now) {
		return all((times) -> times.previous(now.plusNanos(1))).max(Comparator.comparing(Firing::at)).map(this::point);
	}

	/**
	 * The first due time after an instant.
	 * @param after the instant
	 */
	public Optional<DuePoint> next(Instant after) {
		Instant from = after;
		while (true) {
			Instant start = from;
			Firing firing = all((times) -> times.next(start)).min(Comparator.comparing(Firing::at)).orElse(null);
			if (firing == null) {
				return Optional.empty();
			}
			DuePoint point = point(firing);
			if (point.dueAt().isAfter(after)) {
				return Optional.of(point);
			}
			// A name that was due before already
			from = firing.at().isBefore(point.passesAt()) && isCalendar() ? lastOf(firing) : firing.at();
		}
	}

	/**
	 * The due times that passed in a span of time, oldest first, those included that did
	 * not exist.
	 * @param after its begin, which is not in it
	 * @param until its end, which is in it
	 * @param limit the most of them
	 */
	public Passed passed(Instant after, Instant until, int limit) {
		List<DuePoint> points = new ArrayList<>();
		Instant complete = until;
		for (FiringTimes times : this.times) {
			List<DuePoint> own = passed(times, after, until, limit);
			points.addAll(own);
			points.addAll(gaps(times, after, until));
			if (own.size() == limit) {
				Instant last = own.get(limit - 1).passesAt();
				complete = last.isBefore(complete) ? last : complete;
			}
		}
		Instant end = complete;
		Set<String> names = new HashSet<>();
		List<DuePoint> passed = points.stream()
			.filter((point) -> !point.passesAt().isAfter(end))
			.sorted(Comparator.comparing(DuePoint::passesAt).thenComparing(DuePoint::name))
			.filter((point) -> names.add(point.name()))
			.toList();
		boolean all = passed.size() <= limit && end.equals(until);
		return new Passed(all ? passed : passed.subList(0, Math.min(limit, passed.size())), all);
	}

	private List<DuePoint> passed(FiringTimes times, Instant after, Instant until, int limit) {
		List<DuePoint> points = new ArrayList<>();
		Instant at = times.next(isCalendar() ? startOf(after, times) : times.beforePassing(after));
		while (at != null && points.size() < limit && !at.isAfter(until)) {
			DuePoint point = point(new Firing(times, at));
			if (point.passesAt().isAfter(after) && !point.passesAt().isAfter(until)) {
				points.add(point);
			}
			at = times.next(isCalendar() ? lastOf(new Firing(times, at)) : at);
		}
		return points;
	}

	private List<DuePoint> gaps(FiringTimes times, Instant after, Instant until) {
		List<DuePoint> gaps = new ArrayList<>();
		for (FiringTimes.Skipped skipped : times.skipped(after, until)) {
			String name = isCalendar() ? Grains.text(this.grain, skipped.at(), times.zone()) : skipped.name();
			if (!isCalendar() || firstOf(skipped.at(), times) == null) {
				gaps.add(new DuePoint(name, skipped.at(), times.zone(), skipped.at(), false));
			}
		}
		return gaps;
	}

	/**
	 * What lies around a due time.
	 * @param name its occurrence's name
	 * @param dueAt when it is due
	 * @return empty where none of the timetable's has that name then
	 */
	public Optional<Neighbours> around(String name, Instant dueAt) {
		Known known = this.known;
		if (known != null && known.name().equals(name) && known.dueAt().equals(dueAt)) {
			return known.neighbours();
		}
		Optional<Neighbours> neighbours = find(name, dueAt).map(this::neighbours);
		this.known = new Known(name, dueAt, neighbours);
		return neighbours;
	}

	private Optional<DuePoint> find(String name, Instant dueAt) {
		if (isCalendar()) {
			return all((times) -> firstOf(dueAt, times)).map(this::point)
				.filter((point) -> point.name().equals(name))
				.findFirst();
		}
		return all((times) -> dueAt.equals(times.next(dueAt.minusNanos(1))) ? dueAt : null).map(this::point)
			.filter((point) -> point.name().equals(name))
			.findFirst();
	}

	private Neighbours neighbours(DuePoint point) {
		Instant passes = point.passesAt();
		Instant previous = Stream
			.concat(this.times.stream().map((times) -> previousPassing(times, point)).filter(Objects::nonNull),
					this.times.stream()
						.flatMap((times) -> gaps(times, times.lastTransition(passes).minusNanos(1), passes).stream())
						.map(DuePoint::passesAt)
						.filter((at) -> at.isBefore(passes)))
			.max(Comparator.naturalOrder())
			.orElse(null);
		return new Neighbours(previous, passes);
	}

	private @Nullable Instant previousPassing(FiringTimes times, DuePoint point) {
		Instant before = isCalendar() ? startOf(point.dueAt(), times).plusNanos(1)
				: times.beforePassing(point.passesAt());
		Instant at = times.previous(before);
		while (at != null) {
			DuePoint earlier = point(new Firing(times, at));
			if (!earlier.name().equals(point.name()) && earlier.passesAt().isBefore(point.passesAt())) {
				return earlier.passesAt();
			}
			at = times.previous(at);
		}
		return null;
	}

	/**
	 * The shortest time between two of its due times, among the first hundred of 2026.
	 * @return it, or empty where there are not two
	 */
	public Optional<Duration> shortestInterval() {
		return Optional.ofNullable(Shortest.of(this));
	}

	// Names

	private boolean isCalendar() {
		return this.grain != Grain.OCCURRENCE && this.grain != Grain.FACT;
	}

	private DuePoint point(Firing firing) {
		FiringTimes times = firing.times();
		if (!isCalendar()) {
			return times.point(firing.at());
		}
		String name = Grains.text(this.grain, firing.at(), times.zone());
		Instant first = firing.at();
		Instant last = times.passes(firing.at());
		for (FiringTimes each : this.times) {
			Instant start = startOf(firing.at(), times, each.zone());
			Instant end = endOf(firing.at(), times, each.zone());
			Instant earliest = each.next(start.minusNanos(1));
			Instant latest = each.previous(end);
			if (earliest != null && earliest.isBefore(first)) {
				first = earliest;
			}
			if (latest != null && !latest.isBefore(start) && each.passes(latest).isAfter(last)) {
				last = each.passes(latest);
			}
		}
		return new DuePoint(name, first, times.zone(), last, true);
	}

	/** The first firing of the span of the calendar in which an instant lies. */
	private @Nullable Instant firstOf(Instant instant, FiringTimes times) {
		Instant first = times.next(startOf(instant, times));
		return (first != null && first.isBefore(endOf(instant, times, times.zone()))) ? first : null;
	}

	private Instant lastOf(Firing firing) {
		return endOf(firing.at(), firing.times(), firing.times().zone()).minusNanos(1);
	}

	/** Right before the span begins. */
	private Instant startOf(Instant instant, FiringTimes times) {
		return startOf(instant, times, times.zone()).minusNanos(1);
	}

	private Instant startOf(Instant instant, FiringTimes times, ZoneId zone) {
		return firstDay(instant, times).atStartOfDay(zone).toInstant();
	}

	private Instant endOf(Instant instant, FiringTimes times, ZoneId zone) {
		LocalDate first = firstDay(instant, times);
		LocalDate next = switch (this.grain) {
			case WEEK -> first.plusWeeks(1);
			case MONTH -> first.plusMonths(1);
			case YEAR -> first.plusYears(1);
			default -> first.plusDays(1);
		};
		return next.atStartOfDay(zone).toInstant();
	}

	private LocalDate firstDay(Instant instant, FiringTimes times) {
		LocalDate day = LocalDate.ofInstant(instant, times.zone());
		return switch (this.grain) {
			case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
			case MONTH -> day.withDayOfMonth(1);
			case YEAR -> day.withDayOfYear(1);
			default -> day;
		};
	}

	private Stream<Firing> all(Function<FiringTimes, @Nullable Instant> instant) {
		return this.times.stream().flatMap((times) -> {
			Instant at = instant.apply(times);
			return (at != null) ? Stream.of(new Firing(times, at)) : Stream.empty();
		});
	}

	/**
	 * Due times that passed.
	 *
	 * @param points the due times, oldest first
	 * @param complete whether these are all
	 */
	public record Passed(List<DuePoint> points, boolean complete) {

	}

	/**
	 * What lies around a due time.
	 *
	 * @param previous when the one before it passed, or {@code null} where there is none
	 * @param passes when it passes itself
	 */
	public record Neighbours(@Nullable Instant previous, Instant passes) {

	}

	private record Firing(FiringTimes times, Instant at) {

	}

	private record Known(String name, Instant dueAt, Optional<Neighbours> neighbours) {

	}

	private static final class Shortest {

		private static @Nullable Duration of(Timetable timetable) {
			Duration shortest = null;
			DuePoint last = timetable.next(REFERENCE).orElse(null);
			for (int i = 0; i < INTERVALS && last != null; i++) {
				DuePoint next = timetable.next(last.dueAt()).orElse(null);
				if (next != null) {
					Duration interval = Duration.between(last.dueAt(), next.dueAt()).truncatedTo(ChronoUnit.MILLIS);
					shortest = (shortest == null || interval.compareTo(shortest) < 0) ? interval : shortest;
				}
				last = next;
			}
			return shortest;
		}

	}

}
