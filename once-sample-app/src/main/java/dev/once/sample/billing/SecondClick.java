package dev.once.sample.billing;

import dev.once.Outcome;

import org.springframework.stereotype.Component;

/**
 * A person who charges an invoice by hand, after the job has.
 */
@Component
public class SecondClick {

	private final Invoices invoices;

	private final Charges charges;

	SecondClick(Invoices invoices, Charges charges) {
		this.invoices = invoices;
		this.charges = charges;
	}

	/**
	 * Charges an invoice.
	 * @param id the invoice's number
	 * @return what became of the call
	 */
	public Outcome<?> charge(String id) {
		Invoice invoice = this.invoices.find(id).orElseThrow();
		return this.charges.charge(invoice.id(), invoice.customer(), invoice.amount(), "second click");
	}

}
