package dev.once.aop;

import java.time.Duration;

import dev.once.OnMissed;
import dev.once.Overlap;
import org.jspecify.annotations.Nullable;

/**
 * How a job's firings are treated.
 *
 * @param overlap what becomes of one that comes while a run is live
 * @param queueDepth how many occurrences may wait
 * @param onMissed what becomes of due times that passed while no run was live
 * @param lease how long a run's lease lasts without a renewal
 * @param leaseChoice whether somebody chose that
 * @param renewedFor how long after a run's begin its lease is renewed, zero for never, or
 * {@code null} for as long as it runs
 * @param attempts how many attempts an occurrence has whose run dies or whose body throws
 * @param backoff how long an occurrence whose body threw is left alone
 */
public record JobTerms(Overlap overlap, int queueDepth, OnMissed onMissed, Duration lease, Choice leaseChoice,
		@Nullable Duration renewedFor, int attempts, Duration backoff) {

	/** The shortest lease that renewing keeps alive (L4). */
	public static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

}
