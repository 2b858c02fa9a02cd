package dev.once;

/**
 * What an effect does while an earlier one of its action and target, with other inputs,
 * is still open.
 */
public enum ChangedFact {

	/**
	 * It waits until the earlier one is settled.
	 */
	WAIT,

	/**
	 * It goes on beside it.
	 */
	PROCEED

}
