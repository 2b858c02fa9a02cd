package dev.once.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What the endpoint {@code once} shows, in JSON of Actuator's own making, whatever the
 * application's looks like.
 *
 * @param problem why jobs and effects are missing, or {@code null} when they are not
 * @param jobs the declared jobs and all others with a lease, by name; {@code null} when
 * they could not be read
 * @param effects what the ledger holds; {@code null} when it could not be read
 * @param occurrences the occurrences that are not finished; {@code null} when they could
 * not be read
 * @param counters what this process did
 */
public record OnceDescriptor(@Nullable String problem, @Nullable List<JobDescriptor> jobs,
		@Nullable EffectsDescriptor effects, @Nullable OccurrencesDescriptor occurrences,
		CountersDescriptor counters) implements OperationResponseBody {

	/**
	 * A job and its lease.
	 *
	 * @param name the job's name
	 * @param held whether a run holds the lease, on the database's clock
	 * @param owner the application context whose run holds it, or {@code null}
	 * @param run the run that holds it, or {@code null}
	 * @param token the fencing token, 0 before the first run
	 * @param leaseUntil the lease's end, or {@code null} before the first run
	 * @param acquiredAt when the present or last run claimed it, or {@code null} before
	 * the first run
	 * @param renewedAt when it was last renewed, or {@code null}
	 */
	public record JobDescriptor(String name, boolean held, @Nullable String owner, @Nullable String run, long token,
			@Nullable Instant leaseUntil, @Nullable Instant acquiredAt, @Nullable Instant renewedAt) {

	}

	/**
	 * The rows of the ledger that are not {@code done}.
	 *
	 * @param claimed reserved, nothing sent
	 * @param submitted in flight
	 * @param unknown the answer was lost
	 * @param oldestUnknown age of the oldest unknown one since its submit, or
	 * {@code null} without one
	 * @param attention what needs a person, by reason
	 */
	public record EffectsDescriptor(long claimed, long submitted, long unknown, @Nullable Duration oldestUnknown,
			List<AttentionDescriptor> attention) {

	}

	/**
	 * The occurrences that are neither running nor finished.
	 *
	 * @param open they come back
	 * @param abandoned they need a person
	 * @param queued they wait for their job's lease
	 * @param refused they were refused, and no run of the job has begun and finished
	 * since
	 */
	public record OccurrencesDescriptor(long open, long abandoned, List<JobOccurrencesDescriptor> queued,
			List<JobOccurrencesDescriptor> refused) {

	}

	/**
	 * Occurrences of a job.
	 *
	 * @param job the job's name
	 * @param occurrences how many
	 */
	public record JobOccurrencesDescriptor(String job, long occurrences) {

	}

	/**
	 * Effects that need a person.
	 *
	 * @param reason why
	 * @param effects how many
	 */
	public record AttentionDescriptor(String reason, long effects) {

	}

	/**
	 * What this process did.
	 *
	 * @param since since when
	 * @param actions calls by action and by what became of them
	 * @param jobs turns by job
	 * @param duplicates calls that met the row of their own key and did nothing new
	 * @param changed effects on a target that had been acted on with other inputs
	 * @param contradictions answers to attempts resolved as "did not happen"
	 * @param resolved what came of asking the far side
	 */
	public record CountersDescriptor(Instant since, List<ActionDescriptor> actions, List<TurnsDescriptor> jobs,
			long duplicates, long changed, long contradictions, ResolvedDescriptor resolved) {

	}

	/**
	 * Calls for an action by what became of them.
	 *
	 * @param action the action's name, {@code other} for all undeclared ones
	 * @param performed this call's attempt did it
	 * @param duplicate it had been done
	 * @param inProgress another attempt was in flight
	 * @param waiting it waits for its next attempt, or for another effect
	 * @param notSent nothing was sent
	 * @param refused the far side refused
	 * @param unknown nobody knows
	 * @param fenced the run's token was no longer the job's
	 */
	public record ActionDescriptor(String action, long performed, long duplicate, long inProgress, long waiting,
			long notSent, long refused, long unknown, long fenced) {

	}

	/**
	 * What befell a job besides running.
	 *
	 * @param job the job's name, {@code other} for all undeclared ones
	 * @param suppressed turns of this node that came to nothing: the lease was held, or
	 * the occurrence known
	 * @param fenced runs that were turned away
	 * @param refused occurrences that came while a run was live, and were refused
	 * @param queueRefused occurrences that found the job's queue full
	 * @param missed due times that passed while no run was live
	 */
	public record TurnsDescriptor(String job, long suppressed, long fenced, long refused, long queueRefused,
			long missed) {

	}

	/**
	 * What came of asking the far side.
	 *
	 * @param happened it happened
	 * @param didNotHappen it did not, and that counted
	 * @param cannotTell nothing was proven
	 * @param undetermined a person was asked
	 */
	public record ResolvedDescriptor(long happened, long didNotHappen, long cannotTell, long undetermined) {

	}

}
