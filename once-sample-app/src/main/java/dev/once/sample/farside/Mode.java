package dev.once.sample.farside;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How the far side treats a request.
 */
enum Mode {

	/**
	 * Records and answers.
	 */
	@JsonProperty("answer")
	ANSWER,

	/**
	 * Waits before it records, so that the effect comes late, then answers.
	 */
	@JsonProperty("delay")
	DELAY,

	/**
	 * Records, waits, then answers.
	 */
	@JsonProperty("answer-late")
	ANSWER_LATE,

	/**
	 * Records, keeps the connection open and never answers.
	 */
	@JsonProperty("record-then-hang")
	RECORD_THEN_HANG,

	/**
	 * Records and closes the connection without an answer.
	 */
	@JsonProperty("record-then-drop")
	RECORD_THEN_DROP,

	/**
	 * Records and answers with an error status, as a provider does that fails after its
	 * own commit.
	 */
	@JsonProperty("record-then-refuse")
	RECORD_THEN_REFUSE,

	/**
	 * Answers with an error status and does nothing.
	 */
	@JsonProperty("refuse")
	REFUSE

}
