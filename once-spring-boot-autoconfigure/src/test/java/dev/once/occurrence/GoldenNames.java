package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

import dev.once.Grain;

/**
 * Names that must never change, whatever machine gives them: both edges of summer time,
 * the leap day, the ends of years and of slots.
 */
public final class GoldenNames {

	private static final ZoneId FALLBACK = ZoneId.of("Pacific/Auckland");

	/** Schedule, zone, due time, name. */
	static final String NAMES = """
			30 30 1 * * * | America/New_York | 2026-11-01T05:30:30Z | 2026-11-01T01:30:30[America/New_York]
			0 30 1 * * * | America/New_York | 2026-11-01T05:30:00Z | 2026-11-01T01:30[America/New_York]
			0 30 1 * * * | America/New_York | 2026-11-01T06:30:00Z | 2026-11-01T01:30[America/New_York]
			0 0 * * * * | America/New_York | 2026-11-01T05:00:00Z | 2026-11-01T05:00:00Z
			0 0 * * * * | America/New_York | 2026-11-01T06:00:00Z | 2026-11-01T06:00:00Z
			0 0,30 1,2 * * * | America/New_York | 2026-11-01T06:00:00Z | 2026-11-01T01:00[America/New_York]
			0 */30 1 * * * | America/New_York | 2026-11-01T06:30:00Z | 2026-11-01T06:30:00Z
			0 30 1-2 * * * | America/New_York | 2026-11-01T06:30:00Z | 2026-11-01T06:30:00Z
			0 30 2 * * * | America/New_York | 2026-03-07T07:30:00Z | 2026-03-07T02:30[America/New_York]
			0 30 2 * * * | America/New_York | 2026-03-08T07:30:00Z | 2026-03-08T03:30[America/New_York]
			0 30 2 * * * | Europe/Zurich | 2027-03-27T01:30:00Z | 2027-03-27T02:30[Europe/Zurich]
			0 30 2 * * * | Europe/Zurich | 2027-03-29T00:30:00Z | 2027-03-29T02:30[Europe/Zurich]
			0 30 2 * * * | Europe/Zurich | 2026-10-25T00:30:00Z | 2026-10-25T02:30[Europe/Zurich]
			0 30 2 * * * | Europe/Zurich | 2026-10-25T01:30:00Z | 2026-10-25T02:30[Europe/Zurich]
			0 0 */2 * * * | Africa/Cairo | 2026-04-23T22:30:00Z | 2026-04-23T22:30:00Z
			0 0 1 * * * | Africa/Cairo | 2026-04-23T22:00:00Z | 2026-04-24T01:00[Africa/Cairo]
			0 30 23 * * * | Africa/Cairo | 2026-10-29T20:30:00Z | 2026-10-29T23:30[Africa/Cairo]
			0 30 23 * * * | Africa/Cairo | 2026-10-29T21:30:00Z | 2026-10-29T23:30[Africa/Cairo]
			0 45 1 * * * | Australia/Lord_Howe | 2026-04-04T14:45:00Z | 2026-04-05T01:45[Australia/Lord_Howe]
			0 45 1 * * * | Australia/Lord_Howe | 2026-04-04T15:15:00Z | 2026-04-05T01:45[Australia/Lord_Howe]
			0 15 2 * * * | Australia/Lord_Howe | 2026-10-03T15:45:00Z | 2026-10-04T02:45[Australia/Lord_Howe]
			0 0 12 29 2 * | UTC | 2028-02-29T12:00:00Z | 2028-02-29T12:00[UTC]
			@daily | Etc/UTC | 2026-05-04T00:00:00Z | 2026-05-04T00:00[UTC]
			@hourly | GMT | 2026-05-04T07:00:00Z | 2026-05-04T07:00:00Z
			0  0 6  * * MON | - | 2026-05-03T18:00:00Z | 2026-05-04T06:00[Pacific/Auckland]
			0 0 6 * * * | GMT+02:00 | 2026-05-04T04:00:00Z | 2026-05-04T06:00[+02:00]
			rate 60 | - | 2026-05-04T02:00:00Z | 2026-05-04T02:00:00Z
			rate 60 | - | 2026-05-04T02:00:59.999999999Z | 2026-05-04T02:00:00Z
			rate 60 | - | 2026-05-04T02:01:00Z | 2026-05-04T02:01:00Z
			rate 660 | - | 2026-05-04T02:00:00Z | 2026-05-04T01:57:00Z
			rate 1 | - | 1969-12-31T23:59:59.500Z | 1969-12-31T23:59:59Z
			""";

	/** Grain, zone, due time, text. */
	static final String GRAINS = """
			DAY | Africa/Cairo | 2026-04-23T22:30:00Z | 2026-04-24
			DAY | Europe/Zurich | 2026-06-30T20:00:00Z | 2026-06-30
			DAY | Europe/Zurich | 2026-06-30T22:00:00Z | 2026-07-01
			DAY | Asia/Tokyo | 2026-06-30T20:00:00Z | 2026-07-01
			DAY | America/New_York | 2026-11-01T05:30:00Z | 2026-11-01
			DAY | America/New_York | 2026-11-01T06:30:00Z | 2026-11-01
			DAY | UTC | 2028-02-29T23:59:59Z | 2028-02-29
			WEEK | UTC | 2027-01-01T09:00:00Z | 2026-W53
			WEEK | UTC | 2027-01-03T23:59:59Z | 2026-W53
			WEEK | UTC | 2027-01-04T00:00:00Z | 2027-W01
			WEEK | UTC | 2026-12-27T09:00:00Z | 2026-W52
			WEEK | UTC | 2024-12-30T00:00:00Z | 2025-W01
			WEEK | UTC | 2026-05-04T00:00:00Z | 2026-W19
			WEEK | Pacific/Auckland | 2026-05-03T12:00:00Z | 2026-W19
			MONTH | UTC | 2026-12-27T09:00:00Z | 2026-12
			MONTH | Asia/Tokyo | 2026-04-30T20:00:00Z | 2026-05
			YEAR | UTC | 2026-12-27T09:00:00Z | 2026
			YEAR | Asia/Tokyo | 2026-12-31T15:00:00Z | 2027
			""";

	private GoldenNames() {
	}

	/**
	 * All of them as this JVM gives them.
	 */
	public static String text() {
		StringBuilder text = new StringBuilder();
		rows(NAMES).forEach((row) -> text.append(name(row)).append('\n'));
		rows(GRAINS).forEach((row) -> text.append(grain(row)).append('\n'));
		return text.toString();
	}

	static List<String[]> rows(String table) {
		return table.lines().map((line) -> line.split(" \\| ")).toList();
	}

	static String name(String[] row) {
		return String.valueOf(schedule(row).name(Instant.parse(row[2]), FALLBACK));
	}

	static String grain(String[] row) {
		return Grains.text(Grain.valueOf(row[0]), Instant.parse(row[2]), ZoneId.of(row[1]));
	}

	private static Schedule schedule(String[] row) {
		return row[0].startsWith("rate ")
				? new Schedule.FixedRate(Duration.ofSeconds(Long.parseLong(row[0].substring(5))))
				: new Schedule.Cron(row[0], row[1].equals("-") ? null : ZoneId.of(row[1]));
	}

}
