package dev.once.ledger;

/**
 * The run under which an effect starts; its token must still be the job's (E1, I3).
 *
 * @param job the job's name
 * @param runId the run's id
 * @param token the run's fencing token
 */
public record Fence(String job, String runId, long token) {

}
