package dev.once.aop;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Turns answers into text and back; may throw.
 */
interface AnswerForm {

	/**
	 * Names how the text is to be read, in the ledger and for ever.
	 */
	String tag();

	/**
	 * Writes a value.
	 * @param value a value, not {@code null}
	 * @param maxChars what it may come to
	 * @return the text
	 * @throws TooLongException when it would be longer
	 */
	String write(Object value, int maxChars);

	/**
	 * Reads it again.
	 */
	Object read(String text);

	/**
	 * What stands for no answer.
	 */
	default @Nullable Object none() {
		return null;
	}

	/**
	 * The form of a method that answers nothing.
	 */
	AnswerForm NOTHING = new AnswerForm() {

		@Override
		public String tag() {
			return "void";
		}

		@Override
		public String write(Object value, int maxChars) {
			return "";
		}

		@Override
		public Object read(String text) {
			return text;
		}

	};

	/**
	 * An answer that need not be there.
	 *
	 * @param content the form of what is there
	 */
	record OptionalForm(AnswerForm content) implements AnswerForm {

		@Override
		public String tag() {
			return this.content.tag();
		}

		@Override
		public String write(Object value, int maxChars) {
			return this.content.write(((Optional<?>) value).orElseThrow(), maxChars);
		}

		@Override
		public Object read(String text) {
			return Optional.of(this.content.read(text));
		}

		@Override
		public Object none() {
			return Optional.empty();
		}

	}

	/**
	 * An answer of a simple type.
	 *
	 * @param form its form
	 */
	record SimpleForm(TextForm form) implements AnswerForm {

		@Override
		public String tag() {
			return this.form.tag();
		}

		@Override
		public String write(Object value, int maxChars) {
			String text = this.form.write().apply(value);
			if (text.length() > maxChars) {
				throw new TooLongException();
			}
			return text;
		}

		@Override
		public Object read(String text) {
			return this.form.read().apply(text);
		}

	}

	/**
	 * The text is longer than what is kept.
	 */
	final class TooLongException extends RuntimeException {

		TooLongException() {
			super("longer than what is kept", null, false, false);
		}

	}

}
