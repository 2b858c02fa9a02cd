package dev.once;

/**
 * The run no longer owns its job: another run has taken over, and this one may start no
 * further effect.
 */
public final class RunFencedException extends OnceException {

	public RunFencedException(String message) {
		super(message);
	}

}
