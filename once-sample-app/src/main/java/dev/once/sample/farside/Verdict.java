package dev.once.sample.farside;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the far side made of a request.
 */
enum Verdict {

	/**
	 * The effect happened.
	 */
	@JsonProperty("applied")
	APPLIED,

	/**
	 * The key was known: the first answer again, no effect.
	 */
	@JsonProperty("repeated")
	REPEATED,

	/**
	 * Turned away, no effect.
	 */
	@JsonProperty("refused")
	REFUSED,

	/**
	 * A look-up that found the effect.
	 */
	@JsonProperty("shown")
	SHOWN,

	/**
	 * A look-up that found nothing.
	 */
	@JsonProperty("absent")
	ABSENT

}
