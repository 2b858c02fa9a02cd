package dev.once.occurrence;

import java.time.Instant;
import java.time.ZoneId;

import dev.once.DueTime;

/**
 * Knows for each firing of a task what it is due for.
 */
@FunctionalInterface
interface Firings {

	/**
	 * Takes the due time of the firing that begins now.
	 */
	DueTime take();

	/**
	 * O1: the due time and the name that nodes share, from an instant that a trigger
	 * computed.
	 * @param schedule the schedule
	 * @param at the instant
	 * @param fallback the zone where the schedule gives none
	 */
	static DueTime dueTime(Schedule schedule, Instant at, ZoneId fallback) {
		Instant due = schedule.due(at);
		return new DueTime(due, schedule.zone(fallback), schedule.name(due, fallback));
	}

}
