package dev.once.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Instant;
import java.util.Arrays;

import dev.once.OnceException;
import dev.once.lease.StoreException;
import dev.once.occurrence.JobDesk.Answer;
import dev.once.occurrence.JobDesk.Drilled;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.UnknownJobException;
import dev.once.test.StubDesk;
import dev.once.test.StubOccurrences;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * P2, case 9: what a person does over HTTP once writes are let in. A filter stands for
 * whatever authenticates.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		classes = { OnceOverHttpTests.Application.class, OnceOperationsOverHttpTests.Desk.class },
		properties = { "management.endpoints.web.exposure.include=once", "management.endpoint.once.access=unrestricted",
				"once.drill.enabled=true" })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DirtiesContext
class OnceOperationsOverHttpTests {

	private static final String RUN_NOW = "/actuator/once/run-now?job=nightly";

	private final HttpClient client = HttpClient.newHttpClient();

	@Autowired
	private WebServerApplicationContext server;

	@Autowired
	private StubDesk desk;

	@Autowired
	private StubOccurrences occurrences;

	@BeforeEach
	void nothingAsked() {
		this.desk.asked();
	}

	@Test
	void whoIsTheAuthenticatedPrincipalAndNeverAFieldOfTheRequest() throws Exception {
		this.desk.answers(() -> new Answer.Started("2026-11-02T06:00Z", 17));
		HttpResponse<String> started = post(RUN_NOW + "&who=mallory&why=late", "amelia", "{\"who\": \"mallory\"}");
		assertThat(started.statusCode()).isEqualTo(202);
		assertThat(json(started).toString())
			.isEqualTo("{\"job\":\"nightly\",\"occurrence\":\"2026-11-02T06:00Z\",\"outcome\":\"started\","
					+ "\"token\":17,\"message\":\"started with token 17\"}");
		assertThat(this.desk.asked()).containsExactly(Arrays.asList("run-now", "nightly", null, "amelia", "late"));
	}

	@Test
	void whoIsNotAuthenticatedIsRefused() throws Exception {
		HttpResponse<String> refused = post(RUN_NOW + "&who=mallory", null, null);
		assertThat(refused.statusCode()).isEqualTo(403);
		assertThat(json(refused).at("/message").asString()).contains("Spring Security",
				"once.decisions.allow-anonymous=true");
		assertThat(this.desk.asked()).isEmpty();
	}

	/** A form of another site cannot send this one. */
	@Test
	void withoutTheContentTypeOfJsonNothingIsDone() throws Exception {
		HttpRequest.Builder form = HttpRequest.newBuilder(uri(RUN_NOW))
			.header("Content-Type", "application/x-www-form-urlencoded")
			.header("X-User", "amelia")
			.POST(BodyPublishers.ofString("job=nightly"));
		assertThat(send(form).statusCode()).isEqualTo(415);
		assertThat(this.desk.asked()).isEmpty();
	}

	@Test
	void parametersMayStandInAJsonBody() throws Exception {
		this.desk.answers(() -> new Answer.Started("2026-11-02T06:00Z/again", 18));
		assertThat(post("/actuator/once/run-now", "amelia",
				"{\"job\": \"nightly\", \"name\": \"again\", \"why\": \"the mail server was down\"}")
			.statusCode()).isEqualTo(202);
		assertThat(this.desk.asked())
			.containsExactly(Arrays.asList("run-again", "nightly", "again", "amelia", "the mail server was down"));
	}

	@Test
	void eachAnswerHasItsStatus() throws Exception {
		this.desk.answers(() -> new Answer.Running("a", "a"));
		JsonNode running = asAmelia(RUN_NOW, 409);
		assertThat(running.at("/outcome").asString()).isEqualTo("running");
		assertThat(running.at("/running").asString()).isEqualTo("a");
		this.desk.answers(() -> new Answer.AlreadyDone("a", Instant.parse("2026-11-02T06:01:00Z")));
		assertThat(asAmelia(RUN_NOW, 200).at("/message").asString()).isEqualTo("already done at 2026-11-02T06:01:00Z");
		this.desk.answers(() -> new Answer.NotRun("a", "it is abandoned"));
		assertThat(asAmelia(RUN_NOW, 409).at("/outcome").asString()).isEqualTo("not_run");
		fails(new UnknownJobException("There is no job 'nightly'"), 404, "unknown_job");
		fails(new OnceException("It has no due times"), 400, "bad_request");
		fails(new StoreException("db17.internal refused", new IllegalStateException()), 503, "unavailable");
		assertThat(asAmelia(RUN_NOW + "&name=again", 400).at("/message").asString()).contains("why");
		assertThat(asAmelia("/actuator/once/run-now", 400).at("/message").asString()).contains("job");
		assertThat(asAmelia("/actuator/once/explode?job=nightly", 404).at("/outcome").asString())
			.isEqualTo("unknown_operation");
	}

