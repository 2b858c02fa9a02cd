package dev.once.lease;

import java.time.Duration;

/**
 * A lease as its run holds it. Every renewal and release names job, owner and token (L3).
 *
 * @param job the job's name
 * @param owner random id of the application context, never a host name (L2)
 * @param runId random id of the run
 * @param token the fencing token given with the claim
 * @param length how long the lease lasts without a renewal
 */
public record Hold(String job, String owner, String runId, long token, Duration length) {

}
