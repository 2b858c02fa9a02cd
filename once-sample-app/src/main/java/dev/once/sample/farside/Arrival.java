package dev.once.sample.farside;

import org.jspecify.annotations.Nullable;

/**
 * A request as it came in.
 *
 * @param action what is asked for
 * @param target what it is about, null for a look-up by key
 * @param key the {@code Idempotency-Key} it carries or asks about
 * @param token the {@code Once-Fencing-Token} it carries
 * @param digest SHA-256 of its body, null for a look-up
 * @param amount the amount in its body as it was spelled
 */
record Arrival(FarSideAction action, @Nullable String target, @Nullable String key, @Nullable String token,
		@Nullable String digest, @Nullable String amount) {
}
