package dev.once;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An effect whose answer was lost, as a resolver sees it.
 *
 * @param action the action's name
 * @param target the target in readable form
 * @param label the readable identity, {@code charge/inv-17}
 * @param key the effect key, 32 hex digits
 * @param idempotencyKey the key that the far side was given
 * @param revision the revision, 1 for an effect that has only one
 * @param attempt number of the attempt asked about; 0 when nothing was attempted yet
 * @param submittedAt when that attempt was submitted, on the database's clock
 * @param inputs the recorded inputs as JSON without the secret ones, or {@code null} when
 * they were not kept
 */
public record UnresolvedEffect(String action, String target, String label, String key, String idempotencyKey,
		int revision, int attempt, Instant submittedAt, @Nullable String inputs) {

}
