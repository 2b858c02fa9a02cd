package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import org.jspecify.annotations.Nullable;

/**
 * The port to the occurrence table. An occurrence is claimed together with its job's
 * lease and ended together with the lease's release, each in one transaction (O2).
 */
public interface OccurrenceStore {

	/**
	 * O2: claims occurrences with their jobs' leases. A row that does not exist is
	 * inserted as running, attempt 1. A running row whose lease lapsed, or whose job has
	 * another token by now, is taken over with attempt + 1. An open one is run again with
	 * the same attempt where the request says so. Anything else writes nothing and takes
	 * no lock. After an outcome that is not known, {@link #find} shows the request's run
	 * where it was granted. O5: one that waits, and where the request says so one that
	 * was refused or missed, is run as if it were new; a granted claim of a new one moves
	 * the job's mark past its due time, unless due times lie between that nobody has
	 * looked at.
	 * @param requests what is wanted
	 * @return an answer for each
	 * @throws dev.once.lease.StoreException when the outcome is not known
	 */
	List<Claim> claim(List<Request> requests);

	/**
	 * O2: ends runs: the occurrence takes its new state and the lease is released, tied
	 * to the token. It may be said again: who has ended a run already is told so.
	 * @param ends how runs end
	 * @return an answer for each
	 * @throws dev.once.lease.StoreException when the outcome is not known
	 */
	List<Ended> end(List<End> ends);

	/**
	 * O6: gives an occurrence up whose state, attempt and token are as they were read: a
	 * running one whose lease is no longer held under its token, or an open one. The run
	 * of a running one is fenced with it: should it only have slept, it starts no more.
	 * @param row the row as read
	 * @param detail why, cleaned and cut
	 * @return whether it was still so
	 * @throws dev.once.lease.StoreException when the outcome is not known
	 */
	boolean abandon(OccurrenceRow row, String detail);

	/**
	 * O5: notes an occurrence that cannot run now, as one that waits or is refused,
	 * unless it is known.
	 * @param putOff the occurrence
	 * @return what stands there now
	 * @throws dev.once.lease.StoreException when the outcome is not known
	 */
	PutOffAnswer putOff(PutOff putOff);

	/**
	 * O5: looks at the due times of a job that have passed since its mark, in one
	 * transaction under the lock of its lease, notes what became of them and moves the
	 * mark.
	 * @param job the job's name
	 * @param dueTimes judges them
	 * @return what became of them; none where the job has no row or no mark
	 * @throws dev.once.lease.StoreException when the outcome is not known; a further look
	 * finds what is left
	 */
	PassedDueTimes.Judged look(String job, PassedDueTimes dueTimes);

	/**
	 * Reads a row.
	 * @param job the job's name
	 * @param occurrence the occurrence's name
	 */
	Optional<OccurrenceRow> find(String job, String occurrence);

	/**
	 * O4 to O6: the occurrences that there is reason to run, of jobs whose lease nobody
	 * holds, oldest due time first, so that no job's backlog hides another's:
	 * <ul>
	 * <li>running ones: their run died;
	 * <li>queued ones;
	 * <li>open ones whose next attempt is due;
	 * <li>open ones without a time for it, all of whose effects are done, or claimed and
	 * free by now: who ends a run as open for another reason than its own effects gives
	 * it a time;
	 * <li>open ones without an effect that is submitted or unknown, of which one became
	 * done or free behind the run's back: after its end, or while it ran by another's
	 * hand.
	 * </ul>
	 * @param jobs names of the jobs
	 * @param limit how many of each job at most
	 */
	List<OccurrenceRow> comingBack(Collection<String> jobs, int limit);

	/**
	 * How many occurrences are not finished, without reading finished ones.
	 */
	Standing standing();

