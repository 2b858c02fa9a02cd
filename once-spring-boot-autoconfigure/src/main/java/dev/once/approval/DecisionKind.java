package dev.once.approval;

/**
 * What was decided.
 */
public enum DecisionKind {

	/**
	 * The latest due occurrence of a job is to be run, unless it is running or finished.
	 */
	RUN_NOW,

	/**
	 * The latest due occurrence's work is to be run once more, under a name of its own.
	 */
	RUN_AGAIN,

	/**
	 * The last finished occurrence's body is run again to see every effect turned away.
	 */
	DRILL

}
