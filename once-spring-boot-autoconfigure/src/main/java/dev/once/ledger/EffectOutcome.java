package dev.once.ledger;

/**
 * How a row came to be {@link EffectState#DONE}.
 */
public enum EffectOutcome {

	/**
	 * The answer came back to the attempt.
	 */
	PERFORMED,

	/**
	 * The far side was asked and said that it happened.
	 */
	RESOLVED,

	/**
	 * A person gave it up.
	 */
	ABANDONED,

	/**
	 * A person denied it.
	 */
	DENIED

}
