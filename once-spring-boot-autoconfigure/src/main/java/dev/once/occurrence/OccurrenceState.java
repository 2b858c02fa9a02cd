package dev.once.occurrence;

/**
 * How far an occurrence is.
 */
public enum OccurrenceState {

	/**
	 * A run carries it out, or died while it did.
	 */
	RUNNING,

	/**
	 * Its body ended, and not everything is settled or it threw: it is run again when
	 * there is reason to (O4).
	 */
	OPEN,

	/**
	 * Its body returned and every effect it met is done. It is never run again.
	 */
	FINISHED,

	/**
	 * Its attempts are used up: it never runs again by itself (O6).
	 */
	ABANDONED,

	/**
	 * It waits for the job's lease, in due order (O5).
	 */
	QUEUED,

	/**
	 * It fell due while a run was live, and was refused (O5).
	 */
	REFUSED,

	/**
	 * It fell due while no run was live, and was not run (O5).
	 */
	MISSED

}
