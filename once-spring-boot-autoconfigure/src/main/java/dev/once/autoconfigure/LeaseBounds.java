package dev.once.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.once.aop.GuardedJob;
import dev.once.aop.JobTerms;
import dev.once.occurrence.JobPolicy;

/**
 * Holds a job's lease and its longest run against the time between two of its due times.
 */
final class LeaseBounds {

	private LeaseBounds() {
	}

	/**
	 * What does not fit, with the mend.
	 * @param job the job
	 */
	static List<String> trouble(GuardedJob job) {
		JobPolicy policy = job.policy();
		Duration interval = (policy.timetable() != null) ? policy.timetable().shortestInterval().orElse(null) : null;
		List<String> trouble = new ArrayList<>();
		if (interval == null) {
			return trouble;
		}
		String between = "the " + seconds(interval) + " between two of its due times";
		if (job.lease().compareTo(interval) > 0 && job.lease().compareTo(JobTerms.SHORTEST_LEASE) > 0) {
			trouble.add("Job '" + job.name() + "' has a lease of " + seconds(job.lease()) + ", longer than " + between
					+ ": when a node dies, the due times until its lease lapses are " + fate(policy) + ". Lower lease ("
					+ seconds(JobTerms.SHORTEST_LEASE) + " is the shortest) on @OnceJob or in once.jobs." + job.name()
					+ ".lease, or have the job fire less often");
		}
		Duration maxRun = policy.renewedFor();
		if (maxRun != null && maxRun.compareTo(interval) > 0) {
			trouble.add("Job '" + job.name() + "' has a maxRun of " + seconds(maxRun) + ", longer than " + between
					+ ": due times that pass during a run are " + fate(policy)
					+ ". Split the job, lower maxRun, or have " + "it fire less often");
		}
		return trouble;
	}

	private static String fate(JobPolicy policy) {
		return switch (policy.overlap()) {
			case COALESCE -> "dropped";
			case QUEUE -> "queued";
			case FAIL -> "refused";
		};
	}

	private static String seconds(Duration duration) {
		return duration.toMillis() / 1000.0 + " s";
	}

}
