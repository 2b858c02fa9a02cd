package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The job was called for its value for an occurrence that is open and is run again later,
 * or while the application shuts down.
 */
public final class JobWaitingException extends JobNotRunException {

	public JobWaitingException(String message, @Nullable Duration retryAfter) {
		super(message, retryAfter);
	}

	@Override
	public boolean retryable() {
		return true;
	}

}
