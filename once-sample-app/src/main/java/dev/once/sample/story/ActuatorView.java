package dev.once.sample.story;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.web.client.RestClient;

/**
 * Reads the application's own actuator over HTTP, as an operator does.
 */
final class ActuatorView {

	private static final ParameterizedTypeReference<Map<String, Object>> OBJECT = new ParameterizedTypeReference<>() {
	};

	private final RestClient client;

	ActuatorView(RestClient client) {
		this.client = client;
	}

	/**
	 * Rows of the ledger in an open state.
	 * @param state {@code claimed}, {@code submitted} or {@code unknown}
	 */
	long open(String state) {
		return number(object(get("/once"), "effects").get(state));
	}

	/**
	 * How often the far side was asked, with what came of it.
	 * @param how {@code happened}, {@code didNotHappen} or {@code cannotTell}
	 */
	long resolved(String how) {
		return number(object(object(get("/once"), "counters"), "resolved").get(how));
	}

	/**
	 * The value of a counter.
	 * @param name its name
	 * @param tags its tags, {@code key:value}
	 */
	long meter(String name, String... tags) {
		String query = (tags.length > 0) ? "?tag=" + String.join("&tag=", tags) : "";
		List<?> measurements = (List<?>) Objects.requireNonNull(get("/metrics/" + name + query).get("measurements"));
		return number(((Map<?, ?>) measurements.get(0)).get("value"));
	}

	private Map<String, Object> get(String path) {
		return Objects.requireNonNull(this.client.get().uri(path).retrieve().body(OBJECT));
	}

	private static Map<?, ?> object(Map<?, ?> parent, String name) {
		return (Map<?, ?>) Objects.requireNonNull(parent.get(name), name);
	}

	private static long number(@Nullable Object value) {
		return ((Number) Objects.requireNonNull(value)).longValue();
	}

}
