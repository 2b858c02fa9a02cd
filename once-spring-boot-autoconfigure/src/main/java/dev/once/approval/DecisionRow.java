package dev.once.approval;

import java.time.Instant;

/**
 * A decision as it was recorded.
 *
 * @param decision the decision
 * @param decidedAt when, on the database's clock
 */
public record DecisionRow(Decision decision, Instant decidedAt) {

}
