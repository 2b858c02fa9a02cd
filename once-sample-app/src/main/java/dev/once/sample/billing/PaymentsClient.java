package dev.once.sample.billing;

import java.math.BigDecimal;
import java.util.Optional;

import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * The payment provider.
 */
@Component
class PaymentsClient {

	private final FarSideClient farSide;

	PaymentsClient(RestClient.Builder builder, SampleProperties properties) {
		this.farSide = new FarSideClient(builder, properties);
	}

	/**
	 * Charges a customer; not safe to repeat unless the key travels along.
	 */
	Receipt charge(String customer, String invoice, BigDecimal amount) {
		return this.farSide.post("/payments", new Payment(invoice, customer, amount));
	}

	Optional<Receipt> findByKey(String key) {
		return this.farSide.find("/payments", key);
	}

	record Payment(String invoice, String customer, BigDecimal amount) {
	}

}
