package dev.once.http;

import java.util.Objects;

import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * The client failed before it began to write the request, whatever the reason.
 */
final class UnsentRequestException extends WebClientRequestException {

	UnsentRequestException(WebClientRequestException failure) {
		super(Objects.requireNonNullElse(failure.getCause(), failure), failure.getMethod(), failure.getUri(),
				failure.getHeaders());
		setStackTrace(failure.getStackTrace());
	}

}
