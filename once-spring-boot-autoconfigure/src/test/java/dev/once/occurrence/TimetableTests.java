package dev.once.occurrence;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import dev.once.DueTime;
import dev.once.Grain;
import dev.once.occurrence.Timetable.Neighbours;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

class TimetableTests {

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	private static final ZoneId CAIRO = ZoneId.of("Africa/Cairo");

	private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

	private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

	/** Both edges of summer time in all of them, and nights without any. */
	static Stream<Arguments> cronsAndSpans() {
		List<Arguments> all = new ArrayList<>();
		for (String cron : List.of("0 30 2 * * *", "0 0 0 * * *", "0 0,30 1,2,3 * * *", "0 0 */2 * * *", "0 15 * * * *",
				"0 0 6 * * MON-FRI", "0 0 2 1,29 * *", "0 45 1 * * SUN")) {
			all.add(Arguments.of(cron, ZURICH, "2027-03-24T00:00:00Z", "2027-04-03T00:00:00Z"));
			all.add(Arguments.of(cron, ZURICH, "2026-10-22T00:00:00Z", "2026-11-03T00:00:00Z"));
			all.add(Arguments.of(cron, CAIRO, "2026-04-20T00:00:00Z", "2026-05-02T00:00:00Z"));
			all.add(Arguments.of(cron, NEW_YORK, "2026-10-29T00:00:00Z", "2026-11-05T00:00:00Z"));
			all.add(Arguments.of(cron, LORD_HOWE, "2026-04-01T00:00:00Z", "2026-04-08T00:00:00Z"));
			all.add(Arguments.of(cron, LORD_HOWE, "2026-10-01T00:00:00Z", "2026-10-08T00:00:00Z"));
			all.add(Arguments.of(cron, ZoneOffset.UTC, "2026-06-01T00:00:00Z", "2026-06-10T00:00:00Z"));
		}
		all.add(Arguments.of("*/2 * * * * *", ZURICH, "2027-03-28T00:58:00Z", "2027-03-28T01:02:00Z"));
		all.add(Arguments.of("0 0 0 29 2 *", ZURICH, "2026-01-01T00:00:00Z", "2040-01-01T00:00:00Z"));
		return all.stream();
	}

	/** O1: names and due times are those of the timer's own firings. */
	@ParameterizedTest
	@MethodSource("cronsAndSpans")
	void whatPassedIsWhatTheTimerFires(String cron, ZoneId zone, String from, String to) {
		Timetable timetable = of(Grain.OCCURRENCE, cron(cron, zone));
		List<DuePoint> passed = timetable.passed(Instant.parse(from), Instant.parse(to), 10_000)
			.points()
			.stream()
			.filter(DuePoint::exists)
			.toList();
		List<DueTime> fired = fired(cron, zone, Instant.parse(from), Instant.parse(to));
		assertThat(passed).extracting(DuePoint::name)
			.containsExactlyElementsOf(fired.stream().map(DueTime::occurrence).distinct().toList());
		for (DueTime firing : fired) {
			assertThat(passed).anySatisfy((point) -> {
				assertThat(point.name()).isEqualTo(firing.occurrence());
				assertThat(firing.at()).isBetween(point.dueAt(), point.passesAt());
				assertThat(point.zone()).isEqualTo(firing.zone());
			});
		}
	}

	@ParameterizedTest
	@MethodSource("cronsAndSpans")
	void neighboursAreWhatPassedBefore(String cron, ZoneId zone, String from, String to) {
		Timetable timetable = of(Grain.OCCURRENCE, cron(cron, zone));
		List<DuePoint> passed = timetable.passed(Instant.parse(from), Instant.parse(to), 10_000).points();
		for (int i = 1; i < passed.size(); i++) {
			DuePoint point = passed.get(i);
			if (point.exists()) {
				assertThat(timetable.around(point.name(), point.dueAt()))
					.contains(new Neighbours(passed.get(i - 1).passesAt(), point.passesAt()));
				assertThat(timetable.latest(point.dueAt())).map(DuePoint::name).contains(point.name());
				assertThat(timetable.next(point.dueAt().minusNanos(1))).contains(point);
			}
		}
	}