	private void fails(OnceException failure, int status, String outcome) throws Exception {
		this.desk.answers(() -> {
			throw failure;
		});
		JsonNode refused = asAmelia(RUN_NOW, status);
		assertThat(refused.at("/outcome").asString()).isEqualTo(outcome);
		assertThat(refused.toString()).doesNotContain("db17");
	}

	@Test
	void aDrillTellsWhatItsEffectsMet() throws Exception {
		this.desk.drills(() -> new Drilled("a", 3, 3, null));
		assertThat(asAmelia("/actuator/once/drill?job=nightly&why=audit", 200).toString())
			.isEqualTo("{\"job\":\"nightly\",\"occurrence\":\"a\",\"outcome\":\"drilled\",\"effects\":3,"
					+ "\"turnedAway\":3,\"message\":\"3 effects, 3 turned away\"}");
		assertThat(this.desk.asked()).containsExactly(Arrays.asList("drill", "nightly", null, "amelia", "audit"));
	}

	@Test
	void aPageOfOccurrencesIsRead() throws Exception {
		Instant due = Instant.parse("2026-11-02T06:00:00Z");
		this.occurrences.with(new OccurrenceRow("weekly", "2026-11-02T06:00[Europe/Zurich]", due, null,
				OccurrenceState.FINISHED, 1, null, "run-1", "owner-1", 17, "[\"s3cr3t\"]", due.plusSeconds(1),
				due.plusSeconds(9), "{\"performed\":1}", null, due.plusSeconds(10)));
		HttpResponse<String> page = send(
				HttpRequest.newBuilder(uri("/actuator/once/occurrences?job=weekly&state=finished&limit=5")));
		assertThat(page.statusCode()).isEqualTo(200);
		assertThat(page.body()).isEqualTo("{\"job\":\"weekly\",\"occurrences\":[{"
				+ "\"occurrence\":\"2026-11-02T06:00[Europe/Zurich]\",\"dueAt\":\"2026-11-02T06:00:00Z\","
				+ "\"state\":\"finished\",\"attempt\":1,\"startedAt\":\"2026-11-02T06:00:01Z\","
				+ "\"finishedAt\":\"2026-11-02T06:00:09Z\",\"token\":17,\"counts\":\"{\\\"performed\\\":1}\"}]}");
		assertThat(send(HttpRequest.newBuilder(uri("/actuator/once/occurrences"))).statusCode()).isEqualTo(400);
		assertThat(send(HttpRequest.newBuilder(uri("/actuator/once/nothing?job=weekly"))).statusCode()).isEqualTo(404);
		assertThat(send(HttpRequest.newBuilder(uri("/actuator/once"))).statusCode()).isEqualTo(200);
	}

	private JsonNode asAmelia(String path, int status) throws Exception {
		HttpResponse<String> response = post(path, "amelia", null);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
		return json(response);
	}

	private HttpResponse<String> post(String path, String user, String body) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri(path))
			.header("Content-Type", "application/json")
			.POST((body != null) ? BodyPublishers.ofString(body) : BodyPublishers.noBody());
		if (user != null) {
			request.header("X-User", user);
		}
		return send(request);
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private URI uri(String path) {
		return URI.create("http://localhost:" + this.server.getWebServer().getPort()
				+ path.replace("[", "%5B").replace("]", "%5D"));
	}

	private static JsonNode json(HttpResponse<String> response) {
		return JsonMapper.shared().readTree(response.body());
	}

	@Configuration(proxyBeanMethods = false)
	static class Desk {

		@Bean
		StubDesk desk() {
			return new StubDesk();
		}

		@Bean
		Filter authentication() {
			return (request, response, chain) -> chain.doFilter(new Authenticated((HttpServletRequest) request),
					response);
		}

	}

	/**
	 * A request of whom its header names.
	 */
	private static final class Authenticated extends HttpServletRequestWrapper {

		private Authenticated(HttpServletRequest request) {
			super(request);
		}

		@Override
		public Principal getUserPrincipal() {
			String user = getHeader("X-User");
			return (user != null) ? () -> user : null;
		}

	}

}
