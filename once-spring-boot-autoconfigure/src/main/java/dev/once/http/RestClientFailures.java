package dev.once.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.once.ledger.Failure;
import dev.once.ledger.Failure.Named;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.FailureClassifier;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClientResponseException;

/**
 * E5: what the failures of {@link org.springframework.web.client.RestClient} and
 * {@link org.springframework.web.client.RestTemplate} prove.
 */
public final class RestClientFailures implements FailureClassifier {

	// Neither exception has the request as a property
	private static final Pattern REQUEST = Pattern.compile(" on ([A-Z]+) request for \"([^\"]*)\"");

	@Override
	public @Nullable Failure classify(Throwable failure) {
		if (failure instanceof RestClientResponseException answered) {
			String text = answered.getStatusText();
			return named(failure, answered.getStatusCode().value() + " " + text,
					StatusCodes.classify(answered.getStatusCode(), answered.getResponseHeaders()));
		}
		if (failure instanceof ResourceAccessException
				&& HttpFailures.whatIsProven(failure) instanceof NotSent proven) {
			return named(failure, "I/O error", proven);
		}
		return null;
	}

	// The far side's own words follow in the message, and they may say anything
	private static Failure named(Throwable failure, String preface, Failure proven) {
		String message = String.valueOf(failure.getMessage());
		if (message.startsWith(preface)) {
			Matcher request = REQUEST.matcher(message).region(preface.length(), message.length());
			if (request.lookingAt()) {
				return new Named(WritingRequests.name(HttpMethod.valueOf(request.group(1)), request.group(2)), proven);
			}
		}
		return (proven instanceof NotSent) ? new Named("", proven) : proven;
	}

}
