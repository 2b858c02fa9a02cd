package dev.once.occurrence;

import java.time.Duration;

import dev.once.DueTime;
import dev.once.occurrence.OccurrenceStore.Again;
import org.jspecify.annotations.Nullable;

/**
 * A call of a job, with the name of what it carries out.
 *
 * @param job the job's name
 * @param lease how long the lease lasts without a renewal
 * @param declaredBy name of the application that declares the job
 * @param attempts how many attempts an occurrence has
 * @param backoff how long an occurrence whose body threw is left alone
 * @param occurrence the occurrence's name, or {@code null} where the lease alone guards
 * the call
 * @param due when it is due, or {@code null}: an occurrence is due when it is called,
 * then
 * @param again whether an occurrence that is known is run again
 * @param arguments the recorded arguments of triggered work, or {@code null}
 * @param policy how it is treated if it cannot run at once
 */
public record JobCall(String job, Duration lease, String declaredBy, int attempts, Duration backoff,
		@Nullable String occurrence, @Nullable DueTime due, Again again, @Nullable String arguments, JobPolicy policy) {

	/**
	 * Whether its name stands for the same work at another time, so that a later one may
	 * do for an earlier one. Names of arguments and of callers stand for work of their
	 * own.
	 */
	boolean isNamedByTime() {
		return this.arguments == null && !(this.again instanceof Again.WhenDue);
	}

	/**
	 * Whether it comes by itself, from a timer or from who triggers the work, so that the
	 * job's policy says what becomes of it.
	 */
	boolean isFiring() {
		return this.again instanceof Again.No || this.again instanceof Again.Asked;
	}

	/**
	 * The same call for another occurrence.
	 */
	JobCall of(@Nullable String occurrence, DueTime due, Again again, @Nullable String arguments) {
		return new JobCall(this.job, this.lease, this.declaredBy, this.attempts, this.backoff, occurrence, due, again,
				arguments, this.policy);
	}

	/**
	 * Job and occurrence, for messages.
	 */
	@Override
	public String toString() {
		return (this.occurrence != null) ? "Occurrence '" + this.occurrence + "' of job '" + this.job + "'"
				: "Job '" + this.job + "'";
	}

}
