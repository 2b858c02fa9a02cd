package dev.once.sample.billing;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/**
 * What the three clients share: the address, and that "not found" is an empty list and
 * never an error status.
 */
class FarSideClient {

	private static final ParameterizedTypeReference<List<Receipt>> RECEIPTS = new ParameterizedTypeReference<>() {
	};

	private final RestClient client;

	FarSideClient(RestClient.Builder builder, SampleProperties properties) {
		this.client = builder.baseUrl(properties.farSide().url()).build();
	}

	Receipt post(String path, Object body) {
		return send(HttpMethod.POST, path, body);
	}

	Receipt put(String path, Object body) {
		return send(HttpMethod.PUT, path, body);
	}

	Optional<Receipt> find(String path, String key) {
		List<Receipt> found = Objects.requireNonNull(this.client.get()
			.uri((uri) -> uri.path(path).queryParam("key", "{key}").build(key))
			.retrieve()
			.body(RECEIPTS));
		return found.stream().findFirst();
	}

	private Receipt send(HttpMethod method, String path, Object body) {
		return Objects.requireNonNull(this.client.method(method)
			.uri(path)
			.contentType(MediaType.APPLICATION_JSON)
			.body(body)
			.retrieve()
			.body(Receipt.class));
	}

}
