package dev.once.sample.story;

import java.util.Map;
import java.util.Objects;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/**
 * Reads the far side's record, and tells it how to behave.
 */
final class FarSideView {

	private static final ParameterizedTypeReference<Map<String, Map<String, Long>>> SUMMARY = new ParameterizedTypeReference<>() {
	};

	private final RestClient client;

	FarSideView(RestClient client) {
		this.client = client;
	}

	/**
	 * A figure of the record.
	 * @param action {@code payments}, {@code mails} or {@code figures}
	 * @param figure {@code requests}, {@code applied}, {@code duplicates} or
	 * {@code lookups}
	 */
	long figure(String action, String figure) {
		Map<String, Map<String, Long>> summary = Objects
			.requireNonNull(this.client.get().uri("/record/summary").retrieve().body(SUMMARY));
		Long value = Objects.requireNonNull(summary.get(action)).get(figure);
		return Objects.requireNonNull(value, figure);
	}

	/**
	 * Acts on one target and then drops the connection without an answer. Look-ups do not
	 * show what happened for a while, as a provider's list does.
	 */
	void loseOneAnswer(String target, long listLateMillis) {
		this.client.post()
			.uri("/control")
			.contentType(MediaType.APPLICATION_JSON)
			.body(Map.of("action", "payments", "mode", "record-then-drop", "target", target, "next", 1, "listLate",
					listLateMillis))
			.retrieve()
			.toBodilessEntity();
	}

}
