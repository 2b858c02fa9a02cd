package dev.once.sample.farside;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * The far side over real HTTP.
 */
class FarSideServerTests {

	private final JsonMapper json = JsonMapper.shared();

	private final HttpClient client = HttpClient.newHttpClient();

	@TempDir
	private Path directory;

	private FarSideRecord record;

	private FarSideServer server;

	@BeforeEach
	void start() throws IOException {
		this.record = new FarSideRecord(file(), this.json);
		this.server = new FarSideServer(0, this.record, new Behaviour(Deduplication.OFF, Duration.ZERO));
	}

	@AfterEach
	void stop() throws IOException {
		this.server.close();
		this.record.close();
	}

	@Test
	void aPaymentIsRecordedAsItCameAndAnswered() throws Exception {
		HttpResponse<String> answer = send(
				payment("inv-1", "10.00").header("Idempotency-Key", "k-1").header("Once-Fencing-Token", "7"));
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).isEqualTo("{\"number\":\"payments-1\",\"target\":\"inv-1\",\"amount\":\"10.00\"}");
		RecordedRequest recorded = onDisk().get(0);
		assertThat(recorded).usingRecursiveComparison()
			.ignoringFields("at", "visibleAt", "digest")
			.isEqualTo(new RecordedRequest(1, recorded.at(), FarSideAction.PAYMENTS, Verdict.APPLIED, "inv-1", "k-1",
					"7", null, "10.00", Mode.ANSWER, null, null, null));
		assertThat(recorded.digest()).hasSize(64);
	}

	@Test
	void mailsAndFiguresHaveTargetsOfTheirOwn() throws Exception {
		send(request("/mails").POST(body("{\"reference\":\"inv-1\",\"to\":\"a@example.org\"}")));
		send(request("/figures/2026-08-01").PUT(body("{\"amount\":99.90}")));
		assertThat(onDisk()).extracting(RecordedRequest::action, RecordedRequest::target, RecordedRequest::amount)
			.containsExactly(tuple(FarSideAction.MAILS, "inv-1", null),
					tuple(FarSideAction.FIGURES, "2026-08-01", "99.90"));
	}

	@Test
	void aRequestThatNamesNothingIsNotAccepted() throws Exception {
		assertThat(send(request("/payments").POST(body("{}"))).statusCode()).isEqualTo(400);
		assertThat(send(request("/payments").POST(body("no json"))).statusCode()).isEqualTo(400);
		assertThat(send(request("/figures/2026-08-01").POST(body("{}"))).statusCode()).isEqualTo(405);
		assertThat(send(request("/nothing").POST(body("{}"))).statusCode()).isEqualTo(404);
		assertThat(onDisk()).isEmpty();
	}

	@Test
	void delayRecordsOnlyAfterTheWait() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"delay\",\"millis\":800}");
		CompletableFuture<HttpResponse<String>> answer = sendAsync(payment("inv-1", "10.00"));
		assertThatExceptionOfType(HttpTimeoutException.class)
			.isThrownBy(() -> send(payment("inv-2", "10.00").timeout(Duration.ofMillis(200))));
		assertThat(onDisk()).isEmpty();
		assertThat(answer.get().statusCode()).isEqualTo(200);
		await().untilAsserted(() -> assertThat(onDisk()).extracting(RecordedRequest::target)
			.containsExactlyInAnyOrder("inv-1", "inv-2"));
	}

	@Test
	void answerLateRecordsAtOnce() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"answer-late\",\"millis\":1000}");
		CompletableFuture<HttpResponse<String>> answer = sendAsync(payment("inv-1", "10.00"));
		await().untilAsserted(() -> assertThat(onDisk()).hasSize(1));
		assertThat(answer).isNotDone();
		assertThat(answer.get().statusCode()).isEqualTo(200);
	}

	@Test
	void recordThenHangGivesNoAnswerAndIsFoundLater() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"record-then-hang\",\"next\":1}");
		assertThatExceptionOfType(HttpTimeoutException.class).isThrownBy(
				() -> send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1").timeout(Duration.ofMillis(300))));
		assertThat(onDisk()).extracting(RecordedRequest::verdict).containsExactly(Verdict.APPLIED);
		assertThat(find("k-1")).contains("payments-1");
		assertThat(send(payment("inv-2", "10.00")).statusCode()).isEqualTo(200);
	}

	@Test
	void recordThenDropClosesTheConnectionWithoutAByte() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"record-then-drop\",\"next\":1}");
		try (Socket socket = rawPayment("inv-1")) {
			assertThat(socket.getInputStream().readAllBytes()).isEmpty();
		}
		assertThat(onDisk()).extracting(RecordedRequest::target, RecordedRequest::mode)
			.containsExactly(tuple("inv-1", Mode.RECORD_THEN_DROP));
	}

	@Test
	void recordThenDropAlsoEndsAConnectionThatWasKept() throws Exception {
		send(payment("inv-1", "10.00"));
		control("{\"action\":\"payments\",\"mode\":\"record-then-drop\",\"target\":\"inv-2\"}");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> send(payment("inv-2", "10.00")));
		assertThat(onDisk()).extracting(RecordedRequest::target).containsExactly("inv-1", "inv-2");
		assertThat(send(payment("inv-3", "10.00")).statusCode()).isEqualTo(200);
	}

	@Test
	void refuseAnswersTheNextRequestsWithTheStatusAndDoesNothing() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"refuse\",\"status\":429,\"retryAfter\":3,\"next\":2}");
		HttpResponse<String> first = send(payment("inv-1", "10.00"));
		assertThat(first.statusCode()).isEqualTo(429);
		assertThat(first.headers().firstValue("Retry-After")).contains("3");
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(429);
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(200);
		assertThat(onDisk()).extracting(RecordedRequest::verdict, RecordedRequest::status)
			.containsExactly(tuple(Verdict.REFUSED, 429), tuple(Verdict.REFUSED, 429), tuple(Verdict.APPLIED, null));
	}

	@Test
	void recordThenRefuseActsAndAnswersWithAnError() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"record-then-refuse\",\"status\":500,\"next\":1}");
		assertThat(send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1")).statusCode()).isEqualTo(500);
		assertThat(onDisk()).extracting(RecordedRequest::verdict).containsExactly(Verdict.APPLIED);
		assertThat(find("k-1")).contains("payments-1");
	}

	@Test
	void aModeForOneTargetOrActionLeavesTheOthersAlone() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"refuse\",\"status\":400,\"target\":\"inv-2\"}");
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(200);
		assertThat(send(payment("inv-2", "10.00")).statusCode()).isEqualTo(400);
		assertThat(send(request("/mails").POST(body("{\"reference\":\"inv-2\"}"))).statusCode()).isEqualTo(200);
		send(request("/control").DELETE());
		assertThat(send(payment("inv-2", "10.00")).statusCode()).isEqualTo(200);
	}

	@Test
	void aRuleForSomeRequestsGoesBeforeOneThatStands() throws Exception {
		control("{\"mode\":\"refuse\",\"status\":400}");
		control("{\"mode\":\"refuse\",\"status\":429,\"next\":1}");
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(429);
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(400);
		control("{\"mode\":\"answer\"}");
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(200);
	}

	@Test
	void controlSaysWhatItDoesNotUnderstand() throws Exception {
		assertThat(send(request("/control").POST(body("{\"mode\":\"explode\"}"))).statusCode()).isEqualTo(400);
		assertThat(send(request("/control").POST(body("{\"mode\":\"refuse\",\"sattus\":400}"))).statusCode())
			.isEqualTo(400);
		HttpResponse<String> empty = send(request("/control").POST(body("{}")));
		assertThat(empty.statusCode()).isEqualTo(400);
		assertThat(empty.body()).contains("Nothing to change");
		assertThat(send(payment("inv-1", "10.00")).statusCode()).isEqualTo(200);
	}

	@Test
	void withoutDeduplicationAKnownKeyIsAppliedAgain() throws Exception {
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		assertThat(summary()).isEqualTo(new Summary(2, 2, 0, 0, 0, 1, 1, 1));
	}

	@Test
	void withDeduplicationAKnownKeyGetsTheFirstAnswerAgain() throws Exception {
		control("{\"action\":\"payments\",\"deduplicate\":\"on\"}");
		HttpResponse<String> first = send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		HttpResponse<String> second = send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		assertThat(second.body()).isEqualTo(first.body());
		assertThat(onDisk()).extracting(RecordedRequest::verdict, RecordedRequest::repeats)
			.containsExactly(tuple(Verdict.APPLIED, null), tuple(Verdict.REPEATED, 1L));
		assertThat(summary()).isEqualTo(new Summary(2, 1, 1, 0, 0, 1, 1, 0));
	}

	@Test
	void ofRequestsAtOnceWithOneKeyOneIsApplied() throws Exception {
		control("{\"deduplicate\":\"on\"}");
		List<CompletableFuture<HttpResponse<String>>> answers = IntStream.range(0, 32)
			.mapToObj((i) -> sendAsync(payment("inv-1", "10.00").header("Idempotency-Key", "k-1")))
			.toList();
		assertThat(answers).extracting((answer) -> answer.get().body()).containsOnly(answers.get(0).get().body());
		assertThat(summary()).isEqualTo(new Summary(32, 1, 31, 0, 0, 1, 1, 0));
		assertThat(onDisk()).extracting(RecordedRequest::sequence)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 32).mapToObj(Long::valueOf).toList());
	}

	@Test
	void aSecondEffectForOneTargetIsADuplicateWhateverItsKey() throws Exception {
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-2"));
		assertThat(summary()).isEqualTo(new Summary(2, 2, 0, 0, 0, 2, 1, 1));
	}

	@Test
	void lookUpsFindByKeyOrTargetAndAreRecorded() throws Exception {
		send(payment("inv 1&2", "10.00").header("Idempotency-Key", "k-1"));
		assertThat(find("k-1")).isEqualTo("[{\"number\":\"payments-1\",\"target\":\"inv 1&2\",\"amount\":\"10.00\"}]");
		assertThat(find("k-2")).isEqualTo("[]");
		assertThat(send(request("/payments?target=inv%201%262").GET()).body()).contains("payments-1");
		assertThat(send(request("/payments").GET()).statusCode()).isEqualTo(400);
		assertThat(summary()).isEqualTo(new Summary(1, 1, 0, 0, 3, 1, 1, 0));
	}

	@Test
	void lookUpsHaveModesOfTheirOwn() throws Exception {
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		control("{\"action\":\"payments\",\"side\":\"lookups\",\"mode\":\"refuse\",\"status\":503,\"next\":1}");
		assertThat(send(payment("inv-2", "10.00")).statusCode()).isEqualTo(200);
		assertThat(send(request("/payments?key=k-1").GET()).statusCode()).isEqualTo(503);
		assertThat(find("k-1")).contains("payments-1");
	}

	@Test
	void listLateHidesAnEffectForAWhile() throws Exception {
		control("{\"action\":\"payments\",\"listLate\":1200}");
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		assertThat(find("k-1")).isEqualTo("[]");
		await().untilAsserted(() -> assertThat(find("k-1")).contains("payments-1"));
		RecordedRequest recorded = onDisk().get(0);
		assertThat(Duration.between(recorded.at(), recorded.visibleAt())).isEqualTo(Duration.ofMillis(1200));
	}

	@Test
	void aRestartKeepsRecordKeysAndLookUps() throws Exception {
		control("{\"deduplicate\":\"on\"}");
		HttpResponse<String> first = send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		stop();
		start();
		control("{\"deduplicate\":\"on\"}");
		assertThat(find("k-1")).contains("payments-1");
		assertThat(send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1")).body()).isEqualTo(first.body());
		assertThat(summary()).isEqualTo(new Summary(2, 1, 1, 0, 1, 1, 1, 0));
	}

	@Test
	void aTornLastLineIsDroppedAtTheNextStart() throws Exception {
		send(payment("inv-1", "10.00").header("Idempotency-Key", "k-1"));
		stop();
		Files.writeString(file(), "{\"sequence\":2,\"at\":\"2026-", StandardOpenOption.APPEND);
		start();
		send(payment("inv-2", "10.00").header("Idempotency-Key", "k-2"));
		assertThat(onDisk()).extracting(RecordedRequest::sequence, RecordedRequest::target)
			.containsExactly(tuple(1L, "inv-1"), tuple(2L, "inv-2"));
	}

	@Test
	void aClientThatVanishesDisturbsNobody() throws Exception {
		control("{\"action\":\"payments\",\"mode\":\"answer-late\",\"millis\":300,\"target\":\"inv-1\"}");
		rawPayment("inv-1").close();
		try (Socket half = new Socket(url().getHost(), url().getPort())) {
			half.getOutputStream()
				.write("POST /payments HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{".getBytes());
		}
		assertThat(send(payment("inv-2", "10.00")).statusCode()).isEqualTo(200);
		await().untilAsserted(
				() -> assertThat(onDisk()).extracting(RecordedRequest::target).containsOnlyOnce("inv-1", "inv-2"));
		assertThat(onDisk()).hasSize(2);
	}

	@Test
	void stoppingReleasesWhatHangs() throws Exception {
		control("{\"mode\":\"record-then-hang\"}");
		CompletableFuture<HttpResponse<String>> answer = sendAsync(payment("inv-1", "10.00"));
		await().untilAsserted(() -> assertThat(onDisk()).hasSize(1));
		this.server.close();
		await().untilAsserted(() -> assertThat(answer).isCompletedExceptionally());
	}

	private Path file() {
		return this.directory.resolve("far-side.jsonl");
	}

	private List<RecordedRequest> onDisk() throws IOException {
		return Files.readAllLines(file())
			.stream()
			.map((line) -> this.json.readValue(line, RecordedRequest.class))
			.toList();
	}

	private Summary summary() throws Exception {
		String body = send(request("/record/summary").GET()).body();
		Map<String, Summary> summaries = this.json.readValue(body,
				this.json.getTypeFactory().constructMapType(Map.class, String.class, Summary.class));
		return Objects.requireNonNull(summaries.get("payments"));
	}

	private URI url() {
		return this.server.url();
	}

	private String find(String key) throws Exception {
		return send(request("/payments?key=" + key).GET()).body();
	}

	private void control(String change) throws Exception {
		assertThat(send(request("/control").POST(body(change))).statusCode()).isEqualTo(200);
	}

	private HttpRequest.Builder payment(String invoice, String amount) {
		return request("/payments")
			.POST(body("{\"invoice\":\"%s\",\"customer\":\"c-1\",\"amount\":%s}".formatted(invoice, amount)));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(url().resolve(path)).version(HttpClient.Version.HTTP_1_1);
	}

	private static HttpRequest.BodyPublisher body(String json) {
		return HttpRequest.BodyPublishers.ofString(json);
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	private Socket rawPayment(String invoice) throws IOException {
		Socket socket = new Socket(url().getHost(), url().getPort());
		socket.setSoTimeout(5000);
		String body = "{\"invoice\":\"" + invoice + "\",\"amount\":1}";
		OutputStream out = socket.getOutputStream();
		out.write(("POST /payments HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
			.getBytes(StandardCharsets.US_ASCII));
		out.flush();
		return socket;
	}

}
