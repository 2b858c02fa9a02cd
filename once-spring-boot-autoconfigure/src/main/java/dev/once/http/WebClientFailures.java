package dev.once.http;

import dev.once.ledger.Failure;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Named;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.FailureClassifier;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpRequest;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

/**
 * E5: what the failures of
 * {@link org.springframework.web.reactive.function.client.WebClient} prove.
 */
public final class WebClientFailures implements FailureClassifier {

	@Override
	public @Nullable Failure classify(Throwable failure) {
		if (failure instanceof WebClientResponseException answered) {
			HttpRequest request = answered.getRequest();
			Failure proven = StatusCodes.classify(answered.getStatusCode(), answered.getHeaders());
			return (request != null) ? new Named(WritingRequests.name(request.getMethod(), request.getURI()), proven)
					: proven;
		}
		if (failure instanceof WebClientRequestException unanswered) {
			Failure proven = (failure instanceof UnsentRequestException) ? new NotSent(About.THE_LAST_REQUEST)
					: HttpFailures.whatIsProven(failure);
			return (proven instanceof NotSent)
					? new Named(WritingRequests.name(unanswered.getMethod(), unanswered.getUri()), proven) : null;
		}
		return null;
	}

}
