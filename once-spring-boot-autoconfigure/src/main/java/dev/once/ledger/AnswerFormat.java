package dev.once.ledger;

import dev.once.AnswerUnreadableException;
import org.jspecify.annotations.Nullable;

/**
 * Writes an effect's answer for the ledger and reads it back into the type that callers
 * expect.
 *
 * @param <T> the answer's type
 */
public interface AnswerFormat<T extends @Nullable Object> {

	/**
	 * Writes an answer. Never throws for an answer it cannot write: the effect has
	 * happened, so it gives {@link Answer#notKept()}.
	 * @param answer the answer, or {@code null}
	 */
	Answer write(T answer);

	/**
	 * Reads a recorded answer.
	 * @param answer the recorded answer
	 * @throws AnswerUnreadableException when it was not kept or cannot be read
	 */
	T read(Answer answer);

}
