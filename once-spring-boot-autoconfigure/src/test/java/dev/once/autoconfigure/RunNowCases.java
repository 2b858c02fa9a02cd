package dev.once.autoconfigure;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.EffectTarget;
import dev.once.Grain;
import dev.once.JobAlreadyDoneException;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.test.TestDatabase;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Case 9: somebody presses the button twice, while the timer's run is going, or when it
 * is done; or asks for a further run, or for a drill.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RunNowCases {

	private static final int CUSTOMERS = 5;

	private final HttpClient client = HttpClient.newHttpClient();

	private TestDatabase database;

	private ConfigurableApplicationContext context;

	private Digest digest;

	private Watch watch;

	private String due;

	abstract TestDatabase newDatabase();

	@BeforeAll
	void start() {
		this.database = newDatabase();
		this.context = new SpringApplicationBuilder(App.class).run("--server.port=0",
				"--spring.datasource.url=" + this.database.url(),
				"--spring.datasource.username=" + this.database.username(),
				"--spring.datasource.password=" + this.database.password(),
				"--management.endpoints.web.exposure.include=once", "--management.endpoint.once.access=unrestricted",
				"--once.drill.enabled=true", "--spring.main.banner-mode=off");
		this.digest = this.context.getBean(Digest.class);
		this.watch = this.context.getBean(Watch.class);
		this.due = Year.now(ZoneOffset.UTC) + "-01-01T00:00[UTC]";
	}

	@AfterAll
	void close() {
		this.watch.gate.countDown();
		this.context.close();
		this.database.close();
	}

	@BeforeEach
	void nothingHasRun() {
		this.watch.gate = new CountDownLatch(0);
		this.watch.bodies.set(0);
		this.watch.sent.set(0);
		for (String table : List.of("once_occurrence", "once_effect_ledger", "once_decision")) {
			this.database.jdbc().sql("delete from " + table).update();
		}
	}

	@Test
	void twoClicksAreOneRunAndTheSecondIsToldThatItIsRunning() throws Exception {
		this.watch.gate = new CountDownLatch(1);
		assertThat(post("run-now?job=digest")).satisfies(answered(202, "started", this.due));
		assertThat(post("run-now?job=digest")).satisfies(answered(409, "running", this.due));
		this.watch.gate.countDown();
		awaitFinished(this.due);
		assertThat(this.watch.sent).hasValue(CUSTOMERS);
		assertThat(decisions()).containsExactly("run-now " + this.due + " ann null",
				"run-now " + this.due + " ann null");
	}

	@Test
	void aClickDuringTheTimersOwnRunIsToldSo() throws Exception {
		this.watch.gate = new CountDownLatch(1);
		CompletableFuture<Void> timer = CompletableFuture.runAsync(this::fire);
		await().until(() -> this.watch.bodies.get() == 1);
		assertThat(post("run-now?job=digest")).satisfies(answered(409, "running", this.due));
		this.watch.gate.countDown();
		timer.join();
		assertThat(this.watch.sent).hasValue(CUSTOMERS);
	}

	@Test
	void aClickAfterwardsIsToldThatItIsDoneAndWhen() throws Exception {
		fire();
		Instant finished = this.database.jdbc()
			.sql("select finished_at from once_occurrence")
			.query((rows, i) -> rows.getObject(1, OffsetDateTime.class))
			.single()
			.toInstant();
		HttpResponse<String> answer = post("run-now?job=digest");
		assertThat(answer).satisfies(answered(200, "already_done", this.due));
		assertThat(answer.body()).contains("already done at " + finished.toString().substring(0, 19));
		assertThat(this.watch.sent).hasValue(CUSTOMERS);
		assertThat(this.watch.bodies).hasValue(1);
	}

	@Test
	void aFurtherRunNeedsANameAndAReasonAndCarriesTheDueTimeOfWhatItRepeats() throws Exception {
		fire();
		assertThat(post("run-now?job=digest&name=again").statusCode()).isEqualTo(400);
		assertThat(post("run-now?job=digest&name=Again%21&why=lost").statusCode()).isEqualTo(400);
		assertThat(post("run-now?job=digest&name=again&why=the%20printer%20jammed"))
			.satisfies(answered(202, "started", this.due + "/again"));
		awaitFinished(this.due + "/again");
		assertThat(this.watch.sent).hasValue(2 * CUSTOMERS);
		assertThat(this.watch.due).isEqualTo(Instant.parse(this.due.substring(0, 10) + "T00:00:00Z"));
		assertThat(decisions()).containsExactly("run-again " + this.due + "/again ann the printer jammed");
		assertThat(post("run-now?job=digest&name=again&why=once%20more"))
			.satisfies(answered(200, "already_done", this.due + "/again"));
		assertThat(this.watch.sent).hasValue(2 * CUSTOMERS);
	}

	/** P2: what was missed, refused or abandoned is run for a person. */
	@Test
	void whatIsNotFinishedIsRun() throws Exception {
		for (String state : List.of("missed", "refused", "abandoned", "queued")) {
			nothingHasRun();
			this.database.jdbc()
				.sql("insert into once_occurrence (job_key, occurrence, due_at, state, attempt) values (?, ?, ?, ?, 3)")
				.params("digest", this.due, OffsetDateTime.parse(this.due.substring(0, 10) + "T00:00:00Z"), state)
				.update();
			assertThat(post("run-now?job=digest").statusCode()).as(state).isIn(202, 409, 200);
			awaitFinished(this.due);
			assertThat(this.watch.sent).hasValue(CUSTOMERS);
		}
	}

	@Test
	void aJobThatNobodyDeclaresIsNotFoundAndOneWithoutDueTimesIsRefusedWithTheReason() throws Exception {
		assertThat(post("run-now?job=nightly").statusCode()).isEqualTo(404);
		HttpResponse<String> answer = post("run-now?job=export");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("no due times");
		assertThat(decisions()).isEmpty();
	}

	/** No null from unboxing, whoever calls. */
	@Test
	void aCallForAValueThatIsNotThereIsADocumentedException() {
		fire();
		OnceOperations once = this.context.getBean(OnceOperations.class);
		assertThatExceptionOfType(JobAlreadyDoneException.class)
			.isThrownBy(() -> once.at(Instant.parse(this.due.substring(0, 10) + "T00:00:00Z"), this.digest::send));
	}

	@Test
	void aDrillTurnsEveryEffectAway() throws Exception {
		assertThat(post("drill?job=digest").statusCode()).isEqualTo(400);
		fire();
		HttpResponse<String> answer = post("drill?job=digest&why=audit");
		assertThat(answer.statusCode()).isEqualTo(200);
		JsonNode json = JsonMapper.shared().readTree(answer.body());
		assertThat(json.get("effects").asInt()).isEqualTo(CUSTOMERS);
		assertThat(json.get("turnedAway").asInt()).isEqualTo(CUSTOMERS);
		assertThat(answer.body()).contains(CUSTOMERS + " effects, " + CUSTOMERS + " turned away");
		assertThat(this.watch.bodies).hasValue(2);
		assertThat(this.watch.sent).hasValue(CUSTOMERS);
		assertThat(decisions()).containsExactly("drill " + this.due + " ann audit");
	}

	@Test
	void aDrillDoesNotRunBesideALiveRun() throws Exception {
		fire();
		this.watch.gate = new CountDownLatch(1);
		assertThat(post("run-now?job=digest&name=more&why=test").statusCode()).isEqualTo(202);
		HttpResponse<String> answer = post("drill?job=digest");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.body()).contains("is live");
		this.watch.gate.countDown();
		awaitFinished(this.due + "/more");
		assertThat(this.watch.bodies).hasValue(2);
	}

	/** E1: its token is nobody's. */
	@Test
	void whatADrillWouldDoAnewIsNotDone() throws Exception {
		fire();
		this.database.jdbc().sql("delete from once_effect_ledger where target like '%3%'").update();
		HttpResponse<String> answer = post("drill?job=digest");
		JsonNode json = JsonMapper.shared().readTree(answer.body());
		assertThat(json.get("turnedAway").asInt()).isLessThan(json.get("effects").asInt());
		assertThat(this.watch.sent).hasValue(CUSTOMERS);
		assertThat(answer.body()).contains("RunFencedException");
	}

	private void fire() {
		this.context.getBean(OnceOperations.class)
			.at(Instant.parse(this.due.substring(0, 10) + "T00:00:00Z"), this.digest::send);
	}

	private static ThrowingConsumer<HttpResponse<String>> answered(int status, String outcome, String occurrence) {
		return (response) -> {
			JsonNode json = JsonMapper.shared().readTree(response.body());
			assertThat(
					tuple(response.statusCode(), json.path("outcome").asString(), json.path("occurrence").asString()))
				.as(response.body())
				.isEqualTo(tuple(status, outcome, occurrence));
		};
	}

	private HttpResponse<String> post(String operation) throws IOException, InterruptedException {
		int port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		return this.client
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/once/" + operation))
				.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.noBody())
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	private void awaitFinished(String occurrence) {
		await().until(() -> this.database.jdbc()
			.sql("select count(*) from once_occurrence where occurrence = ? and state = 'finished'")
			.param(occurrence)
			.query(Integer.class)
			.single() == 1);
	}

	private List<String> decisions() {
		return this.database.jdbc()
			.sql("select kind || ' ' || occurrence || ' ' || who || ' ' || coalesce(why, 'null') from once_decision "
					+ "order by decided_at")
			.query(String.class)
			.list();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class App {

		@Bean
		Watch watch() {
			return new Watch();
		}

		@Bean
		Letters letters(Watch watch) {
			return new Letters(watch);
		}

		@Bean
		Digest digest(Letters letters, Watch watch) {
			return new Digest(letters, watch);
		}

		@Bean
		Filter ann() {
			return (request, response, chain) -> chain
				.doFilter(new HttpServletRequestWrapper((HttpServletRequest) request) {

					@Override
					public Principal getUserPrincipal() {
						return () -> "ann";
					}

				}, response);
		}

	}

	static class Digest {

		private final Letters letters;

		private final Watch watch;

		Digest(Letters letters, Watch watch) {
			this.letters = letters;
			this.watch = watch;
		}

		@Scheduled(cron = "0 0 0 1 1 *", zone = "UTC")
		@OnceJob(name = "digest", overlap = Overlap.COALESCE)
		public int send() {
			JobRun run = JobRun.current();
			this.watch.due = run.due().at();
			this.watch.bodies.incrementAndGet();
			try {
				this.watch.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			for (int customer = 0; customer < CUSTOMERS; customer++) {
				this.letters.send("customer-" + customer);
			}
			return CUSTOMERS;
		}

		@OnceJob(name = "export", overlap = Overlap.QUEUE, occurrence = "#customer")
		public void export(String customer) {
		}

	}

	static class Letters {

		private final Watch watch;

		Letters(Watch watch) {
			this.watch = watch;
		}

		@OnceEffect(action = "send-letter", grain = Grain.OCCURRENCE, unobservable = Unobservable.ACCEPTED)
		public int send(@EffectTarget String customer) {
			return this.watch.sent.incrementAndGet();
		}

	}

	/** What the test sees; the beans themselves stand behind proxies. */
	static class Watch {

		private final AtomicInteger bodies = new AtomicInteger();

		private final AtomicInteger sent = new AtomicInteger();

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile Instant due;

	}

}
