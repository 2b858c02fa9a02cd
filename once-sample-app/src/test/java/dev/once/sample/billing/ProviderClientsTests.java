package dev.once.sample.billing;

import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;

import dev.once.sample.farside.FarSideApplication;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.ResourceAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The invoices and the clients, against the far side itself.
 */
@SpringBootTest(properties = { "sample.invoices=3", "sample.billing.cron=-", "spring.http.clients.read-timeout=500ms" })
@DirtiesContext
class ProviderClientsTests {

	private static final LocalDate DAY = LocalDate.of(2026, 8, 1);

	private static final int PORT = TestSocketUtils.findAvailableTcpPort();

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext farSide;

	@Autowired
	private Invoices invoices;

	@Autowired
	private PaymentsClient payments;

	@Autowired
	private MailClient mails;

	@Autowired
	private FiguresClient figures;

	@DynamicPropertySource
	static void startFarSide(DynamicPropertyRegistry registry) {
		farSide = FarSideApplication
			.run(new String[] { "--far-side.port=" + PORT, "--far-side.record=" + directory.resolve("record.jsonl") });
		registry.add("sample.far-side.url", () -> "http://localhost:" + PORT);
		registry.add("spring.datasource.url", () -> "jdbc:h2:file:" + directory.resolve("billing") + ";WRITE_DELAY=0");
	}

	@AfterAll
	static void stopFarSide() {
		farSide.close();
	}

	@AfterEach
	void answerAgain() throws Exception {
		control("DELETE", "");
	}

	@Test
	void dueInvoicesAreThoseNobodyHasPaid() {
		LocalDate tomorrow = LocalDate.now().plusDays(1);
		List<Invoice> due = this.invoices.due(tomorrow);
		assertThat(due).extracting(Invoice::id).containsExactly("inv-001", "inv-002", "inv-003");
		assertThat(due.get(0).amount()).isEqualTo(new BigDecimal("11.25"));
		assertThat(this.invoices.due(tomorrow.minusYears(1))).isEmpty();
		this.invoices.markPaid("inv-002", "payments-1");
		assertThat(this.invoices.due(tomorrow)).extracting(Invoice::id).containsExactly("inv-001", "inv-003");
		assertThat(this.invoices.paidBy(tomorrow)).isEqualTo(new BigDecimal("12.50"));
		this.invoices.seed(3, tomorrow);
		assertThat(this.invoices.find("inv-002")).get().extracting(Invoice::receipt).isEqualTo("payments-1");
	}

	@Test
	void theThreeProvidersAnswer() {
		Receipt paid = this.payments.charge("customer-001", "inv-001", new BigDecimal("11.25"));
		assertThat(paid.target()).isEqualTo("inv-001");
		assertThat(paid.amount()).isEqualTo(new BigDecimal("11.25"));
		assertThat(this.mails.send("inv-001", "a@example.org", "Receipt", "Thank you").target()).isEqualTo("inv-001");
		assertThat(this.figures.post(DAY, new BigDecimal("100.00")).target()).isEqualTo("2026-08-01");
	}

	@Test
	void anUnknownKeyIsNotFoundWithoutAnError() {
		assertThat(this.payments.findByKey("never & sent")).isEmpty();
		assertThat(this.mails.findByKey("never")).isEmpty();
		assertThat(this.figures.findByKey("never")).isEmpty();
	}

	@Test
	void aLostAnswerIsAReadTimeOut() throws Exception {
		control("POST", "{\"action\":\"payments\",\"mode\":\"record-then-hang\",\"next\":1}");
		assertThatExceptionOfType(ResourceAccessException.class)
			.isThrownBy(() -> this.payments.charge("customer-001", "inv-001", new BigDecimal("11.25")));
	}

	@Test
	void aDroppedConnectionIsAnAccessFailure() throws Exception {
		control("POST", "{\"action\":\"figures\",\"mode\":\"record-then-drop\",\"next\":1}");
		assertThatExceptionOfType(ResourceAccessException.class)
			.isThrownBy(() -> this.figures.post(DAY, BigDecimal.ONE));
	}

	@Test
	void aRefusalKeepsItsStatus() throws Exception {
		control("POST", "{\"action\":\"mails\",\"mode\":\"refuse\",\"status\":429,\"retryAfter\":2,\"next\":1}");
		assertThatExceptionOfType(HttpClientErrorException.TooManyRequests.class)
			.isThrownBy(() -> this.mails.send("inv-001", "a@example.org", "Receipt", "Thank you"))
			.satisfies((ex) -> assertThat(ex.getResponseHeaders().getFirst("Retry-After")).isEqualTo("2"));
	}

	private static void control(String method, String body) throws Exception {
		HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + PORT + "/control"))
				.method(method, HttpRequest.BodyPublishers.ofString(body))
				.build(), HttpResponse.BodyHandlers.discarding());
	}

}
