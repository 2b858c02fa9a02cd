package dev.once.ledger;

/**
 * Why a person is needed. It stands beside the state.
 */
public enum Attention {

	/**
	 * The far side could not say whether the effect happened.
	 */
	UNDETERMINED,

	/**
	 * The far side refused for good.
	 */
	REFUSED,

	/**
	 * An answer came for an attempt that was resolved as "did not happen".
	 */
	CONTRADICTION

}
