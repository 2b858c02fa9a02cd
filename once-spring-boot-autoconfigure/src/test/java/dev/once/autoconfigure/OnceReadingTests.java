package dev.once.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.Unobservable;
import dev.once.test.LedgerRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * What an operator reads of a whole application, from guarded methods down to the
 * database.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:once-reading;DB_CLOSE_DELAY=-1",
				"management.endpoints.web.exposure.include=once,health,metrics",
				"management.endpoint.health.show-details=always" })
@DirtiesContext
@ExtendWith(OutputCaptureExtension.class)
class OnceReadingTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private WebServerApplicationContext server;

	@Autowired
	private Provider provider;

	@Autowired
	private JdbcClient jdbc;

	@Test
	void endpointHealthMetersAndLogTellTheSameStory(CapturedOutput output) throws Exception {
		JsonNode untouched = get("/actuator/once");
		assertThat(untouched.at("/counters/actions/0").toString())
			.startsWith("{\"action\":\"charge\",\"performed\":0,\"duplicate\":0,");
		assertThat(untouched.at("/jobs/0").toString())
			.isEqualTo("{\"name\":\"nightly-billing\",\"held\":false,\"token\":0}");
		assertThat(meter("once.effects?tag=action:charge&tag=outcome:performed")).isZero();

		this.provider.nightlyBilling();
		this.provider.charge("inv-17", LedgerRows.CANARY);
		assertThatIllegalStateException().isThrownBy(() -> this.provider.mail("inv-19"));

		// The counter follows the row
		JsonNode once = await().until(() -> get("/actuator/once"),
				(read) -> !read.at("/effects/attention/0").isMissingNode()
						&& read.at("/counters/resolved/undetermined").asLong() > 0);
		assertThat(once.at("/effects/unknown").asLong()).isEqualTo(unknownRows()).isEqualTo(1);
		assertThat(once.at("/effects/attention").toString()).isEqualTo("[{\"reason\":\"undetermined\",\"effects\":1}]");
		assertThat(once.at("/counters/actions/0").toString())
			.startsWith("{\"action\":\"charge\",\"performed\":1,\"duplicate\":1,");
		assertThat(once.at("/counters/actions/1/unknown").asLong()).isEqualTo(1);
		assertThat(once.at("/counters/duplicates").asLong()).isEqualTo(1);
		assertThat(once.at("/counters/resolved/undetermined").asLong()).isEqualTo(1);
		assertThat(once.at("/jobs/0/token").asLong()).isEqualTo(1);

		await().untilAsserted(() -> assertThat(meter("once.effects.unknown")).isEqualTo(1));
		await().untilAsserted(() -> assertThat(meter("once.effects.attention?tag=reason:undetermined")).isEqualTo(1));
		assertThat(meter("once.effects?tag=action:charge&tag=outcome:performed")).isEqualTo(1);
		assertThat(meter("once.effects.duplicates")).isEqualTo(1);

		JsonNode health = await().until(() -> get("/actuator/health/once"),
				(read) -> read.at("/status").asString().equals("ATTENTION"));
		assertThat(health.at("/details/attention/undetermined").asLong()).isEqualTo(1);
		assertThat(get("/actuator/health").at("/status").asString()).isEqualTo("UP");

		assertThat(output.getOut().lines().filter((line) -> line.contains("once.repeat"))).singleElement()
			.asString()
			.contains("'charge/inv-17'", "met done (performed, attempt 1)", "the recorded answer stands");
		assertThat(output.getOut().lines().filter((line) -> line.contains("once.resolved"))).singleElement()
			.asString()
			.contains("WARN", "'mail/inv-19'", "needs a person");
		assertThat(output.getAll() + once + health).doesNotContain(LedgerRows.CANARY);
	}

	@Test
	void aLedgerThatIsGoneIsDownAndLeavesTheCountersReadable() throws Exception {
		this.jdbc.sql("alter table once_effect_ledger rename to hidden").update();
		try {
			assertThat(response("/actuator/health/once").statusCode()).isEqualTo(503);
			assertThat(get("/actuator/health/once").at("/details/ledger").asString())
				.containsIgnoringCase("once_effect_ledger");
			JsonNode once = get("/actuator/once");
			assertThat(once.at("/problem").asString()).contains("cannot be read");
			assertThat(once.at("/counters/actions/0/action").asString()).isEqualTo("charge");
		}
		finally {
			this.jdbc.sql("alter table hidden rename to once_effect_ledger").update();
		}
		assertThat(response("/actuator/health/once").statusCode()).isEqualTo(200);
	}

	private long unknownRows() {
		return this.jdbc.sql("select count(*) from once_effect_ledger where state = 'unknown'")
			.query(Long.class)
			.single();
	}

	private double meter(String name) throws Exception {
		return get("/actuator/metrics/" + name).at("/measurements/0/value").asDouble();
	}

	private JsonNode get(String path) throws IOException, InterruptedException {
		return JsonMapper.shared().readTree(response(path).body());
	}

	private HttpResponse<String> response(String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://localhost:" + this.server.getWebServer().getPort() + path);
		return this.client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ Provider.class, Charges.class })
	static class Application {

	}

	@Component
	static class Provider {

		private final Charges charges;

		Provider(Charges charges) {
			this.charges = charges;
		}

		@OnceJob(name = "nightly-billing", overlap = Overlap.COALESCE)
		void nightlyBilling() {
			this.charges.charge("inv-17", LedgerRows.CANARY);
		}

		void charge(String invoice, String card) {
			this.charges.charge(invoice, card);
		}

		void mail(String invoice) {
			this.charges.mail(invoice);
		}

	}

	@Component
	static class Charges {

		@OnceEffect(action = "charge")
		String charge(@EffectTarget String invoice, @EffectInput String card) {
			return "receipt for " + card;
		}

		@OnceResolver("charge")
		Resolution<String> find(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		void mail(@EffectTarget String invoice) {
			throw new IllegalStateException("the far side echoed " + LedgerRows.CANARY);
		}

	}

}
