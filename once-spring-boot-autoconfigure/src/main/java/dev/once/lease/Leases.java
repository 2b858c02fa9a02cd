package dev.once.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The leases that this application context holds.
 */
public final class Leases {

	private static final Log logger = LogFactory.getLog(Leases.class);

	private static final int TRIES = 3;

	private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

	private final LeaseStore store;

	private final String owner;

	private final TimeSource time;

	private final Supplier<String> ids;

	private final LeaseListener listener;

	private final Consumer<String> fencedLog;

	private final Set<Run> live = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the context's leases.
	 * @param store the lease table
	 * @param owner random id of the application context (L2)
	 * @param time the process's time
	 * @param ids gives random ids
	 * @param listener is told what became of leases
	 * @param fencedLog writes the line of the logger {@code once.fenced}
	 */
	public Leases(LeaseStore store, String owner, TimeSource time, Supplier<String> ids, LeaseListener listener,
			Consumer<String> fencedLog) {
		this.store = store;
		this.owner = owner;
		this.time = time;
		this.ids = ids;
		this.listener = listener;
		this.fencedLog = fencedLog;
	}

	/**
	 * L1: claims a job's lease.
	 * @param job the job's name
	 * @param length how long the lease lasts without a renewal
	 * @param declaredBy name of the application that declares the job
	 * @param renewedFor how long the lease is renewed, or {@code null} without end
	 * @return the run, or empty when another run holds the lease
	 * @throws StoreException when the lease table cannot be written; nothing was started
	 */
	public Optional<Run> claim(String job, Duration length, String declaredBy, @Nullable Duration renewedFor) {
		LeaseStore.Request request = request(job, length, declaredBy);
		Deadline lease = Deadline.startingNow(this.time, length);
		LeaseStore.Claim claim;
		try {
			claim = this.store.claim(List.of(request)).get(0);
		}
		catch (StoreException.Unreached ex) {
			throw ex;
		}
		catch (StoreException ex) {
			claim = readBack(request, ex);
		}
		if (claim instanceof LeaseStore.Claim.Granted granted) {
			return Optional.of(begin(granted.hold(), null, lease, renewedFor));
		}
		return Optional.empty();
	}

	/**
	 * What a run of this context asks of the lease table, under an id of its own.
	 * @param job the job's name
	 * @param length how long the lease lasts without a renewal
	 * @param declaredBy name of the application that declares the job
	 */
	public LeaseStore.Request request(String job, Duration length, String declaredBy) {
		return new LeaseStore.Request(job, this.owner, this.ids.get(), length, declaredBy);
	}

	/**
	 * A run begins, and its lease is renewed from now on.
	 * @param hold the lease, just claimed
	 * @param occurrence name of its occurrence, or {@code null}
	 * @param lease the lease's local deadline, counted from before the claim (L5)
	 * @param renewedFor how long after that the lease is renewed, zero for never, or
	 * {@code null} without end
	 */
	public Run begin(Hold hold, @Nullable String occurrence, Deadline lease, @Nullable Duration renewedFor) {
		Run run = new Run(hold, occurrence, lease, renewedFor);
		this.live.add(run);
		return run;
	}

	/**
	 * A run that claimed nothing: its token is never a job's, so that no effect starts in
	 * it.
	 * @param job the job's name
	 * @param occurrence name of its occurrence
	 */
	public Run ofNobody(String job, String occurrence) {
		Duration length = Duration.ofSeconds(1);
		return new Run(new Hold(job, this.owner, this.ids.get(), 0, length), occurrence,
				Deadline.startingNow(this.time, length), Duration.ZERO);
	}

	/**
	 * A firing came to nothing, because its work is or was in other hands.
	 * @param job the job's name
	 */
	public void suppressed(String job) {
		this.listener.suppressed(job);
	}

