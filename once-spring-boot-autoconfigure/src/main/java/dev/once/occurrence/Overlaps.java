package dev.once.occurrence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.once.DueTime;
import dev.once.OnMissed;
import dev.once.Overlap;
import dev.once.lease.Leases;
import dev.once.lease.Run;
import dev.once.lease.StoreException;
import dev.once.occurrence.OccurrenceStore.PutOff;
import dev.once.occurrence.OccurrenceStore.PutOffAnswer;
import dev.once.occurrence.PassedDueTimes.Fate;
import dev.once.occurrence.PassedDueTimes.Judged;
import dev.once.occurrence.PassedDueTimes.Note;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * O5: what becomes of firings that cannot run now, and of due times that nothing fired.
 */
final class Overlaps {

	private static final Log logger = LogFactory.getLog(Overlaps.class);

	/** Whoever finds as much to judge in one go has a clock that jumped. */
	private static final int MOST_LOOKS = 100;

	private static final int MOST_DROPPED = 100;

	private final OccurrenceStore store;

	private final Leases leases;

	private final JobListener listener;

	/** What this node has fired in vain and counted since the last look, by job. */
	private final Map<String, Set<String>> dropped = new ConcurrentHashMap<>();

	Overlaps(OccurrenceStore store, Leases leases, JobListener listener) {
		this.store = store;
		this.leases = leases;
		this.listener = listener;
	}

	/**
	 * A firing without a name found the lease held: there is nothing by which it could be
	 * kept.
	 */
	Firing unnamed(JobCall call) {
		String held = "another run holds the job's lease";
		return switch (call.policy().overlap()) {
			case COALESCE -> drop(call, held);
			case QUEUE -> refuse(call, held + ", and it has no name under which it could wait. Call it within "
					+ "OnceOperations.at(due, ...), or name it with occurrence or grain on @OnceJob");
			case FAIL -> refuse(call, held + " (overlap FAIL)");
		};
	}

	/**
	 * A firing cannot run now.
	 * @param call the firing
	 * @param due when it is due, or {@code null} where nobody said
	 * @param why what holds it up
	 */
	Firing named(JobCall call, @Nullable DueTime due, String why) {
		return switch (call.policy().overlap()) {
			case COALESCE -> drop(call, why);
			case QUEUE -> queue(call, due, why);
			case FAIL -> refuse(call, due, why);
		};
	}

	private Firing drop(JobCall call, String why) {
		this.leases.suppressed(call.job());
		if (call.occurrence() != null && call.policy().timetable() != null) {
			Set<String> names = this.dropped.computeIfAbsent(call.job(), (job) -> ConcurrentHashMap.newKeySet());
			if (names.size() == MOST_DROPPED) {
				// Another node looks
				names.clear();
			}
			names.add(call.occurrence());
		}
		logger.debug(call + " is not started: " + why);
		return new Firing.Suppressed();
	}

	private Firing queue(JobCall call, @Nullable DueTime due, String why) {
		PutOffAnswer answer = putOff(call, due, OccurrenceState.QUEUED, null);
		if (answer instanceof PutOffAnswer.Full) {
			return full(call, due);
		}
		if (answer instanceof PutOffAnswer.Known known) {
			return known(call, known.row());
		}
		logger.debug(call + " waits: " + why);
		this.listener.mayRun(call.job());
		return new Firing.Queued();
	}

	// A due time is not made up for; what its arguments name may be asked for again
	private Firing full(JobCall call, @Nullable DueTime due) {
		if (call.isNamedByTime() && putOff(call, due, OccurrenceState.REFUSED,
				"the job's queue was full") instanceof PutOffAnswer.Known known) {
			return known(call, known.row());
		}
		String message = call + " is refused: " + call.policy().queueDepth()
				+ " occurrences wait in the job's queue, as many as its queueDepth holds. Raise it, or have the job "
				+ "run less often or end sooner";
		logger.error(message);
		this.listener.queueFull(call.job());
		return new Firing.Refused(message);
	}

	private Firing refuse(JobCall call, @Nullable DueTime due, String why) {
		if (putOff(call, due, OccurrenceState.REFUSED, why) instanceof PutOffAnswer.Known known
				&& (call.isNamedByTime() || known.row().state() != OccurrenceState.REFUSED)) {
			return known(call, known.row());
		}
		return refuse(call, why + " (overlap FAIL)");
	}

