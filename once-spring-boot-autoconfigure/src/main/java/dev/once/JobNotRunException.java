package dev.once;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The job was not run, and there is no value to return. A listener must not acknowledge
 * its message on one that is {@link #retryable()}.
 */
public abstract sealed class JobNotRunException extends OnceException permits JobAlreadyRunningException,
		JobAlreadyDoneException, JobWaitingException, JobAbandonedException, JobQueuedException, JobRefusedException {

	private final @Nullable Duration retryAfter;

	JobNotRunException(String message, @Nullable Duration retryAfter) {
		super(message);
		this.retryAfter = retryAfter;
	}

	/**
	 * Whether the same call can end differently later without a person's decision.
	 */
	public abstract boolean retryable();

	/**
	 * How long to wait before the same call is worth making again, or {@code null} when
	 * nothing is known about it.
	 */
	public @Nullable Duration retryAfter() {
		return this.retryAfter;
	}

}
