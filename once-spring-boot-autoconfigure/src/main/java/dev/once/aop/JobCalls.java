package dev.once.aop;

import java.time.Duration;
import java.time.Instant;

import dev.once.DueTime;
import dev.once.JobOutcome;
import dev.once.JobRun;
import dev.once.OnceScope;
import dev.once.aop.OccurrenceRule.Called;
import dev.once.lease.TimeSource;
import dev.once.occurrence.Firing;
import dev.once.occurrence.JobCall;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.Runs;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Carries out calls of a job's method.
 */
final class JobCalls {

	private static final Log logger = LogFactory.getLog(JobCalls.class);

	private static final Duration LOOK = Duration.ofSeconds(1);

	private final GuardedMethods methods;

	private final Runs runs;

	private final TimeSource time;

	JobCalls(GuardedMethods methods, Collaborators collaborators) {
		this.methods = methods;
		this.runs = collaborators.runs();
		this.time = collaborators.time();
	}

	/**
	 * Carries a call out.
	 * @param job the job
	 * @param args the call's arguments
	 * @param body the method's body
	 * @return what became of it
	 * @throws Throwable what the body throws
	 */
	JobOutcome<@Nullable Object> call(Guard.Job job, @Nullable Object[] args, Runs.Body body) throws Throwable {
		OnceScope scope = OnceScope.current();
		JobRun outer = scope.run();
		if (outer != null && outer.job().equals(job.name())) {
			return outcome(call(job, within(job, args, scope), null), body);
		}
		CallTimes times = this.methods.times();
		Called called = job.rule().of(args, times, this.time);
		RecordedArguments arguments = job.arguments();
		JobCall call = call(job, called, (arguments != null) ? arguments.write(args, this.methods.maxValue()) : null);
		boolean ofProcess = scope.due() == null && outer == null && called.occurrence() != null
				&& !(times.direct() instanceof DirectDue.Unknown);
		return ofProcess ? callOfProcess(call, body) : outcome(call, body);
	}

	// A part of that run, unless somebody names another occurrence
	private Called within(Guard.Job job, @Nullable Object[] args, OnceScope scope) {
		boolean named = scope.due() != null || job.rule() instanceof OccurrenceRule.ByArguments;
		return named ? job.rule().of(args, this.methods.times(), this.time) : new Called(null, null);
	}

	private JobCall call(Guard.Job job, Called called, @Nullable String arguments) {
		return call(job, this.methods.application(), called.occurrence(), inZone(called.due()), arguments);
	}

	/** A job's terms, as a call that names nothing. */
	static JobCall call(Guard.Job job, String application) {
		return call(job, application, null, null, null);
	}

	private static JobCall call(Guard.Job job, String application, @Nullable String occurrence, @Nullable DueTime due,
			@Nullable String arguments) {
		JobTerms terms = job.terms();
		return new JobCall(job.name(), terms.lease(), application, terms.attempts(), terms.backoff(), occurrence, due,
				(job.rule() instanceof OccurrenceRule.ByArguments) ? new Again.Asked() : new Again.No(), arguments,
				job.policy());
	}

	// O4: what comes back falls into the same day, wherever days begin by then
	private @Nullable DueTime inZone(@Nullable DueTime due) {
		return (due == null || due.zone() != null) ? due
				: new DueTime(due.at(), this.methods.times().zone(), due.occurrence());
	}

	/**
	 * A process that was started for this call ends with it, and nobody in it comes back
	 * later: a lease that may be a dead process's is waited for, and so is a run that
	 * came back in this process meanwhile.
	 */
	private JobOutcome<@Nullable Object> callOfProcess(JobCall call, Runs.Body body) throws Throwable {
		long start = this.time.nanoTime();
		long patience = call.lease().plus(LOOK).toNanos();
		JobOutcome<@Nullable Object> outcome = outcome(call, body);
		while (outcome instanceof JobOutcome.AlreadyRunning
				&& (this.time.nanoTime() - start < patience || this.runs.isLive(call.job())) && pause()) {
			outcome = outcome(call, body);
		}
		if (outcome instanceof JobOutcome.AlreadyDone<?> done) {
			logger.info(call + " is not run: it is already done, at " + done.at());
		}
		else if (outcome instanceof JobOutcome.AlreadyRunning) {
			logger.info(call + " is not run: another run holds the job's lease, and renews it");
		}
		else if (outcome instanceof JobOutcome.Open<?> open) {
			logger.info(call + " is not run: it is open, and is run again by any node of this application"
					+ ((open.retryAfter() != null) ? " in " + open.retryAfter() : ""));
		}
		else if (outcome instanceof JobOutcome.Queued) {
			logger.info(call + " waits in the job's queue, and is run by any node of this application");
		}
		else if (outcome instanceof JobOutcome.Abandoned<?> abandoned) {
			logger.warn(call + " is not run: " + abandoned.why());
		}
		return outcome;
	}

	private boolean pause() {
		try {
			this.time.pause(LOOK);
			return true;
		}
		catch (InterruptedException ex) {
			// Its caller's method need not declare it
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private JobOutcome<@Nullable Object> outcome(JobCall call, Runs.Body body) throws Throwable {
		return outcome(call, this.runs.fire(call, body));
	}

	/**
	 * What a firing means to one who comes back until all is settled.
	 */
	static JobOutcome<@Nullable Object> settled(JobCall call, Firing firing) {
		return (firing instanceof Firing.Ran ran && ran.state() == OccurrenceState.OPEN)
				? new JobOutcome.Open<>(call.toString(), ran.againIn()) : outcome(call, firing);
	}

	/**
	 * What a firing means to the one who called.
	 */
	static JobOutcome<@Nullable Object> outcome(JobCall call, Firing firing) {
		if (firing instanceof Firing.Ran ran) {
			return ran(ran.result());
		}
		if (firing instanceof Firing.Known known) {
			return known(call.toString(), known.row());
		}
		if (firing instanceof Firing.Purged purged) {
			return new JobOutcome.Abandoned<>(call.toString(), "it was due before " + purged.purgedUntil()
					+ ", and what is older has been purged, so that nobody knows whether it ran");
		}
		if (firing instanceof Firing.Queued) {
			return new JobOutcome.Queued<>(call.toString());
		}
		if (firing instanceof Firing.Refused refused) {
			return new JobOutcome.Refused<>(call.toString(), refused.why());
		}
		return (firing instanceof Firing.Stopping) ? new JobOutcome.Stopping<>(call.toString())
				: new JobOutcome.AlreadyRunning<>(call.toString());
	}

	@SuppressWarnings("NullAway") // The type's argument says that there may be none
	private static JobOutcome<@Nullable Object> ran(@Nullable Object result) {
		return new JobOutcome.Ran<>(result);
	}

	private static JobOutcome<@Nullable Object> known(String call, OccurrenceRow row) {
		if (row.state() == OccurrenceState.FINISHED) {
			return new JobOutcome.AlreadyDone<>(call, row.endedAt());
		}
		if (row.state() == OccurrenceState.ABANDONED) {
			return new JobOutcome.Abandoned<>(call, "its attempts are used up, and a person has to look at it");
		}
		if (row.state() == OccurrenceState.REFUSED) {
			return new JobOutcome.AlreadyRunning<>(call);
		}
		Instant next = row.nextAttemptAt();
		return new JobOutcome.Open<>(call,
				(next != null && next.isAfter(row.readAt())) ? Duration.between(row.readAt(), next) : null);
	}

}
