package dev.once.occurrence;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A row of the occurrence table, as read. All instants are the database's.
 *
 * @param job the job's name
 * @param occurrence the occurrence's name
 * @param dueAt when it was due
 * @param zone the zone of its grains, or {@code null} where its schedule has none
 * @param state how far it is
 * @param attempt number of the present or next attempt, from 1, or 0 before the first:
 * crashes and throws count, coming back does not
 * @param nextAttemptAt not to be run again before, or {@code null} where no time is set
 * @param runId the present or last run, or {@code null} before the first
 * @param owner the application context of that run, or {@code null}
 * @param token that run's fencing token, or 0
 * @param arguments the recorded arguments of triggered work, or {@code null}
 * @param startedAt when that run began, or {@code null}
 * @param endedAt when that run ended, or {@code null} while it runs or where it died
 * @param counts what became of its effects, as JSON, or {@code null}
 * @param detail cleaned and cut text of what it ended with, or {@code null}
 * @param readAt the database's clock when the row was read
 */
public record OccurrenceRow(String job, String occurrence, Instant dueAt, @Nullable ZoneId zone, OccurrenceState state,
		int attempt, @Nullable Instant nextAttemptAt, @Nullable String runId, @Nullable String owner, long token,
		@Nullable String arguments, @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable String counts,
		@Nullable String detail, Instant readAt) {

	/**
	 * The row with the id of its run as another object, which is equal to its own.
	 * @param runId the run's id
	 */
	public OccurrenceRow ofRun(@Nullable String runId) {
		return new OccurrenceRow(this.job, this.occurrence, this.dueAt, this.zone, this.state, this.attempt,
				this.nextAttemptAt, runId, this.owner, this.token, this.arguments, this.startedAt, this.endedAt,
				this.counts, this.detail, this.readAt);
	}

	/**
	 * A state as logs and lists write it.
	 */
	static String word(OccurrenceState state) {
		return state.name().toLowerCase(Locale.ROOT);
	}

}
