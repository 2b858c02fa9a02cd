package dev.once.occurrence;

import java.time.Duration;

import dev.once.OnMissed;
import dev.once.Overlap;
import org.jspecify.annotations.Nullable;

/**
 * How a job's firings are treated that cannot run at once (O5), and how long its lease is
 * renewed (L4).
 *
 * @param overlap what becomes of one that comes, or falls due, while a run is live
 * @param queueDepth how many occurrences may wait, 1 or more
 * @param onMissed what becomes of due times that passed while no run was live
 * @param timetable the job's due times, or {@code null} where nodes share none
 * @param renewedFor how long after a run's begin its lease is renewed, zero for never, or
 * {@code null} for as long as it runs
 */
public record JobPolicy(Overlap overlap, int queueDepth, OnMissed onMissed, @Nullable Timetable timetable,
		@Nullable Duration renewedFor) {

	/**
	 * The policy of a job that only its callers know.
	 */
	public static final JobPolicy OF_CALLERS = new JobPolicy(Overlap.COALESCE, 1, OnMissed.REPORT, null, null);

}
