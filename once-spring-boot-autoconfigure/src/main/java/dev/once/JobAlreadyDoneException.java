package dev.once;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The job was called for its value for an occurrence that is finished, whose value is not
 * kept.
 */
public final class JobAlreadyDoneException extends JobNotRunException {

	private final @Nullable Instant doneAt;

	public JobAlreadyDoneException(String message, @Nullable Instant doneAt) {
		super(message, null);
		this.doneAt = doneAt;
	}

	/**
	 * When it was finished, or {@code null} where that is not known.
	 */
	public @Nullable Instant doneAt() {
		return this.doneAt;
	}

	@Override
	public boolean retryable() {
		return false;
	}

}
