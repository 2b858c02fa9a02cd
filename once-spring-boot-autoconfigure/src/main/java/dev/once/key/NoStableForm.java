package dev.once.key;

import org.jspecify.annotations.Nullable;

/**
 * Carries the reason for a refusal up to the one who knows which part is being read, and
 * gathers the path on the way. It never holds a value.
 */
final class NoStableForm extends RuntimeException {

	private final String reason;

	private final String path;

	NoStableForm(String reason) {
		this(reason, "", null);
	}

	NoStableForm(String reason, String path, @Nullable Throwable cause) {
		super(reason, cause, false, false);
		this.reason = reason;
		this.path = path;
	}

	NoStableForm within(String step) {
		return new NoStableForm(this.reason, step + this.path, getCause());
	}

	/** The reason as a sentence about {@code where}. */
	String about(String where) {
		return where + (this.path.isEmpty() ? "" : ", at " + this.path + ",") + " " + this.reason;
	}

}