	/**
	 * A job's occurrences, those that were due last first. One whose zone this JVM does
	 * not know is left out.
	 * @param job the job's name
	 * @param state only those in it, or {@code null} for all
	 * @param limit how many at most
	 */
	List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit);

	/**
	 * An occurrence that is wanted.
	 *
	 * @param lease the lease that goes with it
	 * @param occurrence the occurrence's name
	 * @param dueAt when it is due; claimed at most 1 s before on the database's clock
	 * @param zone the zone of its grains, or {@code null} where its schedule has none
	 * @param attempts how many attempts it has
	 * @param again whether an open row is run again
	 * @param arguments the recorded arguments of triggered work, or {@code null}
	 * @param order whether those that wait go first
	 * @param neighbours the due times around a new one's, or {@code null} where the job's
	 * mark is left alone
	 */
	record Request(LeaseStore.Request lease, String occurrence, Instant dueAt, @Nullable ZoneId zone, int attempts,
			Again again, @Nullable String arguments, Order order, Timetable.@Nullable Neighbours neighbours) {

	}

	/**
	 * Whether the occurrences of a job that wait, died or are due again go before one
	 * that is claimed: a new one goes behind all, another one behind those that were due
	 * before it.
	 */
	enum Order {

		/**
		 * They do not.
		 */
		ANY,

		/**
		 * They do.
		 */
		DUE

	}

	/**
	 * Whether a row that exists is run again.
	 */
	sealed interface Again {

		/**
		 * A timer's firing: one whose run died is taken over, and one that waits, or was
		 * taken for missed before the timer came, is run.
		 */
		record No() implements Again {

		}

		/**
		 * A caller asks for work that its arguments name: one that was refused, too.
		 */
		record Asked() implements Again {

		}

		/**
		 * A caller comes back: an open one too, unless its next attempt is set for later,
		 * and one that was refused.
		 */
		record WhenDue() implements Again {

		}

		/**
		 * The caretaker comes back: an open or dead one that still has the token it was
		 * read with, whatever its next attempt is set for. One that is no longer there is
		 * not made anew.
		 *
		 * @param row the row as read
		 */
		record AsRead(OccurrenceRow row) implements Again {

		}

		/**
		 * A person asks: any that is not finished and that no run carries out; one that
		 * was abandoned has its attempts anew.
		 */
		record ByPerson() implements Again {

		}

	}

	/**
	 * Answer to a claim.
	 */
	sealed interface Claim {

		/**
		 * The occurrence and the lease are the run's.
		 *
		 * @param hold the lease
		 * @param row the occurrence
		 */
		record Granted(Hold hold, OccurrenceRow row) implements Claim {

		}

		/**
		 * The occurrence is known and is not run again: finished, abandoned, being
		 * carried out by another run, or open and waiting.
		 *
		 * @param row the row as it was read
		 */
		record Known(OccurrenceRow row) implements Claim {

		}

		/**
		 * Its attempts are used up, and its last run died: it is to be abandoned. Nothing
		 * was written.
		 *
		 * @param row the row as it was read
		 */
		record Spent(OccurrenceRow row) implements Claim {

		}

		/**
		 * The job's lease is held by the run of another occurrence, or of none. A copy of
		 * an occurrence that is being carried out is {@link Known}.
		 *
		 * @param holder the lease as it was read
		 */
		record Held(LeaseRow holder) implements Claim {

		}

		/**
		 * Others go before it.
		 */
		record After() implements Claim {

		}

		/**
		 * Due times lie before it that nobody has looked at (O5). Nothing was written.
		 */
		record Behind() implements Claim {

		}

		/**
		 * It is not due yet on the database's clock.
		 *
		 * @param left until it is due
		 */
		record Early(Duration left) implements Claim {

		}

		/**
		 * It is older than what has been purged, so that nobody knows whether it ran.
		 *
		 * @param purgedUntil the purge's high-water mark
		 */
		record Purged(Instant purgedUntil) implements Claim {

		}

	}

	/**
	 * How a run ends.
	 *
	 * @param hold its lease
	 * @param occurrence its occurrence
	 * @param state finished, open or abandoned
	 * @param attempt the attempt's number as it is to stand in the row
	 * @param nextAttemptIn not to be run again for so long; {@code null} where no time is
	 * set
	 * @param earlier what a finished one does to earlier ones that are open
	 * @param counts what became of its effects, as JSON, or {@code null}
	 * @param detail cleaned and cut text of what it ended with, or {@code null}
	 */
	record End(Hold hold, String occurrence, OccurrenceState state, int attempt, @Nullable Duration nextAttemptIn,
			Earlier earlier, @Nullable String counts, @Nullable String detail) {

	}

	/**
	 * What the end of an occurrence does to those of its job that were due before it and
	 * are open (O4).
	 */
	enum Earlier {

		/**
		 * It closes them as finished, save those with an open effect that has a grain.
		 */
		CLOSED,

		/**
		 * It closes those as finished that wait, as it does, for effects that are not
		 * their own: no effect of theirs is open, and they did not throw (they have no
		 * detail). A job that fires often would pile them up.
		 */
		REPLACED,

		/**
		 * Nothing.
		 */
		KEPT

	}

	/**
	 * Answer to an end.
	 */
	enum Ended {

		/**
		 * Row and lease are written, by this call or by an earlier one for the same run.
		 */
		ENDED,

		/**
		 * The token was no longer the job's: nothing was written.
		 */
		FENCED

	}

	/**
	 * An occurrence that cannot run now.
	 *
	 * @param job the job's name
	 * @param occurrence the occurrence's name
	 * @param dueAt when it is due, or {@code null} for now, on the database's clock
	 * @param zone the zone of its grains, or {@code null} where its schedule has none
	 * @param state queued or refused
	 * @param depth how many may wait in the job's queue
	 * @param arguments the recorded arguments of triggered work, or {@code null}
	 * @param detail cleaned and cut text of why it cannot, or {@code null}
	 */
	record PutOff(String job, String occurrence, @Nullable Instant dueAt, @Nullable ZoneId zone, OccurrenceState state,
			int depth, @Nullable String arguments, @Nullable String detail) {

	}

	/**
	 * What became of one that cannot run now.
	 */
	sealed interface PutOffAnswer {

		/**
		 * It is noted, by this call.
		 */
		record Noted() implements PutOffAnswer {

		}

		/**
		 * It is known.
		 *
		 * @param row the row as it was read
		 */
		record Known(OccurrenceRow row) implements PutOffAnswer {

		}

		/**
		 * The queue is full. Nothing was written.
		 */
		record Full() implements PutOffAnswer {

		}

	}

	/**
	 * The occurrences that are not finished.
	 *
	 * @param open how many come back
	 * @param abandoned how many need a person
	 * @param queued how many wait, by job
	 * @param refused how many were refused after which no run of the job has begun and
	 * finished, by job
	 */
	record Standing(long open, long abandoned, Map<String, Long> queued, Map<String, Long> refused) {

		/**
		 * Nothing.
		 */
		public static final Standing NONE = new Standing(0, 0, Map.of(), Map.of());

		/**
		 * Both together.
		 * @param other another database's
		 */
		public Standing plus(Standing other) {
			return new Standing(this.open + other.open, this.abandoned + other.abandoned,
					sum(this.queued, other.queued), sum(this.refused, other.refused));
		}

		private static Map<String, Long> sum(Map<String, Long> some, Map<String, Long> others) {
			Map<String, Long> sum = new TreeMap<>(some);
			others.forEach((job, occurrences) -> sum.merge(job, occurrences, Long::sum));
			return sum;
		}

	}

}
