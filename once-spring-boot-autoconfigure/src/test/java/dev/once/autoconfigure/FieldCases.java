package dev.once.autoconfigure;

import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.AnswerUnreadableException;
import dev.once.EffectInput;
import dev.once.EffectRefusedException;
import dev.once.EffectTarget;
import dev.once.EffectUnresolvedException;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.Outcome;
import dev.once.Unobservable;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Field cases against the whole starter, a real database and a real far side.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class FieldCases {

	private static final String SECRET = "s3cr3t-CANARY-42";

	private final TestDatabase database = database();

	private final List<Received> received = new CopyOnWriteArrayList<>();

	private final AtomicReference<Integer> status = new AtomicReference<>(200);

	private HttpServer farSide;

	abstract TestDatabase database();

	@BeforeAll
	void listen() throws IOException {
		this.database.dataSource();
		this.farSide = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		this.farSide.setExecutor(Executors.newCachedThreadPool());
		this.farSide.createContext("/", (exchange) -> {
			String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			this.received.add(new Received(exchange.getRequestHeaders().getFirst("Idempotency-Key"), body));
			int answer = this.status.get();
			if (answer == 0) {
				exchange.close();
				return;
			}
			byte[] echo = ("echo " + body).getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(answer, echo.length);
			exchange.getResponseBody().write(echo);
			exchange.close();
		});
		this.farSide.start();
	}

	@AfterAll
	void close() {
		this.farSide.stop(0);
		this.database.close();
	}

	@BeforeEach
	void forget() {
		this.received.clear();
		this.status.set(200);
	}

	/**
	 * Case 11: the same amount in another spelling, the same instant at another offset.
	 */
	@Test
	void theSameAmountInAnotherSpellingIsTheSameEffect() {
		run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.charge("order-11", new BigDecimal("10.0"));
			orders.charge("order-11", new BigDecimal("10.00"));
			orders.charge("order-11", new BigDecimal("1E+1"));
			assertThat(this.received).hasSize(1);
			orders.charge("order-11", new BigDecimal("10.01"));
			assertThat(this.received).hasSize(2);
			orders.remind("order-11", OffsetDateTime.parse("2026-01-01T01:00+01:00"));
			orders.remind("order-11", OffsetDateTime.parse("2026-01-01T00:00Z"));
			assertThat(this.received).hasSize(3);
		});
	}

	/**
	 * Case 15: names and values that are too long for a column, or for an index, never
	 * look like "already done".
	 */
	@Test
	void longTargetsAndInputsStayDistinctAndAreStored() {
		run((context) -> {
			Orders orders = context.getBean(Orders.class);
			String target = "€".repeat(2000);
			orders.charge(target + "a", BigDecimal.ONE);
			orders.charge(target + "b", BigDecimal.ONE);
			orders.charge(target + "b", BigDecimal.ONE);
			assertThat(this.received).hasSize(2);
			String large = "x".repeat(5 * 1024 * 1024);
			orders.note("order-15", large + "1");
			orders.note("order-15", large + "2");
			orders.note("order-15", large + "2");
			assertThat(this.received).hasSize(4);
			assertThat(this.database.jdbc()
				.sql("select max(char_length(inputs)) from once_effect_ledger")
				.query(Long.class)
				.optional()
				.orElse(0L)).isLessThanOrEqualTo(1024 * 1024);
			orders.charge("order-15", new BigDecimal("1E+1000000000"));
			assertThat(this.received).hasSize(5);
			orders.charge("nul\u0000 and \ud800", BigDecimal.ONE);
			assertThat(this.received).hasSize(6);
		});
	}

	/**
	 * Case 18: a secret argument is found in no table and no line, and still tells apart.
	 */
	@Test
	void aSecretIsStoredAndLoggedNowhere(CapturedOutput output) {
		run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.reset("a@example.org", SECRET);
			orders.reset("a@example.org", SECRET + "2");
			orders.reset("a@example.org", SECRET);
			assertThat(this.received).hasSize(2);
			this.status.set(400);
			assertThat(orders.reset("b@example.org", SECRET)).isInstanceOf(Outcome.Refused.class);
			this.status.set(0);
			assertThat(orders.reset("c@example.org", SECRET)).isInstanceOf(Outcome.Unresolved.class);
			String rows = this.database.jdbc().sql("select * from once_effect_ledger").query().listOfRows().toString();
			assertThat(rows).contains("a@example.org").doesNotContain(SECRET);
			assertThat(output.getAll()).doesNotContain(SECRET);
		});
	}

	/**
	 * Case 34: what a failure means, from a refused connection to an error after the
	 * answer.
	 */
	@Test
	void aFailureMeansWhatItProves() {
		run((context) -> {
			Orders orders = context.getBean(Orders.class);
			orders.turnTo(URI.create("http://127.0.0.1:1/"));
			assertThat(orders.outcome("order-34-refused")).isInstanceOf(Outcome.NotSent.class);
			orders.turnTo(this.uri());
			assertThat(orders.outcome("order-34-refused")).isInstanceOf(Outcome.Done.class);
			this.status.set(400);
			assertThat(orders.outcome("order-34-400")).isInstanceOfSatisfying(Outcome.Refused.class,
					(refused) -> assertThat(refused.awaitsPerson()).isTrue());
			this.status.set(429);
			assertThat(orders.outcome("order-34-429")).isInstanceOfSatisfying(Outcome.Refused.class,
					(refused) -> assertThat(refused.awaitsPerson()).isFalse());
			for (int lost : List.of(500, 503, 409, 0)) {
				this.status.set(lost);
				this.received.clear();
				assertThat(orders.outcome("order-34-" + lost)).isInstanceOf(Outcome.Unresolved.class);
				this.status.set(200);
				assertThat(orders.outcome("order-34-" + lost)).isInstanceOf(Outcome.Unresolved.class);
				assertThat(this.received).hasSize(1);
			}
			assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> orders.failing("order-34-error"));
			assertThatExceptionOfType(EffectUnresolvedException.class)
				.isThrownBy(() -> orders.failing("order-34-error"));
			this.status.set(400);
			assertThatExceptionOfType(HttpClientErrorException.class).isThrownBy(() -> orders.plain("order-34-plain"));
			assertThatExceptionOfType(EffectRefusedException.class).isThrownBy(() -> orders.plain("order-34-plain"));
			await().untilAsserted(() -> assertThat(this.database.jdbc()
				.sql("select count(*) from once_effect_ledger where state = 'unknown' and attention = 'undetermined' "
						+ "and target like 'order-34%'")
				.query(Integer.class)
				.single()).isEqualTo(5));
		});
	}

	/** Case 35: the key stays the same on every later attempt, also after a restart. */
	@Test
	void theKeyIsTheSameAfterARestart() {
		run((context) -> {
			this.status.set(429);
			assertThat(context.getBean(Orders.class).outcome("order-35")).isInstanceOf(Outcome.Refused.class);
		});
		run((context) -> {
			this.status.set(200);
			await().untilAsserted(() -> assertThat(context.getBean(Orders.class).outcome("order-35"))
				.isInstanceOf(Outcome.Done.class));
			assertThat(this.received).hasSize(2);
			assertThat(this.received.stream().map(Received::key).distinct()).hasSize(1).doesNotContainNull();
		});
	}

	/** Case 11 too: a repeat in another process gets the answer that was recorded. */
	@Test
	void aRepeatAfterARestartGetsTheRecordedAnswer() {
		run((context) -> assertThat(context.getBean(Orders.class).receipt("order-r"))
			.isEqualTo(new Receipt("r-1", new BigDecimal("12.50"), Map.of("lines", 2))));
		run((context) -> assertThat(context.getBean(Orders.class).receipt("order-r"))
			.isEqualTo(new Receipt("r-1", new BigDecimal("12.50"), Map.of("lines", 2))));
		assertThat(this.received).hasSize(1);
	}

	/** E11: an answer over the limit is not kept, and says so on a repeat. */
	@Test
	void anAnswerThatIsTooLargeIsNotCut() {
		run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.large("order-l")).hasSize(2 * 1024 * 1024);
			assertThatExceptionOfType(AnswerUnreadableException.class).isThrownBy(() -> orders.large("order-l"));
			assertThat(this.received).hasSize(1);
		});
	}

	private URI uri() {
		return URI.create("http://127.0.0.1:" + this.farSide.getAddress().getPort() + "/orders");
	}

	private void run(Consumer<ConfigurableApplicationContext> application) {
		HikariDataSource dataSource = this.database.newDataSource(4);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class,
					HttpClientAutoConfiguration.class, ImperativeHttpClientAutoConfiguration.class,
					RestClientAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
					OnceHttpAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", HikariDataSource.class, () -> dataSource)
			.withUserConfiguration(OrdersConfiguration.class)
			.withPropertyValues("far-side=" + uri(), "once.key.secret=0123456789abcdef0123456789abcdef",
					"once.caretaker.interval=200ms", "logging.level.dev.once=debug")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				application.accept(context);
			});
	}

	record Received(String key, String body) {

	}

	record Receipt(String number, BigDecimal amount, Map<String, Integer> counts) {

	}

	@Configuration(proxyBeanMethods = false)
	static class OrdersConfiguration {

		@Bean
		Orders orders(RestClient.Builder builder, Environment environment) {
			return new Orders(builder.build(), URI.create(environment.getRequiredProperty("far-side")));
		}

	}

	@FarSide(name = "shop", window = "5s", settleAfter = "5s", backoff = "10ms")
	static class Orders {

		private final RestClient client;

		private URI farSide;

		Orders(RestClient client, URI farSide) {
			this.client = client;
			this.farSide = farSide;
		}

		@OnceEffect(action = "charge", unobservable = Unobservable.ACCEPTED)
		void charge(@EffectTarget String order, @EffectInput BigDecimal amount) {
			post("charge");
		}

		@OnceEffect(action = "remind", unobservable = Unobservable.ACCEPTED)
		void remind(@EffectTarget String order, @EffectInput OffsetDateTime at) {
			post("remind");
		}

		@OnceEffect(action = "note", unobservable = Unobservable.ACCEPTED)
		void note(@EffectTarget String order, @EffectInput String text) {
			post("note");
		}

		@OnceEffect(action = "reset", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> reset(@EffectTarget String email, @EffectInput(secret = true) String token) {
			post("reset " + token);
			return Outcome.done(null);
		}

		@OnceEffect(action = "order", unobservable = Unobservable.ACCEPTED)
		Outcome<String> outcome(@EffectTarget String order) {
			return Outcome.done(post(order));
		}

		@OnceEffect(action = "plain", unobservable = Unobservable.ACCEPTED)
		String plain(@EffectTarget String order) {
			return post(order);
		}

		@OnceEffect(action = "failing", unobservable = Unobservable.ACCEPTED)
		String failing(@EffectTarget String order) {
			post(order);
			throw new StackOverflowError("after the answer");
		}

		@OnceEffect(action = "receipt", unobservable = Unobservable.ACCEPTED)
		Receipt receipt(@EffectTarget String order) {
			post(order);
			return new Receipt("r-1", new BigDecimal("12.50"), Map.of("lines", 2));
		}

		@OnceEffect(action = "large", unobservable = Unobservable.ACCEPTED)
		String large(@EffectTarget String order) {
			post(order);
			return "x".repeat(2 * 1024 * 1024);
		}

		void turnTo(URI farSide) {
			this.farSide = farSide;
		}

		private String post(String body) {
			return String.valueOf(this.client.post()
				.uri(this.farSide)
				.contentType(MediaType.TEXT_PLAIN)
				.body(body)
				.retrieve()
				.body(String.class));
		}

	}

}
