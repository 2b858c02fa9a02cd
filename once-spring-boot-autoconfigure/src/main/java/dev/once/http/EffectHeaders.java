package dev.once.http;

import org.jspecify.annotations.Nullable;

/**
 * Names of the headers that an effect's requests carry.
 *
 * @param key the header of the idempotency key
 * @param fencingToken the header of the run's fencing token, or {@code null} to send none
 */
public record EffectHeaders(String key, @Nullable String fencingToken) {

	/**
	 * The key's header where nothing else is said.
	 */
	public static final String KEY = "Idempotency-Key";

	/**
	 * The fencing token's header.
	 */
	public static final String FENCING_TOKEN = "Once-Fencing-Token";

	/**
	 * The key's header under its usual name, and no fencing token.
	 */
	public static EffectHeaders standard() {
		return new EffectHeaders(KEY, null);
	}

}
