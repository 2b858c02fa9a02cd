package dev.once.aop;

import java.time.Instant;
import java.time.ZoneId;

import dev.once.DueTime;
import dev.once.Grain;
import dev.once.JobRun;
import dev.once.OnceException;
import dev.once.OnceScope;
import dev.once.lease.TimeSource;
import dev.once.occurrence.Grains;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Says when calls are due, and gives their grains a text. What is missing is refused: a
 * grain that guessed would name another fact.
 *
 * @param zone where a due time falls whose schedule gives no zone
 * @param direct when direct calls are due
 */
record CallTimes(ZoneId zone, DirectDue direct) {

	private static final Log logger = LogFactory.getLog(CallTimes.class);

	/**
	 * Text of an effect's grain in the current scope.
	 * @param grain the grain
	 * @param action the action, for messages
	 * @param time the process's time
	 * @return the text, or {@code null} for a fact
	 * @throws OnceException when the grain needs what is not known here; nothing was sent
	 */
	@Nullable String grain(Grain grain, String action, TimeSource time) {
		return switch (grain) {
			case FACT -> null;
			case OCCURRENCE -> occurrence(action);
			case DAY, WEEK, MONTH, YEAR -> text(grain, due(grain, action, time));
		};
	}

	/**
	 * Text of a calendar grain.
	 */
	String text(Grain grain, DueTime due) {
		ZoneId zone = due.zone();
		return Grains.text(grain, due.at(), (zone != null) ? zone : this.zone);
	}

	// Two jobs' occurrences are never one
	private static String occurrence(String action) {
		OnceScope scope = OnceScope.current();
		JobRun run = scope.run();
		if (run != null) {
			if (run.occurrence() == null) {
				throw new OnceException("The effect '" + action
						+ "' was not started: its grain is OCCURRENCE, and the run of job '" + run.job()
						+ "' carries out none that has a name. Give @OnceJob a grain, or say when the call is due: "
						+ "by OnceOperations.at(due, ...) around the job's call, or by once.occurrence");
			}
			return run.job() + "@" + run.occurrence();
		}
		if (scope.due() == null) {
			throw notInRun(Grain.OCCURRENCE, action);
		}
		return scope.due().at().toString();
	}

	private DueTime due(Grain grain, String action, TimeSource time) {
		OnceScope scope = OnceScope.current();
		if (scope.due() != null) {
			return scope.due();
		}
		JobRun run = scope.run();
		if (run == null) {
			throw notInRun(grain, action);
		}
		if (run.due() != null) {
			return run.due();
		}
		String what = "The run of job '" + run.job() + "' has no due time, and the grain " + grain + " of the effect '"
				+ action + "' needs one";
		if (this.direct instanceof DirectDue.FromClock) {
			return fromClock(what, time);
		}
		throw new OnceException("The effect '" + action + "' was not started. " + what + ". " + mend("the job's call"));
	}

	private static OnceException notInRun(Grain grain, String action) {
		return new OnceException("The effect '" + action + "' was not started: its grain is " + grain
				+ ", and there is neither a run nor a due time on this thread. Call it within a @OnceJob or "
				+ "OnceOperations.at(due, ...); where that is on another thread, hand its work over with "
				+ "OnceScope.current().wrap(...) or OnceScope.executor(...)");
	}

	/**
	 * When a direct call of a job is due that needs to know.
	 * @param job the job
	 * @param grain what needs it
	 * @param time the process's time
	 * @throws OnceException when nobody says it; nothing was run
	 */
	DueTime direct(String job, Grain grain, TimeSource time) {
		if (this.direct instanceof DirectDue.Given given) {
			return DueTime.of(given.at());
		}
		String what = "Nobody says when this call of job '" + job + "' is due, and its grain " + grain
				+ " needs to know";
		if (this.direct instanceof DirectDue.FromClock) {
			return fromClock(what, time);
		}
		throw new OnceException("Job '" + job + "' was not run. " + what + ". " + mend("the call"));
	}

	private static String mend(String call) {
		return "Set once.occurrence (ONCE_OCCURRENCE) to the scheduled time, such as 2026-05-04T02:00Z; or put " + call
				+ " into OnceOperations.at(due, ...); or set once.occurrence-from-clock=true to take the time of "
				+ "the call";
	}

	private static DueTime fromClock(String what, TimeSource time) {
		Instant now = time.now();
		logger.warn(what + ": once.occurrence-from-clock is on, so that the clock's " + now
				+ " is taken. A second call on another day, or by another clock, is another occurrence");
		return DueTime.of(now);
	}

}
