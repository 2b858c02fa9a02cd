package dev.once.occurrence;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import dev.once.lease.Deadline;
import dev.once.lease.Leases;
import dev.once.lease.StoreException;
import dev.once.lease.TimeSource;
import dev.once.occurrence.OccurrenceStore.Claim;
import dev.once.occurrence.OccurrenceStore.End;
import dev.once.occurrence.OccurrenceStore.Ended;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Claims and ends occurrences, each together with its job's lease, and finds out what
 * became of a statement that failed (E2).
 */
final class Occurrences {

	private static final Log logger = LogFactory.getLog(Occurrences.class);

	private static final Duration BETWEEN_TRIES = Duration.ofMillis(200);

	private final OccurrenceStore store;

	private final Leases leases;

	private final TimeSource time;

	Occurrences(OccurrenceStore store, Leases leases, TimeSource time) {
		this.store = store;
		this.leases = leases;
		this.time = time;
	}

	/**
	 * O2: claims an occurrence with its job's lease.
	 * @throws StoreException when the table cannot be written; nothing was started
	 */
	Claim claim(OccurrenceStore.Request request) {
		try {
			return this.store.claim(List.of(request)).get(0);
		}
		catch (StoreException.Unreached ex) {
			throw ex;
		}
		catch (StoreException ex) {
			return readBack(request, ex);
		}
	}

	// E2: lease and occurrence are committed together
	private Claim readBack(OccurrenceStore.Request request, StoreException failure) {
		var lease = this.leases.readBack(request.lease(), failure);
		OccurrenceRow row = this.store.find(request.lease().job(), request.occurrence())
			.filter((found) -> request.lease().runId().equals(found.runId()))
			.orElseThrow(() -> failure);
		return new Claim.Granted(lease.hold(), row);
	}

	/**
	 * O6: gives up an occurrence whose attempts are used up.
	 */
	void abandon(OccurrenceRow row) {
		String detail = "its last run died, and its " + row.attempt() + " attempts are used up";
		if (this.store.abandon(row, detail)) {
			tellAbandoned(row.job(), row.occurrence(), detail);
		}
	}

	static void tellAbandoned(String job, String occurrence, String detail) {
		logger.error("Occurrence '" + occurrence + "' of job '" + job + "' is abandoned: " + detail
				+ ". It is not run again by itself");
	}

	/**
	 * O2: ends a run. The writing is its own read-back (E2) and is repeated for as long
	 * as the lease lasts; where that does not help, the lease lapses, and the occurrence
	 * is taken over.
	 */
	void end(CurrentRun run, End end) {
		this.leases.end(run.run(), () -> write(run, end));
	}

	private void write(CurrentRun run, End end) {
		Deadline deadline = Deadline.startingNow(this.time, end.hold().length());
		while (true) {
			try {
				Ended ended = this.store.end(List.of(end)).get(0);
				if (ended == Ended.FENCED) {
					this.leases.fenceAtEnd(run.run());
				}
				else if (end.state() == OccurrenceState.ABANDONED) {
					tellAbandoned(end.hold().job(), end.occurrence(), Objects.requireNonNullElse(end.detail(), ""));
				}
				return;
			}
			catch (StoreException ex) {
				if (deadline.isPast() || ex instanceof StoreException.Closed || !pause()) {
					logger.warn("The end of the run for occurrence '" + end.occurrence() + "' of job '"
							+ end.hold().job() + "' could not be written: its lease lapses, and it is run again", ex);
					return;
				}
			}
		}
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
