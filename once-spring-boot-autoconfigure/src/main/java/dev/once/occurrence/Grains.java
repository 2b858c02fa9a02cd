package dev.once.occurrence;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.IsoFields;

import dev.once.Grain;

/**
 * Texts of calendar grains: ASCII and ISO, whatever the locale.
 */
public final class Grains {

	private Grains() {
	}

	/**
	 * The text of a due time's day ({@code 2026-05-04}), ISO week ({@code 2026-W19}),
	 * month ({@code 2026-05}) or year ({@code 2026}).
	 * @param grain one of these
	 * @param due the due time
	 * @param zone where it falls
	 */
	public static String text(Grain grain, Instant due, ZoneId zone) {
		LocalDate date = LocalDate.ofInstant(due, zone);
		return switch (grain) {
			case DAY -> date.toString();
			case WEEK -> year(date.get(IsoFields.WEEK_BASED_YEAR)) + "-W"
					+ twoDigits(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
			case MONTH -> year(date.getYear()) + "-" + twoDigits(date.getMonthValue());
			case YEAR -> year(date.getYear());
			case FACT, OCCURRENCE -> throw new IllegalArgumentException(grain + " is no part of the calendar");
		};
	}

	private static String year(int year) {
		// As a date's own text has it
		return LocalDate.of(year, 1, 1).toString().replaceFirst("-01-01$", "");
	}

	private static String twoDigits(int number) {
		return (number < 10) ? "0" + number : Integer.toString(number);
	}

}
