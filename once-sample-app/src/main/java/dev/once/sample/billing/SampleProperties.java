package dev.once.sample.billing;

import java.net.URI;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the sample.
 *
 * @param farSide Where the providers are.
 * @param invoices Number of invoices that are written at the start if they are missing.
 */
@ConfigurationProperties("sample")
record SampleProperties(@DefaultValue FarSide farSide, @DefaultValue("20") int invoices) {

	/**
	 * Where the providers are.
	 *
	 * @param url Base address of the payment and mail provider and the figures board.
	 */
	record FarSide(@DefaultValue("http://localhost:8090") URI url) {
	}

}
