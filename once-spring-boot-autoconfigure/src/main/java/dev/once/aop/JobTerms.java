package dev.once.aop;

import java.time.Duration;

import dev.once.Overlap;

/**
 * How a job's firings are treated.
 *
 * @param overlap what becomes of one that comes while a run is live
 * @param lease how long a run's lease lasts without a renewal
 * @param leaseChoice whether somebody chose that
 * @param attempts how many attempts an occurrence has whose run dies or whose body throws
 * @param backoff how long an occurrence whose body threw is left alone
 */
public record JobTerms(Overlap overlap, Duration lease, Choice leaseChoice, int attempts, Duration backoff) {

	/** The shortest lease that renewing keeps alive (L4). */
	public static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

}
