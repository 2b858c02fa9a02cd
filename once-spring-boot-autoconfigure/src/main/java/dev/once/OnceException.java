package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * Root of the exceptions that Once throws on its own account.
 */
public class OnceException extends RuntimeException {

	public OnceException(@Nullable String message) {
		super(message);
	}

	public OnceException(@Nullable String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
