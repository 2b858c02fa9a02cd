package dev.once.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.SQLException;

import dev.once.Effect;
import dev.once.OnceScope;
import dev.once.ledger.TrialAttempt;
import dev.once.ledger.TrialAttempt.Kind;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpPut;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Clients that Once is not attached to (case 35): the body sets the key itself.
 */
class PlainClientsTests {

	private static final int PATIENT = 60_000;

	private static final String KEY = "0123456789abcdef0123456789abcdef";

	@Test
	void theUrlConnectionSendsTwiceUnderOneKey() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.drop())) {
			assertThat(kind(() -> overUrlConnection(farSide.uri("/charges"), PATIENT))).isEqualTo(Kind.UNKNOWN);
			assertThat(farSide.received()).hasSize(2);
			assertThat(farSide.received().stream().map((received) -> received.header("Idempotency-Key")).distinct())
				.singleElement()
				.asString()
				.contains(KEY);
		}
	}

	@Test
	void theUrlConnectionsSecondTryProvesNothingAboutItsFirst() throws IOException {
		try (RawServer farSide = new RawServer((server, socket) -> {
			server.stopListening();
			socket.close();
		})) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown = thrown(attempt, () -> overUrlConnection(farSide.uri("/charges"), PATIENT));
			assertThat(thrown).isInstanceOf(ConnectException.class);
			assertThat(farSide.received()).hasSize(1);
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void theUrlConnectionThatIsRefusedSentNothing() throws IOException {
		try (Unreachable farSide = Unreachable.refusing()) {
			assertThat(kind(() -> overUrlConnection(farSide.uri(), PATIENT))).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void theUrlConnectionThatTimesOutOnConnectingSentNothing() throws IOException {
		try (Unreachable farSide = Unreachable.silent()) {
			assertThat(kind(() -> overUrlConnection(farSide.uri(), 500))).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void theJdkClientSendsOnce() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.drop())) {
			assertThat(kind(() -> overJdkClient(farSide.uri("/charges")))).isEqualTo(Kind.UNKNOWN);
			assertThat(farSide.received()).singleElement()
				.satisfies((received) -> assertThat(received.header("Idempotency-Key")).containsExactly(KEY));
		}
	}

	@Test
	void theJdkClientThatIsRefusedSentNothing() throws IOException {
		try (Unreachable farSide = Unreachable.refusing()) {
			assertThat(kind(() -> overJdkClient(farSide.uri()))).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void aRequestThatFailsByNameIsNotExcusedByAFailureWithoutOne() {
		Throwable thrown = new ConnectException("Connection refused");
		TrialAttempt attempt = TrialAttempt.atAnyHost();
		Effect.Sending sending = attempt.effect().sending("POST https://far-side/charges");
		assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
		sending.failsByName();
		assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		sending.didNothing();
		assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
	}

	@Test
	void aRequestCountedByHandIsExcusedByTheFailureOfAnyClient() throws IOException {
		try (Unreachable farSide = Unreachable.refusing()) {
			assertThat(kind(() -> {
				Effect.current().sending();
				RestClient.create().post().uri(farSide.uri()).retrieve().toBodilessEntity();
			})).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void aDatabaseThatRefusesConnectionsProvesNothing() {
		Throwable thrown = new CannotGetJdbcConnectionException("No connection",
				new SQLException("refused", new ConnectException("Connection refused")));
		assertThat(TrialAttempt.atAnyHost().whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind())
			.isEqualTo(Kind.UNKNOWN);
	}

	@Test
	void leftAloneApacheSendsTwice() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(503, "Retry-After: 0"));
				CloseableHttpClient client = HttpClients.createDefault()) {
			send(client, new HttpPost(farSide.uri("/charges")));
			assertThat(farSide.received()).hasSize(2);
		}
		try (RawServer farSide = new RawServer(RawServer.drop());
				CloseableHttpClient client = HttpClients.createDefault()) {
			catchThrowable(() -> send(client, new HttpPut(farSide.uri("/charges"))));
			assertThat(farSide.received()).hasSize(2);
		}
	}

	@Test
	void withOncesStrategyApacheSendsAnEffectsRequestOnce() throws IOException {
		OnceRetryStrategy strategy = new OnceRetryStrategy();
		TrialAttempt attempt = TrialAttempt.at("127.0.0.1");
		try (OnceScope.Restore scope = attempt.enter()) {
			try (RawServer farSide = new RawServer(RawServer.status(503, "Retry-After: 0"));
					CloseableHttpClient client = HttpClients.custom().setRetryStrategy(strategy).build()) {
				send(client, new HttpPost(farSide.uri("/charges")));
				assertThat(farSide.received()).hasSize(1);
			}
			try (RawServer farSide = new RawServer(RawServer.drop());
					CloseableHttpClient client = HttpClients.custom().setRetryStrategy(strategy).build()) {
				catchThrowable(() -> send(client, new HttpPut(farSide.uri("/charges"))));
				assertThat(farSide.received()).hasSize(1);
			}
		}
	}

	@Test
	void withOncesStrategyApacheRepeatsOtherRequestsAsBefore() throws IOException {
		OnceRetryStrategy strategy = new OnceRetryStrategy();
		try (RawServer farSide = new RawServer(RawServer.status(503, "Retry-After: 0"));
				CloseableHttpClient client = HttpClients.custom().setRetryStrategy(strategy).build()) {
			send(client, new HttpPost(farSide.uri("/charges")));
			assertThat(farSide.received()).hasSize(2);
			try (OnceScope.Restore scope = TrialAttempt.at("far-side").enter()) {
				send(client, new HttpPost(farSide.uri("/charges")));
			}
			assertThat(farSide.received()).hasSize(4);
		}
	}

	private static void send(CloseableHttpClient client, HttpUriRequestBase request) throws IOException {
		request.setEntity(new StringEntity("{}"));
		client.execute(request, (response) -> null);
	}

	private static void overUrlConnection(URI uri, int connectTimeout) throws IOException {
		HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
		connection.setConnectTimeout(connectTimeout);
		connection.setReadTimeout(PATIENT);
		connection.setRequestMethod("POST");
		connection.setDoOutput(true);
		connection.setRequestProperty("Idempotency-Key", Effect.current().idempotencyKey());
		Effect.current().sending();
		connection.getOutputStream().write('x');
		connection.getResponseCode();
	}

	private static void overJdkClient(URI uri) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(uri)
			.header("Idempotency-Key", Effect.current().idempotencyKey())
			.POST(HttpRequest.BodyPublishers.ofString("x"))
			.build();
		Effect.current().sending();
		HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
	}

	private static Kind kind(ThrowingCallable body) {
		TrialAttempt attempt = TrialAttempt.atAnyHost();
		return attempt.whenThrown(thrown(attempt, body), HttpClientFailuresTests.CLASSIFIERS).kind();
	}

	private static Throwable thrown(TrialAttempt attempt, ThrowingCallable body) {
		try (OnceScope.Restore scope = attempt.enter()) {
			Throwable thrown = catchThrowable(body);
			assertThat(thrown).isNotNull();
			return thrown;
		}
	}

}
