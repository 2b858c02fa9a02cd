package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The effect is done, but its recorded answer cannot be given back: it was too large to
 * be kept, or this release cannot read it. The effect is not attempted again.
 */
public final class AnswerUnreadableException extends OnceException {

	public AnswerUnreadableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
