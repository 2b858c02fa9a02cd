package dev.once.occurrence;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import dev.once.DueTime;
import dev.once.JobRun;
import dev.once.OnceException;
import dev.once.OnceScope;
import dev.once.lease.Deadline;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.Run;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.Failures;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.OccurrenceStore.Claim;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Starts and ends the runs of this application context.
 */
public final class Runs {

	private static final Log logger = LogFactory.getLog(Runs.class);

	private static final Log reports = LogFactory.getLog("once.run");

	/** How long a claim that waits goes without looking whether it still should. */
	private static final Duration LOOK = Duration.ofSeconds(1);

	/** Nodes differ by seconds; by more, somebody should look at a clock. */
	private static final Duration LONG_WAIT = Duration.ofMinutes(1);

	private final Leases leases;

	private final Occurrences occurrences;

	private final Renewer renewer;

	private final TimeSource time;

	private final ThreadLocal<OccurrenceRow> comingBack = new ThreadLocal<>();

	private volatile boolean stopping;

	/**
	 * Creates the context's runs.
	 * @param leases the leases they hold
	 * @param occurrences the table of what they carry out
	 * @param renewer keeps the leases alive
	 * @param time the process's time
	 */
	public Runs(Leases leases, OccurrenceStore occurrences, Renewer renewer, TimeSource time) {
		this.leases = leases;
		this.occurrences = new Occurrences(occurrences, leases, time);
		this.renewer = renewer;
		this.time = time;
	}

	/**
	 * Runs a job's body for its occurrence and under the job's lease, or does nothing and
	 * says why. Called within a run of the same job, the body is a part of that run.
	 * @param call what is to be run
	 * @param body the job's body
	 * @return what became of the firing
	 * @throws dev.once.lease.StoreException when Once's tables cannot be written; nothing
	 * was started
	 * @throws Throwable what the body throws
	 */
	public Firing fire(JobCall call, Body body) throws Throwable {
		JobRun outer = OnceScope.current().run();
		if (outer != null && outer.job().equals(call.job())) {
			outer.stopIfFenced();
			refuseAnother(call, outer);
			return new Firing.Ran(body.run(), OccurrenceState.RUNNING, null);
		}
		OccurrenceRow row = this.comingBack.get();
		if (row != null && row.job().equals(call.job())) {
			// What it starts in turn is fired anew
			this.comingBack.remove();
			return fireNamed(again(call, row), body);
		}
		return (call.occurrence() != null) ? fireNamed(call, body) : fireUnnamed(call, body);
	}

	// O1: what it does would be done, and recorded, under the run's name
	private static void refuseAnother(JobCall call, JobRun outer) {
		if (call.occurrence() != null && !call.occurrence().equals(outer.occurrence())) {
			throw new OnceException("Occurrence '" + call.occurrence() + "' of job '" + call.job()
					+ "' was not run: it was called within the job's run "
					+ ((outer.occurrence() != null) ? "for '" + outer.occurrence() + "'" : "for none that has a name")
					+ ", and would be taken for a part of it. Call it when that has ended, or make it another job");
		}
	}

	// O4: under the same name and due time, whatever schedule and grain are today
	private static JobCall again(JobCall call, OccurrenceRow row) {
		return new JobCall(call.job(), call.lease(), call.declaredBy(), call.attempts(), call.backoff(),
				row.occurrence(), due(row), new Again.AsRead(row), row.arguments());
	}

	/**
	 * O4: lets an occurrence come back.
	 * @param row the occurrence as read
	 * @param work calls its job's method
	 * @throws Throwable what that throws
	 */
	public void comeBack(OccurrenceRow row, Work work) throws Throwable {
		this.comingBack.set(row);
		try (OnceScope.Restore restore = new OnceScope(null, null, due(row)).open()) {
			work.call();
		}
		finally {
			this.comingBack.remove();
		}
	}

	private static DueTime due(OccurrenceRow row) {
		return new DueTime(row.dueAt(), row.zone(), row.occurrence());
	}

	// A job without names: the lease alone guards it

	private Firing fireUnnamed(JobCall call, Body body) throws Throwable {
		if (this.stopping) {
			return stopping(call);
		}
		// L4: nothing starts that nobody renews
		this.renewer.ensureRunning();
		Optional<Run> claimed = this.leases.claim(call.job(), call.lease(), call.declaredBy());
		if (claimed.isEmpty()) {
			logger.debug("Job '" + call.job() + "' is not started: another run holds its lease");
			return new Firing.Suppressed();
		}
		CurrentRun run = new CurrentRun(claimed.get(), call.due(), Caller.ANYBODY, () -> this.stopping);
		return run(run, body, (result, thrown) -> {
			this.leases.release(run.run());
			return new Firing.Ran(result, OccurrenceState.FINISHED, null);
		});
	}

	// Occurrences: O2