	/** Case 3: a time of day that does not exist is told of, and is never due. */
	@Test
	void aLocalTimeThatDoesNotExistIsThereAndNeverDue() {
		Timetable timetable = of(Grain.OCCURRENCE, cron("0 30 2 * * *", ZURICH));
		assertThat(timetable.passed(Instant.parse("2027-03-27T12:00:00Z"), Instant.parse("2027-03-29T12:00:00Z"), 10)
			.points()).extracting(DuePoint::name, DuePoint::dueAt, DuePoint::exists)
			.containsExactly(tuple("2027-03-28T02:30[Europe/Zurich]", Instant.parse("2027-03-28T01:00:00Z"), false),
					tuple("2027-03-29T02:30[Europe/Zurich]", Instant.parse("2027-03-29T00:30:00Z"), true));
		assertThat(timetable.latest(Instant.parse("2027-03-28T12:00:00Z"))).map(DuePoint::name)
			.contains("2027-03-27T02:30[Europe/Zurich]");
		assertThat(timetable.next(Instant.parse("2027-03-27T12:00:00Z"))).map(DuePoint::name)
			.contains("2027-03-29T02:30[Europe/Zurich]");
		assertThat(timetable.around("2027-03-29T02:30[Europe/Zurich]", Instant.parse("2027-03-29T00:30:00Z")))
			.map(Neighbours::previous)
			.contains(Instant.parse("2027-03-28T01:00:00Z"));
	}

	@Test
	void aMidnightThatDoesNotExistIsThereToo() {
		assertThat(of(Grain.OCCURRENCE, cron("0 0 0 * * *", CAIRO))
			.passed(Instant.parse("2026-04-23T12:00:00Z"), Instant.parse("2026-04-24T12:00:00Z"), 10)
			.points()).extracting(DuePoint::name, DuePoint::exists)
			.containsExactly(tuple("2026-04-24T00:00[Africa/Cairo]", false));
	}

	@Test
	void aDayWhoseOnlyTimeDoesNotExistIsOneThatIsNotRun() {
		Instant from = Instant.parse("2027-03-27T12:00:00Z");
		Instant to = Instant.parse("2027-03-28T12:00:00Z");
		assertThat(of(Grain.DAY, cron("0 30 2 * * *", ZURICH)).passed(from, to, 10).points())
			.extracting(DuePoint::name, DuePoint::exists)
			.containsExactly(tuple("2027-03-28", false));
		assertThat(of(Grain.DAY, cron("0 30 2,5 * * *", ZURICH)).passed(from, to, 10).points())
			.extracting(DuePoint::name, DuePoint::exists)
			.containsExactly(tuple("2027-03-28", true));
	}

	/**
	 * O1: autumn's repeated hour is one occurrence, which passes when it cannot come
	 * again.
	 */
	@Test
	void theHourThatComesTwiceIsOneDueTime() {
		Timetable timetable = of(Grain.OCCURRENCE, cron("0 30 1 * * *", NEW_YORK));
		List<DuePoint> passed = timetable
			.passed(Instant.parse("2026-10-31T12:00:00Z"), Instant.parse("2026-11-02T12:00:00Z"), 10)
			.points();
		assertThat(passed).extracting(DuePoint::name)
			.containsExactly("2026-11-01T01:30[America/New_York]", "2026-11-02T01:30[America/New_York]");
		assertThat(passed.get(0).dueAt()).isEqualTo(Instant.parse("2026-11-01T05:30:00Z"));
	}

