package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.once.OnMissed;
import dev.once.Overlap;
import dev.once.occurrence.Timetable.Passed;
import org.jspecify.annotations.Nullable;

/**
 * O5: judges the due times of a job that have passed. One at which a run was live is an
 * overlap; one at which none was is missed. A timer that is only late is waited for.
 */
public final class PassedDueTimes {

	/** How late a timer may be before its due time counts as missed. */
	static final Duration GRACE = Duration.ofSeconds(5);

	/** How many are judged in one look. */
	private static final int LIMIT = 10_000;

	/** How many missed ones of a look have a row each: the latest. */
	private static final int MOST_ROWS = 100;

	private static final String GAP = "this local time did not exist";

	private final JobPolicy policy;

	private final Timetable timetable;

	/**
	 * Creates it.
	 * @param policy the job's policy
	 * @param timetable its due times
	 */
	public PassedDueTimes(JobPolicy policy, Timetable timetable) {
		this.policy = policy;
		this.timetable = timetable;
	}

	/**
	 * The due times since a mark.
	 * @param mark up to where they have been looked at
	 * @param now the database's clock
	 */
	public Passed since(Instant mark, Instant now) {
		return this.timetable.passed(mark, now, LIMIT);
	}

	/**
	 * Judges them.
	 * @param passed the due times
	 * @param seen what the tables say
	 */
	public Judged judge(Passed passed, Seen seen) {
		Judgement judgement = new Judgement(seen);
		List<DuePoint> points = passed.points();
		// The last of many is left for the next look, which knows whether it is the
		// latest
		for (DuePoint point : passed.complete() ? points : points.subList(0, points.size() - 1)) {
			if (!judgement.of(point)) {
				return judgement.end(false);
			}
		}
		return judgement.end(!passed.complete());
	}

	/**
	 * What the tables say of a job.
	 *
	 * @param mark up to where its due times have been looked at
	 * @param now the database's clock
	 * @param known names of the due times that have rows
	 * @param live when runs were live
	 * @param waiting how many occurrences wait
	 */
	public record Seen(Instant mark, Instant now, Set<String> known, Collection<Span> live, long waiting) {

		boolean wasLiveAt(Instant at) {
			return this.live.stream().anyMatch((span) -> !at.isBefore(span.from()) && at.isBefore(span.to()));
		}

	}

	/**
	 * A time in which a run was live.
	 *
	 * @param from when it began
	 * @param to when it ended, or its lease lapsed
	 */
	public record Span(Instant from, Instant to) {
	}

	/**
	 * What became of due times.
	 *
	 * @param mark the new mark
	 * @param rows what is to be noted
	 * @param dropped names of those that are dropped, which have no rows
	 * @param counts how many had each fate
	 * @param more whether a further look finds more that can be judged
	 */
	public record Judged(Instant mark, List<Note> rows, List<String> dropped, Map<Fate, Long> counts, boolean more) {

		/**
		 * Nothing was looked at.
		 */
		public static final Judged NOTHING = new Judged(Instant.MIN, List.of(), List.of(), Map.of(), false);

		long count(Fate fate) {
			return this.counts.getOrDefault(fate, 0L);
		}

	}

	/**
	 * A row for a due time that has none.
	 *
	 * @param point the due time
	 * @param fate what became of it
	 * @param state the row's state
	 * @param detail why
	 */
	public record Note(DuePoint point, Fate fate, OccurrenceState state, String detail) {

		private static Note of(DuePoint point, Fate fate) {
			return switch (fate) {
				case DROPPED -> throw new IllegalArgumentException("What is dropped has no row");
				case QUEUED ->
					new Note(point, fate, OccurrenceState.QUEUED, "fell due while a run of the job was live");
				case REFUSED ->
					new Note(point, fate, OccurrenceState.REFUSED, "fell due while a run of the job was live");
				case FULL -> new Note(point, fate, OccurrenceState.REFUSED, "the job's queue was full");
				case MISSED -> new Note(point, fate, OccurrenceState.MISSED,
						point.exists() ? "no run of the job was live when it was due" : GAP);
				case RUN -> new Note(point, fate, OccurrenceState.QUEUED, "missed, and run afterwards");
			};
		}

	}

	/**
	 * What becomes of a due time.
	 */
	public enum Fate {

		/**
		 * An overlap that is dropped (COALESCE).
		 */
		DROPPED,

		/**
		 * An overlap that waits (QUEUE).
		 */
		QUEUED,

		/**
		 * An overlap that is refused (FAIL).
		 */
		REFUSED,

		/**
		 * An overlap that finds the queue full (QUEUE).
		 */
		FULL,

		/**
		 * A missed one, or one that did not exist.
		 */
		MISSED,

		/**
		 * A missed one that is to be run.
		 */
		RUN

	}

	private final class Judgement {

		private final Seen seen;

		private final List<Note> rows = new ArrayList<>();

		private final List<String> dropped = new ArrayList<>();

		private final List<DuePoint> missed = new ArrayList<>();

		private final Map<Fate, Long> counts = new EnumMap<>(Fate.class);

		private long waiting;

		private Instant mark;

		private Judgement(Seen seen) {
			this.seen = seen;
			this.waiting = seen.waiting();
			this.mark = seen.mark();
		}

		/** Whether it could be judged yet. */
		boolean of(DuePoint point) {
			if (!this.seen.known().contains(point.name())) {
				if (point.exists() && this.seen.wasLiveAt(point.passesAt())) {
					overlap(point);
				}
				else if (!point.passesAt().isAfter(this.seen.now().minus(GRACE))) {
					this.missed.add(point);
				}
				else {
					return false;
				}
			}
			this.mark = point.passesAt();
			return true;
		}

		private void overlap(DuePoint point) {
			Fate fate = switch (PassedDueTimes.this.policy.overlap()) {
				case COALESCE -> Fate.DROPPED;
				case QUEUE -> mayWait() ? Fate.QUEUED : Fate.FULL;
				case FAIL -> Fate.REFUSED;
			};
			count(fate);
			if (fate == Fate.DROPPED) {
				this.dropped.add(point.name());
			}
			else {
				this.rows.add(Note.of(point, fate));
			}
		}

		private boolean mayWait() {
			return this.waiting < PassedDueTimes.this.policy.queueDepth() && ++this.waiting > 0;
		}

		Judged end(boolean more) {
			DuePoint latest = more ? null
					: this.missed.stream().filter(DuePoint::exists).reduce((some, later) -> later).orElse(null);
			int left = this.missed.size();
			for (DuePoint point : this.missed) {
				Fate fate = isRun(point, latest) ? Fate.RUN : Fate.MISSED;
				count(fate);
				if (fate == Fate.RUN || left <= MOST_ROWS) {
					this.rows.add(Note.of(point, fate));
				}
				left--;
			}
			return new Judged(this.mark, this.rows, this.dropped, Collections.unmodifiableMap(this.counts), more);
		}

		private boolean isRun(DuePoint point, @Nullable DuePoint latest) {
			if (!point.exists()) {
				return false;
			}
			OnMissed onMissed = PassedDueTimes.this.policy.onMissed();
			return switch (onMissed) {
				case REPORT -> false;
				case RUN_LATEST -> point.equals(latest);
				case RUN_ALL -> mayWait();
			};
		}

		private void count(Fate fate) {
			this.counts.merge(fate, 1L, Long::sum);
		}

	}

}
