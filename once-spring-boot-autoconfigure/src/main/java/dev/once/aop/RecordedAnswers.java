package dev.once.aop;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.once.AnswerUnreadableException;
import dev.once.aop.AnswerForm.TooLongException;
import dev.once.ledger.Answer;
import dev.once.ledger.AnswerFormat;
import dev.once.ledger.Failures;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes an action's answers for the ledger and reads them into the type that its methods
 * return. The first one is read back at once. No line shows what was in an answer.
 */
final class RecordedAnswers implements AnswerFormat<@Nullable Object> {

	private static final Log logger = LogFactory.getLog(RecordedAnswers.class);

	private static final String ESCAPED = "-escaped";

	private final String action;

	private final String type;

	private final AnswerForm form;

	private final int maxChars;

	private final AtomicBoolean readBack = new AtomicBoolean();

	/**
	 * Creates the format.
	 * @param action the action, for messages
	 * @param type the answer's type, for messages
	 * @param form how one answer is written and read
	 * @param maxChars what is kept whole
	 */
	RecordedAnswers(String action, String type, AnswerForm form, int maxChars) {
		this.action = action;
		this.type = type;
		this.form = form;
		this.maxChars = maxChars;
	}

	@Override
	public Answer write(@Nullable Object answer) {
		try {
			Answer written = writeOrThrow(answer);
			if (!this.readBack.get() && this.readBack.compareAndSet(false, true)) {
				readBack(written);
			}
			return written;
		}
		catch (TooLongException ex) {
			logger.error("An answer of action '" + this.action + "' is longer than once.ledger.max-value ("
					+ this.maxChars + " characters) and is not kept: a repeat cannot return it. The effect is done");
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			logger.error("An answer of action '" + this.action + "', a " + this.type
					+ ", could not be written and is not kept: a repeat cannot return it. The effect is done. "
					+ Failures.describe(ex));
		}
		return Answer.notKept();
	}

	private Answer writeOrThrow(@Nullable Object answer) {
		if (answer == null || this.form == AnswerForm.NOTHING
				|| (answer instanceof Optional<?> optional && optional.isEmpty())) {
			return new Answer(null, this.form.tag());
		}
		String text = this.form.write(answer, this.maxChars);
		if (StorableText.isStorable(text)) {
			return new Answer(text, this.form.tag());
		}
		// E11: an answer that the database refuses would be written again for ever
		String escaped = StorableText.escape(text);
		if (escaped.length() > this.maxChars) {
			throw new TooLongException();
		}
		return new Answer(escaped, this.form.tag() + ESCAPED);
	}

	private void readBack(Answer written) {
		try {
			Answer again = writeOrThrow(readOrThrow(written));
			if (!again.equals(written)) {
				logger
					.error("The first answer of action '" + this.action + "' comes back from the ledger as a different "
							+ this.type + ": a repeat returns less than the first call. The effect is done. "
							+ "Make everything in it readable by Jackson, or return a simpler type");
			}
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			logger.error("The first answer of action '" + this.action + "' cannot be read back as a " + this.type
					+ ": a repeat fails with an AnswerUnreadableException. The effect is done. "
					+ "Make the type readable by Jackson, or return a simpler one. " + Failures.describe(ex));
		}
	}

	@Override
	@SuppressWarnings("NullAway") // The type's argument says that there may be none
	public @Nullable Object read(Answer answer) {
		if (answer.type().equals(Answer.NOT_KEPT)) {
			if (this.form == AnswerForm.NOTHING) {
				return null;
			}
			throw new AnswerUnreadableException("The effect of action '" + this.action
					+ "' is done, but its answer was not kept: it was too long or could not be written", null);
		}
		try {
			return readOrThrow(answer);
		}
		catch (AnswerUnreadableException ex) {
			throw ex;
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			// Without its cause, whose message may quote the answer
			throw new AnswerUnreadableException(
					"The effect of action '" + this.action + "' is done, but its recorded answer cannot be read as a "
							+ this.type + ": " + Failures.describe(ex),
					null);
		}
	}

	private @Nullable Object readOrThrow(Answer answer) {
		String text = answer.value();
		if (text == null || this.form == AnswerForm.NOTHING) {
			return this.form.none();
		}
		if (answer.type().equals(this.form.tag() + ESCAPED)) {
			return this.form.read(StorableText.unescape(text));
		}
		if (!answer.type().equals(this.form.tag())) {
			throw new AnswerUnreadableException("The effect of action '" + this.action
					+ "' is done, but its answer was recorded as '" + answer.type() + "' and is now read as '"
					+ this.form.tag() + "': was the method's type changed?", null);
		}
		return this.form.read(Objects.requireNonNull(text));
	}

}
