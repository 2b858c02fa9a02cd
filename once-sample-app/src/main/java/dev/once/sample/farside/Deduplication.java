package dev.once.sample.farside;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Whether the far side gives a known {@code Idempotency-Key} its first answer again
 * instead of acting twice.
 */
enum Deduplication {

	@JsonProperty("on")
	ON,

	@JsonProperty("off")
	OFF

}
