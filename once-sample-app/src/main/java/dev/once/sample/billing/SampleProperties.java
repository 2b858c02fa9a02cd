package dev.once.sample.billing;

import java.net.URI;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sample.
 *
 * @param farSide Where the providers are.
 * @param invoices Number of invoices that are written at the start if they are missing.
 * @param billing When the billing job fires.
 * @param backOffice Whether the jobs beside the billing run.
 * @param resolver Whether the providers are asked about effects whose answer was lost.
 */
@ConfigurationProperties("sample")
record SampleProperties(@DefaultValue FarSide farSide, @DefaultValue("20") int invoices, @DefaultValue Billing billing,
		@DefaultValue("true") boolean backOffice, @DefaultValue("true") boolean resolver) {

	/**
	 * Where the providers are.
	 *
	 * @param url Base address of the payment and mail provider and the figures board.
	 */
	record FarSide(@DefaultValue("http://localhost:8090") URI url) {
	}

	/**
	 * When the billing job fires.
	 *
	 * @param cron Its schedule, the same on every node.
	 * @param inTransaction Whether each invoice is settled inside a transaction.
	 */
	record Billing(@DefaultValue("*/2 * * * * *") String cron, @DefaultValue("false") boolean inTransaction) {
	}

}
