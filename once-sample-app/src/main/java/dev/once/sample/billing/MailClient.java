package dev.once.sample.billing;

import java.util.Optional;

import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * The mail provider.
 */
@Component
class MailClient {

	private final FarSideClient farSide;

	MailClient(RestClient.Builder builder, SampleProperties properties) {
		this.farSide = new FarSideClient(builder, properties);
	}

	/**
	 * Sends a mail about the reference.
	 */
	Receipt send(String reference, String to, String subject, String text) {
		return this.farSide.post("/mails", new Mail(reference, to, subject, text));
	}

	Optional<Receipt> findByKey(String key) {
		return this.farSide.find("/mails", key);
	}

	record Mail(String reference, String to, String subject, String text) {
	}

}