	@Test
	void aSlotPassesAtItsEnd() {
		Timetable timetable = of(Grain.OCCURRENCE, new Schedule.FixedRate(Duration.ofMinutes(5)));
		Instant slot = Instant.parse("2026-05-04T02:05:00Z");
		assertThat(timetable.passed(slot, slot.plusSeconds(600), 10).points())
			.extracting(DuePoint::name, DuePoint::passesAt)
			.containsExactly(tuple("2026-05-04T02:05:00Z", slot.plusSeconds(300)),
					tuple("2026-05-04T02:10:00Z", slot.plusSeconds(600)));
		assertThat(timetable.around("2026-05-04T02:05:00Z", slot))
			.contains(new Neighbours(slot, slot.plusSeconds(300)));
		assertThat(timetable.latest(slot.plusSeconds(299))).map(DuePoint::dueAt).contains(slot);
		assertThat(timetable.shortestInterval()).contains(Duration.ofMinutes(5));
	}

	@Test
	void aNameOfTheCalendarPassesWithItsLastDueTime() {
		Timetable timetable = of(Grain.DAY, cron("0 0 6-22/4 * * MON-FRI", ZURICH));
		List<DuePoint> passed = timetable
			.passed(Instant.parse("2026-05-01T12:00:00Z"), Instant.parse("2026-05-05T21:00:00Z"), 10)
			.points();
		assertThat(passed).extracting(DuePoint::name, DuePoint::dueAt, DuePoint::passesAt)
			.containsExactly(
					tuple("2026-05-01", Instant.parse("2026-05-01T04:00:00Z"), Instant.parse("2026-05-01T20:00:00Z")),
					tuple("2026-05-04", Instant.parse("2026-05-04T04:00:00Z"), Instant.parse("2026-05-04T20:00:00Z")),
					tuple("2026-05-05", Instant.parse("2026-05-05T04:00:00Z"), Instant.parse("2026-05-05T20:00:00Z")));
		assertThat(timetable.around("2026-05-04", Instant.parse("2026-05-04T08:00:00Z")))
			.contains(new Neighbours(Instant.parse("2026-05-01T20:00:00Z"), Instant.parse("2026-05-04T20:00:00Z")));
		assertThat(timetable.next(Instant.parse("2026-05-04T04:00:00Z"))).map(DuePoint::name).contains("2026-05-05");
		assertThat(timetable.latest(Instant.parse("2026-05-04T05:00:00Z"))).map(DuePoint::name).contains("2026-05-04");
		assertThat(timetable.shortestInterval()).contains(Duration.ofDays(1));
	}

	@Test
	void aWeekAMonthAndAYearAreNames() {
		Schedule daily = cron("0 0 6 * * *", ZURICH);
		Instant from = Instant.parse("2026-12-20T00:00:00Z");
		Instant to = Instant.parse("2027-01-10T23:00:00Z");
		assertThat(of(Grain.WEEK, daily).passed(from, to, 10).points()).extracting(DuePoint::name)
			.containsExactly("2026-W51", "2026-W52", "2026-W53", "2027-W01");
		assertThat(of(Grain.MONTH, daily).passed(from, to, 10).points()).extracting(DuePoint::name)
			.containsExactly("2026-12");
		assertThat(of(Grain.YEAR, daily).passed(from, to, 10).points()).extracting(DuePoint::name)
			.containsExactly("2026");
	}

	@Test
	void severalSchedulesAreOneTimetable() {
		Timetable timetable = of(Grain.OCCURRENCE, cron("0 0 6 * * *", ZURICH), cron("0 0 6,18 * * *", ZURICH),
				cron("0 30 6 * * *", NEW_YORK));
		List<DuePoint> passed = timetable
			.passed(Instant.parse("2026-05-04T00:00:00Z"), Instant.parse("2026-05-05T00:00:00Z"), 10)
			.points();
		assertThat(passed).extracting(DuePoint::name)
			.containsExactly("2026-05-04T06:00[Europe/Zurich]", "2026-05-04T06:30[America/New_York]",
					"2026-05-04T18:00[Europe/Zurich]");
		assertThat(timetable.around("2026-05-04T18:00[Europe/Zurich]", Instant.parse("2026-05-04T16:00:00Z")))
			.map(Neighbours::previous)
			.contains(Instant.parse("2026-05-04T10:30:00Z"));
	}

