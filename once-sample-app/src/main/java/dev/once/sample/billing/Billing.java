package dev.once.sample.billing;

import java.time.Clock;
import java.time.LocalDate;
import java.util.UUID;

import dev.once.JobRun;
import dev.once.OnceJob;
import dev.once.Outcome;
import dev.once.Overlap;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Charges what is due, mails the receipts, and posts the day's figure when all is paid.
 */
@Component
class Billing {

	private final Invoices invoices;

	private final Charges charges;

	private final Receipts receipts;

	private final Figures figures;

	private final Clock clock;

	private final TransactionOperations transactions;

	Billing(Invoices invoices, Charges charges, Receipts receipts, Figures figures, Clock clock,
			SampleProperties properties, TransactionOperations transactions) {
		this.invoices = invoices;
		this.charges = charges;
		this.receipts = receipts;
		this.figures = figures;
		this.clock = clock;
		this.transactions = properties.billing().inTransaction() ? transactions
				: TransactionOperations.withoutTransaction();
	}

	@Scheduled(cron = "${sample.billing.cron}", zone = "Europe/Zurich")
	@OnceJob(name = "billing", overlap = Overlap.COALESCE)
	void chargeDueInvoices() {
		LocalDate today = LocalDate.now(this.clock);
		JobRun.current()
			.each(this.invoices.due(today),
					(invoice) -> this.transactions.executeWithoutResult((transaction) -> settle(invoice)));
		if (this.invoices.due(today).isEmpty()) {
			this.figures.post("paid", this.invoices.paidBy(today));
		}
	}

	private void settle(Invoice invoice) {
		String traceId = UUID.randomUUID().toString();
		Outcome<Receipt> charged = this.charges.charge(invoice.id(), invoice.customer(), invoice.amount(), traceId);
		if (charged instanceof Outcome.Done<Receipt> done) {
			Receipt receipt = done.answer();
			Outcome<Receipt> mailed = this.receipts.mail(invoice.id(), invoice.email(), receipt.number());
			if (mailed.isDone()) {
				this.invoices.markPaid(invoice.id(), receipt.number());
			}
		}
	}

}