	/**
	 * E2, for a claim that failed: it may have been committed.
	 * @param request what was asked
	 * @param failure how it failed
	 * @return the lease, where it is the request's
	 * @throws StoreException the failure, where it is not, or cannot be read
	 */
	public LeaseStore.Claim.Granted readBack(LeaseStore.Request request, StoreException failure) {
		LeaseRow row = find(request.job()).orElseThrow(() -> failure);
		if (!request.runId().equals(row.runId()) || !row.isHeld()) {
			throw failure;
		}
		return new LeaseStore.Claim.Granted(
				new Hold(request.job(), request.owner(), request.runId(), row.token(), request.length()));
	}

	// The connections of a server that went away are found dead one by one
	private Optional<LeaseRow> find(String job) {
		for (int i = 1;; i++) {
			try {
				return this.store.find(job);
			}
			catch (StoreException ex) {
				if (i == TRIES || ex instanceof StoreException.Closed || !pause()) {
					throw ex;
				}
			}
		}
	}

	/**
	 * L2: ends a run's lease. One that cannot be ended lapses by itself.
	 * @param run the run
	 */
	public void release(Run run) {
		end(run, () -> releaseLease(run));
	}

	/**
	 * Ends a run. A renewal that is on its way then does not take it for fenced (L3).
	 * @param run the run
	 * @param writing writes its end, on a thread that is not interrupted
	 */
	public void end(Run run, Runnable writing) {
		run.released();
		// A run is often interrupted as it ends: its lease need not lapse for that
		boolean interrupted = Thread.interrupted();
		try {
			writing.run();
		}
		finally {
			this.live.remove(run);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private void releaseLease(Run run) {
		Hold hold = run.hold();
		for (int i = 1; i <= TRIES; i++) {
			try {
				// A repetition may meet what the first try has written
				if (this.store.release(List.of(hold)).get(0) == LeaseStore.Release.FENCED && i == 1) {
					fenceAtEnd(run);
				}
				return;
			}
			catch (StoreException ex) {
				if (i == TRIES || ex instanceof StoreException.Closed || !pause()) {
					logger.warn("Lease of job '" + hold.job() + "' could not be released; it lapses in "
							+ hold.length().toSeconds() + " s", ex);
					return;
				}
			}
		}
	}

	/**
	 * L4: renews every lease of which a third has passed. A failed renewal is tried again
	 * with the next call.
	 */
	public void renewDue() {
		this.live.stream().filter(Run::hasOutlivedRenewal).forEach(this::tellOutlived);
		List<Run> due = this.live.stream().filter(Run::isRenewalDue).toList();
		if (due.isEmpty()) {
			return;
		}
		List<Hold> holds = new ArrayList<>();
		due.forEach((run) -> holds.add(run.hold()));
		// L5: the local count starts before the statement, so that it always ends first
		List<Deadline> leases = due.stream()
			.map((run) -> Deadline.startingNow(this.time, run.hold().length()))
			.toList();
		List<LeaseStore.Renewal> renewals = this.store.renew(holds);
		for (int i = 0; i < due.size(); i++) {
			switch (renewals.get(i)) {
				case RENEWED -> due.get(i).renewed(leases.get(i));
				case FENCED -> fence(due.get(i));
				case BUSY -> logger.trace("Lease row is locked; coming back to it");
			}
		}
	}

	/**
	 * L3: marks a run as turned away and says so once.
	 * @param run the run
	 */
	public void fence(Run run) {
		if (run.fence()) {
			tellFenced(run);
		}
	}

	/**
	 * L3: the end of a run found its lease with somebody else.
	 * @param run the run
	 */
	public void fenceAtEnd(Run run) {
		if (run.fenceAtEnd()) {
			tellFenced(run);
		}
	}

	private void tellOutlived(Run run) {
		logger.warn("The run of job '" + run.hold().job() + "' has lasted longer than its maxRun allows: its lease is "
				+ "no longer renewed, and lapses. From then on another run may start, and this one starts no further "
				+ "effect. Split the job, or raise maxRun");
	}

	private void tellFenced(Run run) {
		this.listener.fenced(run.hold().job());
		this.fencedLog.accept(run.fenced().getMessage());
	}

	/**
	 * The runs that are live.
	 */
	public List<Run> live() {
		return List.copyOf(this.live);
	}

	private boolean pause() {
		try {
			this.time.pause(BETWEEN_TRIES);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
