package dev.once.sample.billing;

import java.time.Clock;
import java.time.LocalDate;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/**
 * Sees to it that there is something to charge before the first job runs.
 */
@Component
class InvoiceSeed implements InitializingBean {

	private final Invoices invoices;

	private final SampleProperties properties;

	private final Clock clock;

	InvoiceSeed(Invoices invoices, SampleProperties properties, Clock clock) {
		this.invoices = invoices;
		this.properties = properties;
		this.clock = clock;
	}

	@Override
	public void afterPropertiesSet() {
		this.invoices.seed(this.properties.invoices(), LocalDate.now(this.clock));
	}

}
