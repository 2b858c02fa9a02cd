package dev.once.http;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.once.OnceScope;
import dev.once.http.Clients.Sender;
import dev.once.ledger.FailureClassifier;
import dev.once.ledger.TrialAttempt;
import dev.once.ledger.TrialAttempt.Kind;
import dev.once.ledger.TrialAttempt.Verdict;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * E5: what each client's real failures come to (case 34).
 */
class HttpClientFailuresTests {

	static final List<FailureClassifier> CLASSIFIERS = List.of(new RestClientFailures(), new WebClientFailures(),
			new HttpFailures());

	@ParameterizedTest
	@EnumSource(Clients.class)
	void aRefusedConnectionSentNothing(Clients client) throws IOException {
		try (Unreachable farSide = Unreachable.refusing()) {
			assertThat(verdict(client.sender(), farSide.uri())).isEqualTo(new Verdict(Kind.NOT_SENT, null));
		}
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void anUnknownHostWasSentNothing(Clients client) {
		assertThat(verdict(client.sender(), URI.create("http://far-side.invalid/charges")))
			.isEqualTo(new Verdict(Kind.NOT_SENT, null));
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void aConnectTimeOutSentNothing(Clients client) throws IOException {
		try (Unreachable farSide = Unreachable.silent()) {
			assertThat(verdict(client.sender(Duration.ofMillis(500), Clients.PATIENT), farSide.uri()))
				.isEqualTo(new Verdict(Kind.NOT_SENT, null));
		}
	}

	// Whether a client says "handshake" or "reset" is a matter of who is faster, so that
	// a
	// handshake that fails is either not sent or, at worst, unknown
	@ParameterizedTest
	@EnumSource(Clients.class)
	void aFarSideWithoutTlsIsNeverTakenForAnswering(Clients client) throws IOException {
		try (Unreachable farSide = Unreachable.withoutTls()) {
			assertThat(verdict(client.sender(), farSide.uri()).kind()).isIn(Kind.NOT_SENT, Kind.UNKNOWN);
		}
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void anEndedTlsHandshakeIsNeverTakenForAnswering(Clients client) throws IOException {
		try (Unreachable farSide = Unreachable.endingTls()) {
			assertThat(verdict(client.sender(), farSide.uri()).kind()).isIn(Kind.NOT_SENT, Kind.UNKNOWN);
		}
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void aReadTimeOutIsUnknown(Clients client) throws IOException {
		assertRecordedOnceAnd(client.sender(Clients.PATIENT, Duration.ofSeconds(2)), RawServer.hang(),
				new Verdict(Kind.UNKNOWN, null));
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void aResetConnectionIsUnknown(Clients client) throws IOException {
		try (RawServer farSide = new RawServer(RawServer.reset())) {
			assertThat(verdict(client.sender(), farSide.uri("/charges"))).isEqualTo(new Verdict(Kind.UNKNOWN, null));
		}
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void aDroppedConnectionIsUnknown(Clients client) throws IOException {
		assertRecordedOnceAnd(client.sender(), RawServer.drop(), new Verdict(Kind.UNKNOWN, null));
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void noClientRepeatsWhatIsUnavailable(Clients client) throws IOException {
		assertRecordedOnceAnd(client.sender(), RawServer.status(503, "Retry-After: 0"),
				new Verdict(Kind.UNKNOWN, null));
	}

	@ParameterizedTest
	@EnumSource(Clients.class)
	void noClientRepeatsWhatIsTooMuch(Clients client) throws IOException {
		assertRecordedOnceAnd(client.sender(), RawServer.status(429, "Retry-After: 0"),
				new Verdict(Kind.REFUSED, Duration.ZERO));
	}

	@ParameterizedTest
	@MethodSource
	void aStatusIsWhatTheRuleSays(Clients client, int status, String header, Kind kind, @Nullable Duration wait)
			throws IOException {
		assertRecordedOnceAnd(client.sender(), RawServer.status(status, header), new Verdict(kind, wait));
	}

	static Stream<Arguments> aStatusIsWhatTheRuleSays() {
		String date = "Date: Mon, 30 Nov 2026 10:00:00 GMT";
		return Stream.of(Clients.values())
			.flatMap(
					(client) -> Stream.concat(
							Stream.of(400, 402, 403, 404, 410, 422)
								.map((status) -> Arguments.of(client, status, date, Kind.REFUSED_FOR_GOOD, null)),
							Stream.concat(
									Stream.of(401, 405, 408, 409, 418, 425, 500, 502, 503, 504)
										.map((status) -> Arguments.of(client, status, "Retry-After: 7", Kind.UNKNOWN,
												null)),
									Stream.of(
											Arguments.of(client, 429, "Retry-After: 7", Kind.REFUSED,
													Duration.ofSeconds(7)),
											Arguments.of(client, 429, date, Kind.REFUSED, Duration.ofSeconds(60)),
											Arguments.of(client, 429,
													date + "\r\nRetry-After: Mon, 30 Nov 2026 10:02:03 GMT",
													Kind.REFUSED, Duration.ofSeconds(123))))));
	}

	private static void assertRecordedOnceAnd(Sender client, RawServer.Behaviour behaviour, Verdict verdict)
			throws IOException {
		try (RawServer farSide = new RawServer(behaviour)) {
			assertThat(verdict(client, farSide.uri("/charges"))).isEqualTo(verdict);
			assertThat(farSide.received()).singleElement()
				.satisfies((received) -> assertThat(received.header("Idempotency-Key"))
					.containsExactly("0123456789abcdef0123456789abcdef"));
		}
	}

	private static Verdict verdict(Sender client, URI uri) {
		TrialAttempt attempt = TrialAttempt.atAnyHost();
		Throwable thrown;
		try (OnceScope.Restore scope = attempt.enter()) {
			thrown = catchThrowable(() -> client.post(uri));
		}
		assertThat(thrown).isNotNull();
		return attempt.whenThrown(new IllegalStateException("A body wraps it", thrown), CLASSIFIERS);
	}

}
