package dev.once.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.once.actuate.EffectCounts;
import dev.once.actuate.KnownNames;
import dev.once.lease.LeaseListener;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.TimeSource;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectState;
import dev.once.ledger.Ending;
import dev.once.ledger.LedgerHealth;
import dev.once.test.LedgerRows;
import dev.once.test.StubLeaseStore;
import dev.once.test.StubLedger;
import dev.once.test.StubOccurrences;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an operator gets over HTTP, with the platform's own JSON and status mapping.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "management.endpoints.web.exposure.include=once,health,metrics",
				"management.endpoint.health.show-details=always" })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DirtiesContext
class OnceOverHttpTests {

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private WebServerApplicationContext server;

	@Autowired
	private StubLedger ledger;

	@Autowired
	private StubLeaseStore leases;

	@Autowired
	private Obstacle obstacle;

	@Autowired
	private EffectCounts counts;

	@Test
	void theEndpointTellsOfJobsEffectsAndCounters() throws Exception {
		this.leases.shows(StubLeaseStore.held("nightly-billing", 17));
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 2L), Map.of(Attention.UNDETERMINED, 1L), Duration.ofSeconds(192));
		this.counts.ended(LedgerRows.facts("charge", "inv-17"), Ending.PERFORMED);
		HttpResponse<String> response = get("/actuator/once");
		assertThat(response.statusCode()).isEqualTo(200);
		JsonNode once = json(response);
		assertThat(once.at("/jobs/0").toString()).isEqualTo("{\"name\":\"nightly-billing\",\"held\":true,"
				+ "\"owner\":\"owner-1\",\"run\":\"run-1\",\"token\":17,\"leaseUntil\":\"2026-11-02T06:00:20Z\","
				+ "\"acquiredAt\":\"2026-11-02T05:59:50Z\",\"renewedAt\":\"2026-11-02T06:00:00Z\"}");
		assertThat(once.at("/effects").toString())
			.isEqualTo("{\"claimed\":0,\"submitted\":0,\"unknown\":2,\"oldestUnknown\":\"PT3M12S\","
					+ "\"attention\":[{\"reason\":\"undetermined\",\"effects\":1}]}");
		assertThat(once.at("/counters/actions/0/performed").asLong()).isEqualTo(1);
		assertThat(once.has("problem")).isFalse();
		assertThat(response.body()).doesNotContain(LedgerRows.CANARY, "inv-17");
	}

	@Test
	void theEndpointTakesNoWritesUntilItsAccessIsUnrestricted() throws Exception {
		for (String path : List.of("", "/run-now?job=nightly-billing", "/drill?job=nightly-billing")) {
			HttpRequest post = HttpRequest.newBuilder(uri("/actuator/once" + path))
				.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.noBody())
				.build();
			assertThat(this.client.send(post, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(405);
		}
		assertThat(get("/actuator/once/occurrences?job=nightly-billing").statusCode()).isEqualTo(200);
	}

	@Test
	void whatNeedsAPersonIsAnsweredWith200AndLeavesTheApplicationUp() throws Exception {
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 2L), Map.of(Attention.UNDETERMINED, 2L), Duration.ofSeconds(192));
		HttpResponse<String> component = fresh("/actuator/health/once", "/details/attention/undetermined", "2");
		assertThat(component.statusCode()).isEqualTo(200);
		assertThat(json(component).at("/status").asString()).isEqualTo("ATTENTION");
		assertThat(json(component).at("/details").toString())
			.isEqualTo("{\"unknown\":2,\"oldestUnknown\":\"PT3M12S\",\"attention\":{\"undetermined\":2}}");
		HttpResponse<String> whole = get("/actuator/health");
		assertThat(whole.statusCode()).isEqualTo(200);
		assertThat(json(whole).at("/status").asString()).isEqualTo("UP");
		assertThat(json(whole).at("/components/once/status").asString()).isEqualTo("ATTENTION");
	}

	@Test
	void aLedgerThatCannotBeWrittenIsAnsweredWith503() throws Exception {
		this.obstacle.is(Optional.of("the database is a standby"));
		try {
			HttpResponse<String> component = get("/actuator/health/once");
			assertThat(component.statusCode()).isEqualTo(503);
			assertThat(json(component).at("/details/ledger").asString()).contains("the database is a standby");
			assertThat(get("/actuator/health").statusCode()).isEqualTo(503);
		}
		finally {
			this.obstacle.is(Optional.empty());
		}
	}

	@Test
	void metersAreThereBeforeAnythingHappens() throws Exception {
		JsonNode meter = json(get("/actuator/metrics/once.effects?tag=action:mail&tag=outcome:unknown"));
		assertThat(meter.at("/measurements/0/value").asDouble()).isZero();
		assertThat(json(get("/actuator/metrics/once.effects.unknown.age")).at("/baseUnit").asString())
			.isEqualTo("seconds");
	}

	// Health may show what was read a moment ago
	private HttpResponse<String> fresh(String path, String at, String value) {
		return await().until(() -> get(path), (response) -> json(response).at(at).toString().equals(value));
	}

	private HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.client.send(HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString());
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + this.server.getWebServer().getPort() + path);
	}

	private static JsonNode json(HttpResponse<String> response) {
		return JsonMapper.shared().readTree(response.body());
	}

	record Names(Collection<String> actions, Collection<String> jobs) implements KnownNames {

	}

	static final class Obstacle implements LedgerHealth {

		private volatile Optional<String> obstacle = Optional.empty();

		void is(Optional<String> obstacle) {
			this.obstacle = obstacle;
		}

		@Override
		public Optional<String> obstacle() {
			return this.obstacle;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { DataSourceAutoConfiguration.class, OnceAutoConfiguration.class })
	static class Application {

		@Bean
		StubLedger ledger() {
			return new StubLedger();
		}

		@Bean
		StubOccurrences occurrences() {
			return new StubOccurrences();
		}

		@Bean
		StubLeaseStore leaseStore() {
			return new StubLeaseStore();
		}

		@Bean
		Obstacle obstacle() {
			return new Obstacle();
		}

		@Bean
		Leases leases(StubLeaseStore store) {
			return new Leases(store, "owner-1", TimeSource.SYSTEM, () -> "run-1", new LeaseListener() {
			}, (line) -> {
			});
		}

		@Bean
		Renewer renewer() {
			return new Renewer(List.of(), Duration.ofMinutes(1));
		}

		@Bean
		KnownNames knownNames() {
			return new Names(List.of("charge", "mail"), List.of("nightly-billing"));
		}

	}

}
