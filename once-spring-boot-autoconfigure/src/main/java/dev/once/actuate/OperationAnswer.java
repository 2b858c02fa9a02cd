package dev.once.actuate;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the pages and operations of the endpoint {@code once} answer over HTTP.
 */
public sealed interface OperationAnswer extends OperationResponseBody {

	/**
	 * What became of a run that was asked for.
	 *
	 * @param job the job
	 * @param occurrence the occurrence that was asked for
	 * @param outcome {@code started}, {@code running}, {@code already_done} or
	 * {@code not_run}
	 * @param token the fencing token of the run that was started, or {@code null}
	 * @param running the occurrence that a run carries out, or {@code null}
	 * @param doneAt when it was finished, or {@code null}
	 * @param message the same for people
	 */
	record RunDescriptor(String job, String occurrence, String outcome, @Nullable Long token, @Nullable String running,
			@Nullable Instant doneAt, String message) implements OperationAnswer {

	}

	/**
	 * What the effects of a drill met.
	 *
	 * @param job the job
	 * @param occurrence the occurrence whose body ran again
	 * @param outcome {@code drilled}
	 * @param effects how many calls for effects there were
	 * @param turnedAway how many of them were turned away
	 * @param thrown what the body threw, types only, or {@code null}
	 * @param message the same for people
	 */
	record DrillDescriptor(String job, String occurrence, String outcome, int effects, int turnedAway,
			@Nullable String thrown, String message) implements OperationAnswer {

	}

	/**
	 * Why nothing was done.
	 *
	 * @param job the job, or {@code null} where none was named
	 * @param outcome {@code unknown_job}, {@code unknown_operation},
	 * {@code unknown_page}, {@code bad_request}, {@code forbidden} or {@code unavailable}
	 * @param message what is wrong, with the mend
	 */
	record RefusalDescriptor(@Nullable String job, String outcome, String message) implements OperationAnswer {

	}

	/**
	 * Occurrences of a job.
	 *
	 * @param job the job
	 * @param occurrences those that were due last, first
	 */
	record PageDescriptor(String job, List<OccurrenceDescriptor> occurrences) implements OperationAnswer {

	}

	/**
	 * One occurrence. All instants are the database's.
	 *
	 * @param occurrence its name
	 * @param dueAt when it was due
	 * @param state how far it is
	 * @param attempt number of the present or next attempt
	 * @param nextAttemptAt not to be run again before, or {@code null} where no time is
	 * set
	 * @param startedAt when its present or last run began, or {@code null} without one
	 * @param finishedAt when that run ended, or {@code null} while it runs or where it
	 * died
	 * @param token that run's fencing token, or {@code null} without one
	 * @param counts what became of its effects, as JSON, or {@code null}
	 * @param detail what it ended with, types only, or {@code null}
	 */
	record OccurrenceDescriptor(String occurrence, Instant dueAt, String state, int attempt,
			@Nullable Instant nextAttemptAt, @Nullable Instant startedAt, @Nullable Instant finishedAt,
			@Nullable Long token, @Nullable String counts, @Nullable String detail) {

	}

}
