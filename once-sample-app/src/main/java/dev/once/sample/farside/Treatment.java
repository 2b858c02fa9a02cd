package dev.once.sample.farside;

import java.time.Duration;

/**
 * How one request is to be treated.
 *
 * @param rule the rule that the request met
 * @param deduplicate whether a known key is recognised
 * @param listLate how long look-ups do not show the effect yet
 */
record Treatment(Rule rule, Deduplication deduplicate, Duration listLate) {
}
