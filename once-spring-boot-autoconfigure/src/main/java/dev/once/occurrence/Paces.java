package dev.once.occurrence;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * How long the runs of this process last, held against the time between two due times and
 * against what the lease allows. Each trouble is told once, and again after it was over.
 */
final class Paces {

	private static final Log logger = LogFactory.getLog(Paces.class);

	/** Fewer say nothing. */
	private static final int FEWEST = 10;

	private static final int KEPT = 100;

	private final Map<String, Pace> paces = new ConcurrentHashMap<>();

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	/**
	 * A run has ended.
	 * @param call what was run
	 * @param duration how long it lasted
	 */
	void ran(JobCall call, Duration duration) {
		Pace pace = this.paces.computeIfAbsent(call.job(), (job) -> new Pace());
		Duration p99 = pace.add(duration);
		if (p99 == null) {
			return;
		}
		String trouble = trouble(call, p99);
		if (trouble == null) {
			this.told.remove(call.job());
		}
		else if (this.told.add(call.job())) {
			logger.warn("The runs of job '" + call.job() + "' take " + seconds(p99) + " (p99 of this node's last "
					+ KEPT + "), longer than " + trouble);
		}
	}

	private static @Nullable String trouble(JobCall call, Duration p99) {
		JobPolicy policy = call.policy();
		Duration renewedFor = policy.renewedFor();
		if (renewedFor != null && renewedFor.isZero() && p99.compareTo(call.lease()) > 0) {
			return "its lease of " + seconds(call.lease()) + ", which is not renewed (renew = false), so that a second "
					+ "run may start beside the first, which then starts no further effect. Split the job, raise lease, "
					+ "or let it be renewed";
		}
		if (renewedFor != null && !renewedFor.isZero() && p99.compareTo(renewedFor) > 0) {
			return "its maxRun of " + seconds(renewedFor) + ". Split the job, or raise maxRun";
		}
		Duration interval = (policy.timetable() != null) ? policy.timetable().shortestInterval().orElse(null) : null;
		if (interval != null && p99.compareTo(interval) > 0) {
			return "the " + seconds(interval) + " between two of its due times, so that due times are "
					+ switch (policy.overlap()) {
						case COALESCE -> "dropped";
						case QUEUE -> "queued until the queue is full";
						case FAIL -> "refused";
					} + ". Split the job, or have it fire less often";
		}
		return null;
	}

	private static String seconds(Duration duration) {
		return duration.toMillis() / 1000.0 + " s";
	}

	/** The last runs of a job. */
	private static final class Pace {

		private final long[] nanos = new long[KEPT];

		private int next;

		private int runs;

		/** The p99, or {@code null} while there are too few. */
		synchronized @Nullable Duration add(Duration duration) {
			this.nanos[this.next] = duration.toNanos();
			this.next = (this.next + 1) % KEPT;
			this.runs = Math.min(this.runs + 1, KEPT);
			if (this.runs < FEWEST) {
				return null;
			}
			long[] sorted = Arrays.copyOf(this.nanos, this.runs);
			Arrays.sort(sorted);
			return Duration.ofNanos(sorted[(int) Math.ceil(0.99 * this.runs) - 1]);
		}

	}

}
