package dev.once.sample.billing;

import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneId;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/**
 * Sees to it that there is something to charge before the first job runs.
 */
@Component
class InvoiceSeed implements InitializingBean {

	private final Invoices invoices;

	private final SampleProperties properties;

	InvoiceSeed(Invoices invoices, SampleProperties properties) {
		this.invoices = invoices;
		this.properties = properties;
	}

	@Override
	public void afterPropertiesSet() {
		LocalDate today = LocalDate.now(Clock.system(ZoneId.of("Europe/Zurich")));
		this.invoices.seed(this.properties.invoices(), today);
	}

}
