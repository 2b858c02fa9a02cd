package dev.once.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The run under which an effect starts; its token must still be the job's (E1, I3).
 *
 * @param job the job's name
 * @param occurrence the occurrence's name, or {@code null} where the run has none
 * @param runId the run's id
 * @param token the run's fencing token
 */
public record Fence(String job, @Nullable String occurrence, String runId, long token) {

}
