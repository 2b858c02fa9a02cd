package dev.once;

/**
 * The job was called for its value for an occurrence that never runs again by itself: its
 * attempts are used up, or it is older than what has been purged.
 */
public final class JobAbandonedException extends JobNotRunException {

	public JobAbandonedException(String message) {
		super(message, null);
	}

	@Override
	public boolean retryable() {
		return false;
	}

}
