package dev.once.ledger;

/**
 * What happens when an attempt is about to send a second, different writing request (E5).
 */
public enum SecondRequest {

	/**
	 * It is refused.
	 */
	FAIL,

	/**
	 * It is let through with a warning; the attempt's failures then prove less.
	 */
	WARN

}
