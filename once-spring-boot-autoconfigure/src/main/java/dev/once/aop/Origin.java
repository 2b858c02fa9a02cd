package dev.once.aop;

/**
 * Whether a value is the object whose method runs.
 */
enum Origin {

	/** It is. */
	THIS,

	/** On one way to here it is, on another it is not, or it was stored meanwhile. */
	PERHAPS,

	/** It is something else, such as a proxy that was injected. */
	OTHER;

	Origin or(Origin other) {
		return (this == other) ? this : PERHAPS;
	}

	/**
	 * What is left of it after it was stored where others may store too.
	 */
	Origin stored() {
		return (this == OTHER) ? OTHER : PERHAPS;
	}

}
