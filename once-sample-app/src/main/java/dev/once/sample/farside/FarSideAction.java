package dev.once.sample.farside;

import java.util.Arrays;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the far side can be asked to do; the word is its path and its name in the record.
 */
enum FarSideAction {

	/**
	 * {@code POST /payments} with {@code invoice}, {@code customer} and {@code amount}.
	 */
	@JsonProperty("payments")
	PAYMENTS("payments", "POST", "invoice"),

	/**
	 * {@code POST /mails} with {@code reference} and whatever the mail says.
	 */
	@JsonProperty("mails")
	MAILS("mails", "POST", "reference"),

	/**
	 * {@code PUT /figures/{date}} with {@code amount}.
	 */
	@JsonProperty("figures")
	FIGURES("figures", "PUT", "date");

	private final String word;

	private final String method;

	private final String targetField;

	FarSideAction(String word, String method, String targetField) {
		this.word = word;
		this.method = method;
		this.targetField = targetField;
	}

	static Optional<FarSideAction> named(String word) {
		return Arrays.stream(values()).filter((action) -> action.word.equals(word)).findFirst();
	}

	String word() {
		return this.word;
	}

	/**
	 * The HTTP method that makes the effect.
	 */
	String method() {
		return this.method;
	}

	/**
	 * The field of the body, or the part of the path, that names what the request is
	 * about.
	 */
	String targetField() {
		return this.targetField;
	}

}