	@Test
	void whatIsMoreThanTheLimitIsLeftForLater() {
		Timetable timetable = of(Grain.OCCURRENCE, cron("*/2 * * * * *", ZURICH), cron("0 * * * * *", ZURICH));
		Instant from = Instant.parse("2026-05-04T00:00:00Z");
		Timetable.Passed passed = timetable.passed(from, from.plusSeconds(86_400), 45);
		assertThat(passed.complete()).isFalse();
		assertThat(passed.points()).hasSizeBetween(40, 45)
			.isSortedAccordingTo(Comparator.comparing(DuePoint::passesAt));
		Instant last = passed.points().get(passed.points().size() - 1).passesAt();
		assertThat(timetable.passed(last, from.plusSeconds(86_400), 45).points().get(0).passesAt())
			.isEqualTo(last.plusSeconds(2));
	}

	@Test
	void aTimeThatIsNotItsOwnHasNoNeighbours() {
		Timetable timetable = of(Grain.OCCURRENCE, cron("0 0 6 * * *", ZURICH));
		assertThat(timetable.around("2026-05-04T07:00[Europe/Zurich]", Instant.parse("2026-05-04T05:00:00Z")))
			.isEmpty();
		assertThat(timetable.around("x", Instant.parse("2026-05-04T04:00:00Z"))).isEmpty();
	}

	@Test
	void aCronThatNeverFiresHasNoDueTimes() {
		Timetable timetable = of(Grain.OCCURRENCE, cron("0 0 0 31 2 *", ZURICH));
		Instant now = Instant.parse("2026-05-04T00:00:00Z");
		assertThat(timetable.next(now)).isEmpty();
		assertThat(timetable.latest(now)).isEmpty();
		assertThat(timetable.shortestInterval()).isEmpty();
		assertThat(timetable.passed(now.minus(Duration.ofDays(400)), now, 10).points()).isEmpty();
	}

	@Test
	void whatNodesDoNotShareHasNoTimetable() {
		for (Schedule schedule : List.of(new Schedule.FixedDelay(Duration.ofSeconds(5)), new Schedule.OneTime(),
				new Schedule.Other("own"))) {
			assertThat(Timetable.of(List.of(schedule, cron("0 0 6 * * *", ZURICH)), ZURICH, Grain.OCCURRENCE))
				.isEmpty();
		}
		assertThat(Timetable.of(List.of(), ZURICH, Grain.DAY)).isEmpty();
	}

	private static Timetable of(Grain grain, Schedule... schedules) {
		return Timetable.of(List.of(schedules), ZURICH, grain).orElseThrow();
	}

	private static Schedule cron(String expression, ZoneId zone) {
		return new Schedule.Cron(expression, zone);
	}

	private static List<DueTime> fired(String cron, ZoneId zone, Instant from, Instant to) {
		CronTrigger trigger = new CronTrigger(cron, zone);
		Schedule schedule = cron(cron, zone);
		List<DueTime> fired = new ArrayList<>();
		@Nullable Instant at = trigger.nextExecution(new SimpleTriggerContext(Clock.fixed(from, zone)));
		while (at != null && !at.isAfter(to)) {
			fired.add(Firings.dueTime(schedule, at, zone));
			Instant last = at;
			Instant completion = at;
			while (at != null && !at.isAfter(last)) {
				// Lord Howe's half-hour is computed again for the same instant
				at = trigger.nextExecution(new SimpleTriggerContext(last, last, completion));
				completion = completion.plusSeconds(1);
			}
		}
		return fired;
	}

}
