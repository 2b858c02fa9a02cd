package dev.once;

/**
 * What becomes of due times that passed while no run of their job was live: an outage, a
 * deployment, a scheduler whose pool was busy.
 */
public enum OnMissed {

	/**
	 * They are recorded, counted and logged, and not run.
	 */
	REPORT,

	/**
	 * The latest of them is run, under its own name and due time; the others are
	 * reported.
	 */
	RUN_LATEST,

	/**
	 * Each is run, under its own name and due time, oldest first, as many as
	 * {@link OnceJob#queueDepth()} holds; what is more is reported.
	 */
	RUN_ALL

}
