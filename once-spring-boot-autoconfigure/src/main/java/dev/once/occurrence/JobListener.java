package dev.once.occurrence;

/**
 * Is told what became of due times that were not run when they were due (O5). It must not
 * throw and must not block.
 */
public interface JobListener {

	/**
	 * An occurrence was refused, because a run of its job was live.
	 * @param job the job's name
	 */
	default void refused(String job) {
	}

	/**
	 * An occurrence was refused, because its job's queue is full.
	 * @param job the job's name
	 */
	default void queueFull(String job) {
	}

	/**
	 * Due times passed while no run of their job was live.
	 * @param job the job's name
	 * @param dueTimes how many
	 */
	default void missed(String job, long dueTimes) {
	}

	/**
	 * Something of a job that waits may be run.
	 * @param job the job's name
	 */
	default void mayRun(String job) {
	}

}
