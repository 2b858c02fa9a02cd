package dev.once.autoconfigure;

import java.util.List;

import dev.once.occurrence.JobListener;

/**
 * Tells several listeners, and wakes who runs what waits.
 */
record JobListeners(List<JobListener> listeners, Runnable waking) implements JobListener {

	@Override
	public void refused(String job) {
		this.listeners.forEach((listener) -> listener.refused(job));
	}

	@Override
	public void queueFull(String job) {
		this.listeners.forEach((listener) -> listener.queueFull(job));
	}

	@Override
	public void missed(String job, long dueTimes) {
		this.listeners.forEach((listener) -> listener.missed(job, dueTimes));
	}

	@Override
	public void mayRun(String job) {
		this.listeners.forEach((listener) -> listener.mayRun(job));
		this.waking.run();
	}

}
