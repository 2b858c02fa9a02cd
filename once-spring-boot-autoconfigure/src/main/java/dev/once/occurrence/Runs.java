package dev.once.occurrence;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongConsumer;

import dev.once.DueTime;
import dev.once.JobRun;
import dev.once.OnceException;
import dev.once.OnceScope;
import dev.once.Overlap;
import dev.once.lease.Deadline;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.Run;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.Failures;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.OccurrenceStore.Claim;
import dev.once.occurrence.Timetable.Neighbours;
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

	private final Overlaps overlaps;

	private final Paces paces = new Paces();

	/** What the thread's next call of a job is to carry out, whatever it names itself. */
	private final ThreadLocal<Wanted> wanted = new ThreadLocal<>();

	private volatile boolean stopping;

	/**
	 * Creates the context's runs.
	 * @param leases the leases they hold
	 * @param occurrences the table of what they carry out
	 * @param renewer keeps the leases alive
	 * @param listener is told what was not run when it was due
	 * @param time the process's time
	 */
	public Runs(Leases leases, OccurrenceStore occurrences, Renewer renewer, JobListener listener, TimeSource time) {
		this.leases = leases;
		this.occurrences = new Occurrences(occurrences, leases, time);
		this.overlaps = new Overlaps(occurrences, leases, listener);
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
		Wanted wanted = this.wanted.get();
		if (wanted != null && wanted.job().equals(call.job())) {
			// What it starts in turn is fired anew
			this.wanted.remove();
			return wanted.carrying().out(call, body);
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
		return call.of(row.occurrence(), due(row), new Again.AsRead(row), row.arguments());
	}

	/**
	 * O4: lets an occurrence come back.
	 * @param row the occurrence as read
	 * @param work calls its job's method
	 * @return whether a run of it has ended
	 * @throws Throwable what that throws
	 */
	public boolean comeBack(OccurrenceRow row, Work work) throws Throwable {
		return carryOut(row.job(), due(row), work, (call, body) -> fireNamed(again(call, row), body))
			.filter(Firing.Ran.class::isInstance)
			.isPresent();
	}

	/**
	 * O6: an occurrence cannot even be called, and that is an attempt that failed.
	 * @param row the occurrence as read
	 * @param call the job's terms
	 * @param failure why it cannot be called
	 */
	public void fail(OccurrenceRow row, JobCall call, Throwable failure) {
		try {
			fireNamed(again(call, row), () -> {
				throw failure;
			});
		}
		catch (Throwable ex) {
			logger.debug(call + " could not be called", ex);
		}
	}

	/**
	 * P2: lets an occurrence run that a person asks for.
	 * @param job the job's name
	 * @param due its name and due time
	 * @param begun is told the token of its run as that begins
	 * @param work calls the job's method
	 * @return what became of it
	 * @throws Throwable what the method throws
	 */
	public Firing runNow(String job, DueTime due, LongConsumer begun, Work work) throws Throwable {
		return carryOut(job, due, work, (call, body) -> {
			JobCall asked = call.of(due.occurrence(), due, new Again.ByPerson(), null);
			return fireNamed(asked, () -> {
				begun.accept(JobRun.current().fencingToken());
				return body.run();
			});
		}).orElseGet(Firing.Suppressed::new);
	}

	/**
	 * P2: runs the body of an occurrence again with a token that is not its job's, so
	 * that no effect can start (E1).
	 * @param row the occurrence, finished
	 * @param work calls its job's method
	 * @return what its effects met
	 */
	public JobDesk.Drilled drill(OccurrenceRow row, Work work) {
		CurrentRun run = new CurrentRun(this.leases.ofNobody(row.job(), row.occurrence()), due(row), Caller.RUN_AGAIN,
				() -> this.stopping);
		Throwable thrown = null;
		try {
			carryOut(row.job(), due(row), work, (call, body) -> {
				try (OnceScope.Restore restore = new OnceScope(run, null, null).open()) {
					return new Firing.Ran(body.run(), OccurrenceState.RUNNING, null);
				}
			});
		}
		catch (Throwable ex) {
			thrown = ex;
		}
		return new JobDesk.Drilled(row.occurrence(), run.calls(), run.duplicates(),
				(thrown != null) ? Failures.describe(thrown) : null);
	}

	private Optional<Firing> carryOut(String job, DueTime due, Work work, Carrying carrying) throws Throwable {
		Firing[] firing = new Firing[1];
		this.wanted.set(new Wanted(job, (call, body) -> firing[0] = carrying.out(call, body)));
		try (OnceScope.Restore restore = new OnceScope(null, null, due).open()) {
			work.call();
		}
		finally {
			this.wanted.remove();
		}
		return Optional.ofNullable(firing[0]);
	}

	/**
	 * O5: looks at the due times of a job that have passed.
	 * @param job the job's name
	 * @param policy its policy
	 */
	public void look(String job, JobPolicy policy) {
		this.overlaps.look(job, policy);
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
		Optional<Run> claimed = this.leases.claim(call.job(), call.lease(), call.declaredBy(),
				call.policy().renewedFor());
		if (claimed.isEmpty()) {
			return this.overlaps.unnamed(call);
		}
		CurrentRun run = new CurrentRun(claimed.get(), call.due(), Caller.ANYBODY, () -> this.stopping);
		return run(call, run, body, (result, thrown) -> {
			this.leases.release(run.run());
			return new Firing.Ran(result, OccurrenceState.FINISHED, null);
		});
	}

	// Occurrences: O2

	private Firing fireNamed(JobCall call, Body body) throws Throwable {
		String occurrence = Objects.requireNonNull(call.occurrence());
		DueTime given = call.due();
		DueTime due = (given != null) ? given : new DueTime(this.time.now(), null, occurrence);
		Timetable timetable = (call.again() instanceof Again.No) ? call.policy().timetable() : null;
		Neighbours neighbours = (timetable != null) ? timetable.around(occurrence, due.at()).orElse(null) : null;
		boolean waiting = false;
		boolean looked = false;
		while (!this.stopping) {
			this.renewer.ensureRunning();
			OccurrenceStore.Request request = new OccurrenceStore.Request(
					this.leases.request(call.job(), call.lease(), call.declaredBy()), occurrence, due.at(), due.zone(),
					call.attempts(), call.again(), call.arguments(), order(call), neighbours);
			// L5: counted from before the statement
			Deadline lease = Deadline.startingNow(this.time, call.lease());
			Claim claim = this.occurrences.claim(request);
			if (claim instanceof Claim.Granted granted) {
				// O4: its grains are those of the first attempt, whoever calls this time
				CurrentRun run = new CurrentRun(
						this.leases.begin(granted.hold(), occurrence, lease, call.policy().renewedFor()),
						due(granted.row()), isRunAgain(call, granted.row()) ? Caller.RUN_AGAIN : Caller.ANYBODY,
						() -> this.stopping);
				return run(call, run, body, (result, thrown) -> end(run, call, granted.row(), result, thrown));
			}
			if (claim instanceof Claim.Behind) {
				// What a timer may still fire is left for a later look, as is the mark
				if (looked) {
					neighbours = null;
				}
				else {
					this.overlaps.look(call.job(), call.policy());
				}
				looked = true;
				continue;
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
				return notRun(call, given, claim);
			}
		}
		return stopping(call);
	}

	private static boolean isRunAgain(JobCall call, OccurrenceRow row) {
		return call.again() instanceof Again.AsRead || row.attempt() > 1;
	}

	// O5
	private static OccurrenceStore.Order order(JobCall call) {
		return (call.policy().overlap() == Overlap.QUEUE) ? OccurrenceStore.Order.DUE : OccurrenceStore.Order.ANY;
	}

	private Firing notRun(JobCall call, @Nullable DueTime due, Claim claim) {
		if (claim instanceof Claim.Held held && call.isFiring()) {
			return this.overlaps.named(call, due, "run " + held.holder().runId() + " of node " + held.holder().owner()
					+ " holds the job's lease, with token " + held.holder().token());
		}
		if (claim instanceof Claim.After && call.isFiring()) {
			return this.overlaps.named(call, due, "others go first");
		}
		if (!(call.again() instanceof Again.AsRead)) {
			// What the caretakers of several nodes try is no firing
			this.leases.suppressed(call.job());
		}
		String what = call + " is not started: ";
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
		logger.debug(what + ((claim instanceof Claim.After) ? "others go first" : "another run holds the job's lease"));
		return (claim instanceof Claim.After) ? new Firing.Queued() : new Firing.Suppressed();
	}

	private Firing stopping(JobCall call) {
		logger.debug("Job '" + call.job() + "' is not started: the application is shutting down");
		return new Firing.Stopping();
	}

	private static void tellLongWait(JobCall call, Duration left) {
		if (left.compareTo(LONG_WAIT) > 0) {
			logger.warn(call + " is due in " + left.toSeconds()
					+ " s on the database's clock, and its thread waits until then: look at the "
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

	private Firing run(JobCall call, CurrentRun run, Body body, Ending ending) throws Throwable {
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
		Duration duration = Duration.ofNanos(this.time.nanoTime() - start);
		report(run, duration, thrown, ran);
		this.paces.ran(call, duration);
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

	private Firing.Ran end(CurrentRun run, JobCall call, OccurrenceRow row, @Nullable Object result,
			@Nullable Throwable thrown) {
		OccurrenceStore.End end = run.end(call, row.attempt(), thrown);
		this.occurrences.end(run, end);
		this.overlaps.ended(call, run.run(), row);
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

	/**
	 * Carries out what a call of a job is wanted for.
	 */
	@FunctionalInterface
	private interface Carrying {

		Firing out(JobCall call, Body body) throws Throwable;

	}

	private record Wanted(String job, Carrying carrying) {

	}

	@FunctionalInterface
	private interface Ending {

		Firing.Ran of(@Nullable Object result, @Nullable Throwable thrown);

	}

}
