package dev.once;

/**
 * A job's method that returns a value was called while another run holds the job's lease.
 * It was not run, and there is no value to return. A method that returns nothing is
 * skipped instead.
 */
public final class JobAlreadyRunningException extends OnceException {

	public JobAlreadyRunningException(String message) {
		super(message);
	}

}
