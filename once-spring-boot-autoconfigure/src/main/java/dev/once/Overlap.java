package dev.once;

/**
 * What becomes of a firing that comes while a run of the same job is live.
 */
public enum Overlap {

	/**
	 * It is dropped and counted.
	 */
	COALESCE,

	/**
	 * It waits in a bounded queue and runs afterwards.
	 */
	QUEUE,

	/**
	 * It is refused, loudly.
	 */
	FAIL

}
