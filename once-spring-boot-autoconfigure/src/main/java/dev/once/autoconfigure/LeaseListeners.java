package dev.once.autoconfigure;

import java.util.List;

import dev.once.lease.LeaseListener;

/**
 * Tells several listeners.
 */
record LeaseListeners(List<LeaseListener> listeners) implements LeaseListener {

	@Override
	public void suppressed(String job) {
		this.listeners.forEach((listener) -> listener.suppressed(job));
	}

	@Override
	public void fenced(String job) {
		this.listeners.forEach((listener) -> listener.fenced(job));
	}

}
