package dev.once;

/**
 * The job's lease is held, and the call's occurrence waits in the job's queue: any node
 * carries it out in its turn. Nothing was run yet, and there is no value to return.
 */
public final class JobQueuedException extends JobNotRunException {

	private static final long serialVersionUID = 1L;

	public JobQueuedException(String message) {
		super(message, null);
	}

	/**
	 * A later call of the same occurrence meets it finished.
	 */
	@Override
	public boolean retryable() {
		return true;
	}

}
