package dev.once.ledger;

import org.jspecify.annotations.Nullable;

/**
 * An effect's answer as it is stored.
 *
 * @param value the answer's text, or {@code null}
 * @param type how to read it: a tag of {@link AnswerFormat}
 */
public record Answer(@Nullable String value, String type) {

	/**
	 * Type of an answer that was too large, or could not be written. The effect is done
	 * all the same.
	 */
	public static final String NOT_KEPT = "not-kept";

	/**
	 * An answer that was not kept (E11).
	 */
	public static Answer notKept() {
		return new Answer(null, NOT_KEPT);
	}

	/**
	 * Whether it was kept.
	 */
	public boolean isKept() {
		return !this.type.equals(NOT_KEPT);
	}

}