	private Firing fireNamed(JobCall call, Body body) throws Throwable {
		String occurrence = Objects.requireNonNull(call.occurrence());
		DueTime given = call.due();
		DueTime due = (given != null) ? given : new DueTime(this.time.now(), null, occurrence);
		boolean waiting = false;
		while (!this.stopping) {
			this.renewer.ensureRunning();
			OccurrenceStore.Request request = new OccurrenceStore.Request(
					this.leases.request(call.job(), call.lease(), call.declaredBy()), occurrence, due.at(), due.zone(),
					call.attempts(), call.again(), call.arguments());
			// L5: counted from before the statement
			Deadline lease = Deadline.startingNow(this.time, call.lease());
			Claim claim = this.occurrences.claim(request);
			if (claim instanceof Claim.Granted granted) {
				// O4: its grains are those of the first attempt, whoever calls this time
				CurrentRun run = new CurrentRun(this.leases.begin(granted.hold(), occurrence, lease),
						due(granted.row()), isRunAgain(call, granted.row()) ? Caller.RUN_AGAIN : Caller.ANYBODY,
						() -> this.stopping);
				int attempt = granted.row().attempt();
				return run(run, body, (result, thrown) -> end(run, call, attempt, result, thrown));
			}
			if (claim instanceof Claim.Early early && given == null) {
				// L5: this node's clock is ahead
				due = new DueTime(due.at().minus(early.left()), due.zone(), due.occurrence());
			}
			else if (claim instanceof Claim.Early early) {
				if (!waiting) {
					tellLongWait(call, early.left());
				}
				waiting = true;
				waitUntilDue(call, early.left());
			}
			else {
				return suppressed(call, claim);
			}
		}
		return stopping(call);
	}

	private static boolean isRunAgain(JobCall call, OccurrenceRow row) {
		return call.again() instanceof Again.AsRead || row.attempt() > 1;
	}

	private Firing suppressed(JobCall call, Claim claim) {
		if (!(call.again() instanceof Again.AsRead)) {
			// What the caretakers of several nodes try is no firing
			this.leases.suppressed(call.job());
		}
		String what = "Occurrence '" + call.occurrence() + "' of job '" + call.job() + "' is not started: ";
		if (claim instanceof Claim.Spent spent) {
			this.occurrences.abandon(spent.row());
			return new Firing.Known(spent.row());
		}
		if (claim instanceof Claim.Purged purged) {
			logger.warn(what + "it was due before " + purged.purgedUntil()
					+ ", up to which occurrences have been purged, so that nobody knows whether it ran");
			return new Firing.Purged(purged.purgedUntil());
		}
		if (claim instanceof Claim.Known known && known.row().state() != OccurrenceState.RUNNING) {
			logger.debug(what + "it is " + OccurrenceRow.word(known.row().state()));
			return new Firing.Known(known.row());
		}
		logger.debug(what + "another run holds the job's lease");
		return new Firing.Suppressed();
	}

	private Firing stopping(JobCall call) {
		logger.debug("Job '" + call.job() + "' is not started: the application is shutting down");
		return new Firing.Stopping();
	}

	private static void tellLongWait(JobCall call, Duration left) {
		if (left.compareTo(LONG_WAIT) > 0) {
			logger.warn("Occurrence '" + call.occurrence() + "' of job '" + call.job() + "' is due in "
					+ left.toSeconds() + " s on the database's clock, and its thread waits until then: look at the "
					+ "clocks, if nobody asked for it ahead of time");
		}
	}

	// O2: timers wake early, and clocks differ
	private void waitUntilDue(JobCall call, Duration left) {
		try {
			this.time.pause((left.compareTo(LOOK) > 0) ? LOOK : left);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new OnceException("Occurrence '" + call.occurrence() + "' of job '" + call.job()
					+ "' was not run: its thread was interrupted before it was due");
		}
	}

	// Running

	private Firing run(CurrentRun run, Body body, Ending ending) throws Throwable {
		long start = this.time.nanoTime();
		Object result = null;
		Throwable thrown = null;
		try (OnceScope.Restore restore = new OnceScope(run, OnceScope.current().effect(), null).open()) {
			result = body.run();
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		Firing.Ran ran = ending.of(result, thrown);
		report(run, Duration.ofNanos(this.time.nanoTime() - start), thrown, ran);
		if (thrown != null) {
			throw thrown;
		}
		return ran;
	}

	private static void report(CurrentRun run, Duration duration, @Nullable Throwable thrown, Firing.Ran ran) {
		if (!reports.isInfoEnabled()) {
			return;
		}
		StringBuilder line = new StringBuilder(run.report(duration));
		if (thrown != null) {
			line.append(", and then threw ").append(Failures.describe(thrown));
		}
		if (run.occurrence() != null && !run.isFenced()) {
			line.append(". The occurrence is ").append(OccurrenceRow.word(ran.state()));
			if (ran.againIn() != null) {
				line.append(", to be run again in ").append(ran.againIn().toSeconds()).append(" s");
			}
		}
		reports.info(line);
	}

	private Firing.Ran end(CurrentRun run, JobCall call, int attempt, @Nullable Object result,
			@Nullable Throwable thrown) {
		OccurrenceStore.End end = run.end(call, attempt, thrown);
		this.occurrences.end(run, end);
		return new Firing.Ran(result, end.state(), end.nextAttemptIn());
	}

	/**
	 * Whether a run of a job is live in this application context.
	 * @param job the job's name
	 */
	public boolean isLive(String job) {
		return this.leases.live().stream().anyMatch((run) -> run.hold().job().equals(job));
	}

	/**
	 * Starts no new run from now on.
	 */
	public void stop() {
		this.stopping = true;
	}

	/**
	 * A job's body.
	 */
	@FunctionalInterface
	public interface Body {

		/**
		 * Runs it.
		 * @return what it returns
		 * @throws Throwable what it throws
		 */
		@Nullable Object run() throws Throwable;

	}

	/**
	 * Calls a job's method, through all that stands before it.
	 */
	@FunctionalInterface
	public interface Work {

		/**
		 * Calls it.
		 * @throws Throwable what it throws
		 */
		void call() throws Throwable;

	}

	@FunctionalInterface
	private interface Ending {

		Firing.Ran of(@Nullable Object result, @Nullable Throwable thrown);

	}

}
