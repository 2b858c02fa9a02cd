package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * A target or an input of an effect has no form that is the same in every JVM, so that no
 * effect key can be made of it.
 */
public class UnstableTypeException extends OnceException {

	public UnstableTypeException(String message) {
		super(message);
	}

	public UnstableTypeException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
