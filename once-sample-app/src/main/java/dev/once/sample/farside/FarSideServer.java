package dev.once.sample.farside;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The far side on the wire. A request counts once its body has come in whole; what
 * happens then depends on the {@link Mode} it meets. Look-ups answer with a list, empty
 * for "not found", because a 404 could come from anything on the way.
 */
final class FarSideServer implements Closeable {

	static {
		// Answers over a kept connection would wait 40 ms for the client's ACK.
		System.setProperty("sun.net.httpserver.nodelay", "true");
	}

	private static final Logger logger = LoggerFactory.getLogger(FarSideServer.class);

	private final FarSideRecord record;

	private final Behaviour behaviour;

	// Amounts are recorded as they were spelled: 10.00 is not 10.0 here.
	private final JsonMapper json = JsonMapper.builder()
		.enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
		.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
		.disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
		.build();

	private final HttpServer server;

	// One thread for each request, however many hang.
	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final CountDownLatch stopping = new CountDownLatch(1);

	/**
	 * Starts to listen on the loopback address.
	 * @param port the port, 0 for a free one
	 */
	FarSideServer(int port, FarSideRecord record, Behaviour behaviour) throws IOException {
		this.record = record;
		this.behaviour = behaviour;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
		this.server.setExecutor(this.threads);
		this.server.createContext("/", this::serve);
		this.server.start();
	}

	URI url() {
		return URI.create("http://localhost:" + this.server.getAddress().getPort());
	}

	@Override
	public void close() {
		this.stopping.countDown();
		this.server.stop(0);
		this.threads.shutdown();
	}

