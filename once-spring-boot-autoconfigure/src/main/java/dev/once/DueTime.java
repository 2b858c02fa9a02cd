package dev.once;

import java.time.Instant;
import java.time.ZoneId;

import org.jspecify.annotations.Nullable;

/**
 * When a piece of work was due, as its trigger computed it.
 *
 * @param at the instant
 * @param zone the schedule's zone, in which the instant falls into a day, or {@code null}
 * for {@code once.zone}
 * @param occurrence the name that the schedule gives it on every node alike, or
 * {@code null} where it gives none
 */
public record DueTime(Instant at, @Nullable ZoneId zone, @Nullable String occurrence) {

	/**
	 * A due time that somebody names, with nothing known of a schedule.
	 * @param at the instant
	 */
	public static DueTime of(Instant at) {
		return new DueTime(at, null, null);
	}

}
