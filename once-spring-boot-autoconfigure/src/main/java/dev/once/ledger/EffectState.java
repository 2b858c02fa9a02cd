package dev.once.ledger;

/**
 * The four states of a ledger row, and no others.
 */
public enum EffectState {

	/**
	 * Reserved, nothing has been sent.
	 */
	CLAIMED,

	/**
	 * The request may have left, no answer is recorded.
	 */
	SUBMITTED,

	/**
	 * The answer was recorded, or a person decided. Final.
	 */
	DONE,

	/**
	 * The answer was lost. Not the same as failed.
	 */
	UNKNOWN

}
