package dev.once.occurrence;

import java.time.Instant;
import java.time.ZoneId;

/**
 * A due time of a job, with the name that its firing has (O1).
 *
 * @param name the occurrence's name
 * @param dueAt when it is due first
 * @param zone the zone in which it falls into a day
 * @param passesAt when no further firing of it can come: the due time itself for a cron,
 * the end of its slot for a fixed rate, the last of its due times where several have one
 * name
 * @param exists whether it is fired at all; a local time that the clock jumps over is not
 */
public record DuePoint(String name, Instant dueAt, ZoneId zone, Instant passesAt, boolean exists) {

}
