package dev.once.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What names an effect and never changes.
 *
 * @param key the effect key, 32 hex digits
 * @param revision the revision, from 1
 * @param action the action's name
 * @param target the target in readable, cleaned and cut form
 * @param grain the grain's name, or {@code null}
 * @param inputDigest digest of the inputs alone
 * @param inputs the inputs as JSON, or {@code null} when not kept
 * @param label the readable identity, {@code charge/inv-17}
 */
public record EffectFacts(String key, int revision, String action, String target, @Nullable String grain,
		String inputDigest, @Nullable String inputs, String label) {

}