	// Closing an exchange that has no answer closes its connection: that is the drop.
	private void serve(HttpExchange exchange) {
		try (exchange) {
			byte[] body = exchange.getRequestBody().readAllBytes();
			Reply reply = handle(exchange, body);
			if (reply instanceof Reply.Answer answer) {
				send(exchange, answer);
			}
		}
		catch (IOException ex) {
			logger.debug("A client went away: {}", ex.toString());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (RuntimeException ex) {
			logger.error("The far side failed on {} {}", exchange.getRequestMethod(), exchange.getRequestURI(), ex);
		}
	}

	private void send(HttpExchange exchange, Reply.Answer answer) throws IOException {
		byte[] bytes = this.json.writeValueAsBytes(answer.body());
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		if (answer.retryAfter() != null) {
			exchange.getResponseHeaders().set("Retry-After", answer.retryAfter().toString());
		}
		exchange.sendResponseHeaders(answer.status(), bytes.length);
		exchange.getResponseBody().write(bytes);
	}

	private Reply handle(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
		String path = exchange.getRequestURI().getPath().substring(1);
		String method = exchange.getRequestMethod();
		switch (path) {
			case "control":
				return control(method, body);
			case "record":
				return ok(this.record.all());
			case "record/summary":
				return ok(this.record.summary());
			default:
				int slash = path.indexOf('/');
				Optional<FarSideAction> action = FarSideAction.named((slash < 0) ? path : path.substring(0, slash));
				String rest = (slash < 0) ? null : path.substring(slash + 1);
				if (action.isEmpty()) {
					return error(404, "No such path: /" + path);
				}
				if (method.equals("GET") && rest == null) {
					return lookUp(action.get(), exchange.getRequestURI());
				}
				if (method.equals(action.get().method())) {
					return effect(exchange, action.get(), rest, body);
				}
				return error(405, "Ask with " + action.get().method() + ", look up with GET");
		}
	}

	private Reply control(String method, byte[] body) {
		try {
			if (method.equals("POST")) {
				this.behaviour.change(this.json.readValue(body, ControlRequest.class));
			}
			if (method.equals("DELETE")) {
				this.behaviour.reset();
			}
			return ok(this.behaviour.current());
		}
		catch (JacksonException ex) {
			return error(400, ex.getOriginalMessage());
		}
	}

	private Reply lookUp(FarSideAction action, URI uri) throws IOException, InterruptedException {
		MultiValueMap<String, String> query = UriComponentsBuilder.fromUri(uri).build().getQueryParams();
		String key = decoded(query.getFirst("key"));
		String target = decoded(query.getFirst("target"));
		if (key == null && target == null) {
			return error(400, "Look up by 'key' or 'target'");
		}
		Arrival arrival = new Arrival(action, target, key, null, null, null);
		Rule rule = this.behaviour.treat(action, Rule.Side.LOOKUPS, target).rule();
		if (rule.mode() == Mode.DELAY && pause(rule.pause()) == Pause.CUT_SHORT) {
			return new Reply.Silence();
		}
		if (rule.mode() == Mode.REFUSE) {
			return refused(rule);
		}
		List<RecordedRequest.Receipt> found = this.record.lookUp(arrival, rule)
			.stream()
			.map(RecordedRequest::receipt)
			.toList();
		return replyTo(rule, found);
	}

	private Reply effect(HttpExchange exchange, FarSideAction action, @Nullable String pathTarget, byte[] body)
			throws IOException, InterruptedException {
		Arrival arrival;
		try {
			arrival = arrival(exchange, action, pathTarget, body);
		}
		catch (JacksonException ex) {
			return error(400, "The body is not JSON: " + ex.getOriginalMessage());
		}
		if (arrival.target() == null || arrival.target().isEmpty()) {
			return error(400, "The request names no '" + action.targetField() + "'");
		}
		Treatment treatment = this.behaviour.treat(action, Rule.Side.WRITES, arrival.target());
		Rule rule = treatment.rule();
		if (rule.mode() == Mode.DELAY && pause(rule.pause()) == Pause.CUT_SHORT) {
			return new Reply.Silence();
		}
		if (rule.mode() == Mode.REFUSE) {
			this.record.refuse(arrival, rule);
			return refused(rule);
		}
		RecordedRequest recorded = this.record.accept(arrival, treatment);
		return replyTo(rule, this.record.answerOf(recorded).receipt());
	}

	private Arrival arrival(HttpExchange exchange, FarSideAction action, @Nullable String pathTarget, byte[] body) {
		JsonNode fields = this.json.readTree(body);
		String target = (pathTarget != null) ? pathTarget : text(fields, action.targetField());
		return new Arrival(action, target, exchange.getRequestHeaders().getFirst("Idempotency-Key"),
				exchange.getRequestHeaders().getFirst("Once-Fencing-Token"), digest(body), text(fields, "amount"));
	}

	/**
	 * What follows once the request is recorded.
	 */
	private Reply replyTo(Rule rule, Object body) throws InterruptedException {
		return switch (rule.mode()) {
			case ANSWER, DELAY, REFUSE -> ok(body);
			case ANSWER_LATE -> (pause(rule.pause()) == Pause.DONE) ? ok(body) : new Reply.Silence();
			case RECORD_THEN_REFUSE -> refused(rule);
			case RECORD_THEN_DROP -> new Reply.Silence();
			case RECORD_THEN_HANG -> {
				pause(rule.pause());
				yield new Reply.Silence();
			}
		};
	}

	private Pause pause(Duration duration) throws InterruptedException {
		return this.stopping.await(duration.toMillis(), TimeUnit.MILLISECONDS) ? Pause.CUT_SHORT : Pause.DONE;
	}

	private static Reply ok(Object body) {
		return new Reply.Answer(200, body, null);
	}

	private static Reply refused(Rule rule) {
		return new Reply.Answer(Objects.requireNonNull(rule.status()), new Problem("refused as told by /control"),
				rule.retryAfter());
	}

	private static Reply error(int status, String message) {
		return new Reply.Answer(status, new Problem(message), null);
	}

	private static @Nullable String text(JsonNode fields, String name) {
		JsonNode field = fields.path(name);
		return field.isValueNode() && !field.isNull() ? field.asString() : null;
	}

	private static @Nullable String decoded(@Nullable String parameter) {
		return (parameter != null) ? URLDecoder.decode(parameter, StandardCharsets.UTF_8) : null;
	}

	private static String digest(byte[] body) {
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private sealed interface Reply {

		record Answer(int status, Object body, @Nullable Integer retryAfter) implements Reply {
		}

		record Silence() implements Reply {
		}

	}

	private record Problem(String message) {
	}

	private enum Pause {

		DONE, CUT_SHORT

	}

}
