package dev.once.caretaker;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import dev.once.EffectUnsettledException;
import dev.once.lease.StoreException;
import dev.once.ledger.Failures;
import dev.once.occurrence.JobCall;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.Runs;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Lets occurrences come back: those whose run died are taken over (O6), and open ones are
 * run again when there is reason to (O4). Several nodes may do it at once: each claim is
 * made in the row.
 */
public final class ComingBack implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ComingBack.class);

	private static final int BATCH = 100;

	/** How long an occurrence is left alone whose job could not even be called. */
	private static final Duration REST = Duration.ofMinutes(1);

	private final OccurrenceStore occurrences;

	private final Runs runs;

	private final Jobs jobs;

	private final Rounds rounds;

	/** The jobs that a hand of this context has to do with: one run at a time. */
	private final Set<String> active = ConcurrentHashMap.newKeySet();

	/** Until when, by the monotonic clock, occurrences are left alone. */
	private final Map<String, Long> resting = new ConcurrentHashMap<>();

	// A body may run for hours, and must not keep another job waiting
	private final ExecutorService hands = Executors
		.newCachedThreadPool((work) -> Rounds.daemon(work, "once-coming-back-hand"));

	/**
	 * Creates it; it works from {@link #start()} on.
	 * @param occurrences the table of occurrences
	 * @param runs runs them
	 * @param jobs the jobs that this context can run
	 * @param interval the time between two looks
	 */
	public ComingBack(OccurrenceStore occurrences, Runs runs, Jobs jobs, Duration interval) {
		this.occurrences = occurrences;
		this.runs = runs;
		this.jobs = jobs;
		this.rounds = new Rounds("once-coming-back", "Looking for occurrences that come back", interval, () -> {
			round();
			return Rounds.After.A_PAUSE;
		});
	}

	/**
	 * Starts its thread.
	 */
	public void start() {
		this.rounds.start();
	}

	/**
	 * Makes it look now instead of at its next round.
	 */
	public void look() {
		this.rounds.look();
	}

	/**
	 * One look.
	 * @return how many occurrences have been set going
	 * @throws dev.once.lease.StoreException when the table cannot be read
	 */
	public int round() {
		Collection<String> names = this.jobs.names();
		if (names.isEmpty()) {
			return 0;
		}
		this.resting.values().removeIf((until) -> System.nanoTime() - until >= 0);
		int setGoing = 0;
		for (OccurrenceRow row : this.occurrences.comingBack(names, BATCH)) {
			if (!this.resting.containsKey(name(row)) && this.active.add(row.job())) {
				setGoing(row);
				setGoing++;
			}
		}
		return setGoing;
	}

	private void setGoing(OccurrenceRow row) {
		try {
			this.hands.execute(() -> comeBack(row));
		}
		catch (Throwable ex) {
			// No thread could be had: the next look may get one
			this.active.remove(row.job());
			throw ex;
		}
	}

	private void comeBack(OccurrenceRow row) {
		String what = "Occurrence '" + row.occurrence() + "' of job '" + row.job() + "', run again,";
		boolean ran = false;
		try {
			ran = this.runs.comeBack(row, this.jobs.work(row));
		}
		catch (EffectUnsettledException ex) {
			logger.warn(what + " has an effect that stays unsettled: " + Failures.describe(ex));
		}
		catch (Throwable ex) {
			logger.error(what + " failed", ex);
			failIfUntouched(row, ex);
		}
		finally {
			this.active.remove(row.job());
			if (ran) {
				// The next one of the job need not wait for a round
				look();
			}
		}
	}

	// What fails before it is claimed would fail at every look, and hold up a queue: the
	// failure is an attempt of its own
	private void failIfUntouched(OccurrenceRow row, Throwable failure) {
		try {
			if (isUntouched(row)) {
				if (!(failure instanceof StoreException)) {
					this.runs.fail(row, this.jobs.call(row.job()), failure);
				}
				if (isUntouched(row)) {
					this.resting.put(name(row), System.nanoTime() + REST.toNanos());
				}
			}
		}
		catch (StoreException ex) {
			logger.debug("Occurrence '" + row.occurrence() + "' could not be read", ex);
		}
	}

	private boolean isUntouched(OccurrenceRow row) {
		return this.occurrences.find(row.job(), row.occurrence())
			.filter((now) -> now.token() == row.token() && now.state() == row.state())
			.isPresent();
	}

	private static String name(OccurrenceRow row) {
		return row.job() + '/' + row.occurrence();
	}

	/**
	 * Has a hand do something that may take as long as a body.
	 * @param work what to do; it must not throw
	 */
	void handOver(Runnable work) {
		this.hands.execute(work);
	}

	@Override
	public void close() {
		this.rounds.close();
		// What runs is waited for by the shutdown
		this.hands.shutdown();
	}

	/**
	 * The jobs that can be run.
	 */
	public interface Jobs {

		/**
		 * Their names.
		 */
		Collection<String> names();

		/**
		 * What calls an occurrence's job.
		 * @param row the occurrence, of one of these jobs
		 */
		Runs.Work work(OccurrenceRow row);

		/**
		 * What calls a job's method without arguments.
		 * @param job name of one of these jobs
		 */
		Runs.Work work(String job);

		/**
		 * A job's terms.
		 * @param job name of one of these jobs
		 */
		JobCall call(String job);

	}

}
