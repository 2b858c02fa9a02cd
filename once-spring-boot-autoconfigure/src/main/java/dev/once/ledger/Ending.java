package dev.once.ledger;

/**
 * What became of one call for an effect.
 */
public enum Ending {

	/**
	 * This call's attempt did it.
	 */
	PERFORMED,

	/**
	 * It had been done: the call met its row and did nothing.
	 */
	DUPLICATE,

	/**
	 * Another attempt is in flight.
	 */
	IN_PROGRESS,

	/**
	 * It waits for its next attempt, or for another effect.
	 */
	WAITING,

	/**
	 * Nothing was sent.
	 */
	NOT_SENT,

	/**
	 * The far side refused.
	 */
	REFUSED,

	/**
	 * Nobody knows.
	 */
	UNKNOWN,

	/**
	 * The run's token is no longer the job's.
	 */
	FENCED

}
