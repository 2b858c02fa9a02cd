package dev.once.sample.billing;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Optional;

import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/**
 * The board on which a figure for each day is posted.
 */
@Component
class FiguresClient {

	private final FarSideClient farSide;

	FiguresClient(RestClient.Builder builder, SampleProperties properties) {
		this.farSide = new FarSideClient(builder, properties);
	}

	Receipt post(LocalDate day, BigDecimal amount) {
		return this.farSide.put("/figures/" + day, new Figure(amount));
	}

	Optional<Receipt> findByKey(String key) {
		return this.farSide.find("/figures", key);
	}

	record Figure(BigDecimal amount) {
	}

}