	private Firing refuse(JobCall call, String why) {
		String message = call + " is refused: " + why;
		logger.error(message);
		this.listener.refused(call.job());
		return new Firing.Refused(message);
	}

	private Firing known(JobCall call, OccurrenceRow row) {
		this.leases.suppressed(call.job());
		logger.debug(call + " is not started: it is " + OccurrenceRow.word(row.state()));
		return switch (row.state()) {
			case QUEUED -> new Firing.Queued();
			case RUNNING -> new Firing.Suppressed();
			case OPEN, FINISHED, ABANDONED, REFUSED, MISSED -> new Firing.Known(row);
		};
	}

	private PutOffAnswer putOff(JobCall call, @Nullable DueTime due, OccurrenceState state, @Nullable String detail) {
		return this.store
			.putOff(new PutOff(call.job(), Objects.requireNonNull(call.occurrence()), (due != null) ? due.at() : null,
					(due != null) ? due.zone() : null, state, call.policy().queueDepth(), call.arguments(), detail));
	}

	/**
	 * A run has ended: what fell due meanwhile may not have been fired by anybody, and
	 * what waits may run.
	 * @param call what was run
	 * @param run the run
	 * @param row its occurrence when it was claimed
	 */
	void ended(JobCall call, Run run, OccurrenceRow row) {
		Timetable timetable = call.policy().timetable();
		Instant now = row.readAt().plus(run.age());
		if (timetable != null
				&& timetable.next(row.readAt()).filter((next) -> !next.passesAt().isAfter(now)).isPresent()) {
			look(call.job(), call.policy());
		}
		if (call.policy().overlap() == Overlap.QUEUE) {
			this.listener.mayRun(call.job());
		}
	}

	/**
	 * Looks at the due times of a job that have passed. What cannot be looked at now is
	 * found by the next look.
	 */
	void look(String job, JobPolicy policy) {
		Timetable timetable = policy.timetable();
		if (timetable == null) {
			return;
		}
		PassedDueTimes dueTimes = new PassedDueTimes(policy, timetable);
		try {
			Judged judged = this.store.look(job, dueTimes);
			tell(job, policy, judged);
			for (int i = 1; judged.more() && i < MOST_LOOKS; i++) {
				judged = this.store.look(job, dueTimes);
				tell(job, policy, judged);
			}
		}
		catch (StoreException ex) {
			logger.warn("The due times of job '" + job + "' that passed could not be looked at; a later firing does",
					ex);
		}
	}

	private void tell(String job, JobPolicy policy, Judged judged) {
		Set<String> fired = this.dropped.remove(job);
		judged.dropped()
			.stream()
			.filter((name) -> fired == null || !fired.contains(name))
			.forEach((name) -> this.leases.suppressed(job));
		for (Note note : judged.rows()) {
			if (note.fate() == Fate.REFUSED) {
				logger.error(named(job, note) + " is refused: it fell due while a run of the job was live, which no "
						+ "timer fired it beside (overlap FAIL)");
				this.listener.refused(job);
			}
			else if (note.fate() == Fate.FULL) {
				logger.error(named(job, note) + " is refused: it fell due while a run of the job was live, and "
						+ policy.queueDepth()
						+ " occurrences wait in the job's queue, as many as its queueDepth holds");
				this.listener.queueFull(job);
			}
		}
		long missed = judged.count(Fate.MISSED) + judged.count(Fate.RUN);
		if (missed > 0) {
			tellMissed(job, policy.onMissed(), judged, missed);
			this.listener.missed(job, missed);
		}
		if (judged.count(Fate.QUEUED) + judged.count(Fate.RUN) > 0) {
			this.listener.mayRun(job);
		}
	}

	private static String named(String job, Note note) {
		return "Occurrence '" + note.point().name() + "' of job '" + job + "'";
	}

	private static void tellMissed(String job, OnMissed onMissed, Judged judged, long missed) {
		List<Note> notes = judged.rows()
			.stream()
			.filter((note) -> note.fate() == Fate.MISSED || note.fate() == Fate.RUN)
			.toList();
		String last = notes.isEmpty() ? "" : ", the last of them '" + notes.get(notes.size() - 1).point().name() + "'";
		logger.warn("Job '" + job + "' was not run " + missed + " times when it was due" + last
				+ ": no run was live then, or the local time did not exist. " + judged.count(Fate.RUN)
				+ " of them are run now (onMissed = " + onMissed
				+ "); run-now of the once endpoint runs the latest one that was due");
	}

}
