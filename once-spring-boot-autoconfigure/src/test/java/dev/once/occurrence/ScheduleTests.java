package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.once.Grain;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.support.CronExpression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * O1: the names of occurrences.
 */
class ScheduleTests {

	private static final Instant AT = Instant.parse("2026-05-04T02:00:00Z");

	static Stream<String[]> names() {
		return GoldenNames.rows(GoldenNames.NAMES).stream();
	}

	@ParameterizedTest
	@MethodSource("names")
	void anOccurrenceIsNamedAsEver(String schedule, String zone, String due, String text) {
		assertThat(GoldenNames.name(new String[] { schedule, zone, due })).isEqualTo(text);
	}

	static Stream<String[]> grains() {
		return GoldenNames.rows(GoldenNames.GRAINS).stream();
	}

	@ParameterizedTest
	@MethodSource("grains")
	void aGrainIsWrittenAsEver(String grain, String zone, String due, String text) {
		assertThat(GoldenNames.grain(new String[] { grain, zone, due })).isEqualTo(text);
	}

	@Test
	void whatIsNoSpanOfTheCalendarHasNoText() {
		assertThatIllegalArgumentException().isThrownBy(() -> Grains.text(Grain.FACT, AT, ZoneOffset.UTC));
		assertThatIllegalArgumentException().isThrownBy(() -> Grains.text(Grain.OCCURRENCE, AT, ZoneOffset.UTC));
	}

	/** Case 3, however often Spring fires in the repeated hour. */
	@ParameterizedTest
	@ValueSource(strings = { "America/New_York", "Europe/Zurich", "Africa/Cairo", "Australia/Lord_Howe" })
	void aFixedTimeIsOneOccurrenceADayAndAnHourlyJobOneAnInstant(String id) {
		ZoneId zone = ZoneId.of(id);
		for (int hour : new int[] { 0, 1, 2, 23 }) {
			Schedule daily = new Schedule.Cron("0 45 " + hour + " * * *", zone);
			List<String> days = new ArrayList<>();
			List<Instant> fired = fired((Schedule.Cron) daily, zone);
			fired.forEach((due) -> days.add(LocalDate.ofInstant(due, zone).toString()));
			assertThat(fired.stream().map((due) -> daily.name(due, ZoneOffset.UTC)).distinct())
				.hasSameSizeAs(days.stream().distinct().toList())
				.hasSizeGreaterThan(360);
		}
		Schedule.Cron hourly = new Schedule.Cron("0 0 * * * *", zone);
		List<Instant> fired = fired(hourly, zone);
		assertThat(fired.stream().map((due) -> hourly.name(due, ZoneOffset.UTC)).distinct()).hasSameSizeAs(fired);
	}

	private static List<Instant> fired(Schedule.Cron cron, ZoneId zone) {
		CronExpression expression = CronExpression.parse(cron.expression());
		ZonedDateTime at = ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, zone);
		List<Instant> fired = new ArrayList<>();
		ZonedDateTime next = expression.next(at);
		// Spring's hourly cron stands still where Lord Howe's half hour is put back
		while (next != null && next.isAfter(at) && next.getYear() == 2026) {
			at = next;
			fired.add(at.toInstant());
			next = expression.next(at);
		}
		return fired;
	}

	@Test
	void fixedDelaysOneTimeTasksAndForeignTriggersHaveNoNameThatNodesShare() {
		assertThat(Stream.of(new Schedule.FixedDelay(Duration.ofSeconds(1)), new Schedule.OneTime(),
				new Schedule.Other("mine")))
			.allSatisfy((schedule) -> {
				assertThat(schedule.name(AT, ZoneOffset.UTC)).isNull();
				assertThat(schedule.due(AT)).isEqualTo(AT);
			});
	}

	@Test
	void aRateIsDueAtTheStartOfItsSlot() {
		Schedule rate = new Schedule.FixedRate(Duration.ofMinutes(5));
		assertThat(rate.due(AT.plusSeconds(299))).isEqualTo(AT);
		assertThat(rate.due(AT.plusSeconds(300))).isEqualTo(AT.plusSeconds(300));
		assertThatIllegalArgumentException().isThrownBy(() -> new Schedule.FixedRate(Duration.ZERO));
	}

	@Test
	void theTextIsOneHoweverTheExpressionIsWritten() {
		assertThat(new Schedule.Cron("@midnight", null).text()).isEqualTo("cron 0 0 0 * * *")
			.isEqualTo(new Schedule.Cron(" 0  0 0 * *   * ", null).text());
		assertThat(new Schedule.FixedRate(Duration.ofSeconds(60)).text()).isEqualTo("rate PT1M");
	}

	@Test
	void theZoneIsTheSchedulesBeforeTheFallback() {
		ZoneId tokyo = ZoneId.of("Asia/Tokyo");
		assertThat(new Schedule.Cron("@daily", tokyo).zone(ZoneOffset.UTC)).isEqualTo(tokyo);
		assertThat(new Schedule.Cron("@daily", null).zone(ZoneOffset.UTC)).isEqualTo(ZoneOffset.UTC);
	}

}
