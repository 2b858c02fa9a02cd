package dev.once;

/**
 * The job was called for its value while another run holds its lease.
 */
public final class JobAlreadyRunningException extends JobNotRunException {

	public JobAlreadyRunningException(String message) {
		super(message, null);
	}

	@Override
	public boolean retryable() {
		return true;
	}

}
