package dev.once.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.once.EffectDeadlineException;
import dev.once.OnceScope;
import dev.once.SecondRequestException;
import dev.once.ledger.TrialAttempt;
import dev.once.ledger.TrialAttempt.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

@ExtendWith(OutputCaptureExtension.class)
class OnceRequestInitializerTests {

	private static final String KEY = "0123456789abcdef0123456789abcdef";

	private final OnceRequestInitializer initializer = new OnceRequestInitializer();

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "PATCH", "DELETE" })
	void aWritingRequestCarriesTheKeyAndCounts(String method) throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			FakeEffect effect = new FakeEffect();
			try (OnceScope.Restore scope = effect.enter()) {
				client().method(HttpMethod.valueOf(method))
					.uri(farSide.uri("/charges?secret=s"))
					.retrieve()
					.toBodilessEntity();
			}
			assertThat(farSide.received()).singleElement()
				.satisfies((received) -> assertThat(received.header("Idempotency-Key")).containsExactly("key-17"));
			assertThat(effect.told).containsExactly(method + " " + farSide.uri("/charges"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET", "HEAD", "OPTIONS" })
	void aReadingRequestIsUntouchedAndDoesNotCount(String method) {
		FakeEffect effect = new FakeEffect();
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.valueOf(method),
				URI.create("https://far-side/charges"));
		try (OnceScope.Restore scope = effect.enter()) {
			this.initializer.initialize(request);
		}
		assertThat(request.getHeaders().headerNames()).isEmpty();
		assertThat(effect.told).containsExactly("elsewhere");
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://other-side/", "https://other-side:8443/x", "https://me@other-side/x" })
	void aRequestToAnotherHostIsUntouchedAndDoesNotCount(String uri) {
		FakeEffect effect = new FakeEffect();
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.POST, URI.create(uri));
		try (OnceScope.Restore scope = effect.enter()) {
			this.initializer.initialize(request);
		}
		assertThat(request.getHeaders().headerNames()).isEmpty();
		assertThat(effect.told).containsExactly("elsewhere");
	}

	@Test
	void aHostWithAnUnderscoreIsKnown() {
		TrialAttempt attempt = TrialAttempt.at("far_side");
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.POST,
				URI.create("http://far_side:8080/charges"));
		try (OnceScope.Restore scope = attempt.enter()) {
			this.initializer.initialize(request);
		}
		assertThat(attempt.open()).isOne();
	}

	@Test
	void outsideAnEffectARequestIsUntouched() {
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.POST, URI.create("https://far-side/"));
		this.initializer.initialize(request);
		assertThat(request.getHeaders().headerNames()).isEmpty();
		assertThat(request.getAttributes()).isEmpty();
	}

	@Test
	void theFencingTokenTravelsWhenAsked() {
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.POST, URI.create("https://far-side/"));
		try (OnceScope.Restore scope = new FakeEffect().enter()) {
			new OnceRequestInitializer(new EffectHeaders("X-Key", EffectHeaders.FENCING_TOKEN)).initialize(request);
		}
		assertThat(request.getHeaders().getFirst("X-Key")).isEqualTo("key-17");
		assertThat(request.getHeaders().getFirst("Once-Fencing-Token")).isEqualTo("42");
		assertThat(request.getHeaders().headerNames()).hasSize(2);
	}

	@Test
	void anOwnKeyStaysAndIsWarnedOfOnce(CapturedOutput output) throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			try (OnceScope.Restore scope = new FakeEffect().enter()) {
				RestClient client = client();
				for (int i = 0; i < 2; i++) {
					client.post()
						.uri(farSide.uri("/charges"))
						.header("Idempotency-Key", "mine")
						.retrieve()
						.toBodilessEntity();
				}
			}
			assertThat(farSide.received()).hasSize(2)
				.allSatisfy((received) -> assertThat(received.header("Idempotency-Key")).containsExactly("mine"));
		}
		assertThat(output.getOut().split("'charge' sets the header 'Idempotency-Key' itself", -1)).hasSize(2);
	}

	@Test
	void theEffectsOwnKeySetByHandIsNoReasonToWarn(CapturedOutput output) {
		MockClientHttpRequest request = new MockClientHttpRequest(HttpMethod.POST, URI.create("https://far-side/"));
		request.getHeaders().set("Idempotency-Key", "key-17");
		try (OnceScope.Restore scope = new FakeEffect().enter()) {
			this.initializer.initialize(request);
		}
		assertThat(output.getOut()).doesNotContain("sets the header");
	}

	@Test
	void attachedTwiceItCountsOnce() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			RestClient.Builder builder = RestClient.builder().requestInitializer(this.initializer);
			this.initializer.attachTo(builder);
			new OnceRequestInitializer().attachTo(builder);
			FakeEffect effect = new FakeEffect();
			try (OnceScope.Restore scope = effect.enter()) {
				builder.build().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity();
			}
			assertThat(effect.told).hasSize(1);
			assertThat(farSide.received().get(0).header("Idempotency-Key")).containsExactly("key-17");
		}
	}

	@Test
	void pastTheDeadlineNothingLeaves() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			attempt.windowEnds();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(
						() -> client().post().uri(farSide.uri("/charges")).body("{}").retrieve().toBodilessEntity());
			}
			assertThat(thrown).isInstanceOf(EffectDeadlineException.class);
			assertThat(attempt.missedDeadline()).isTrue();
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
			assertThat(farSide.received()).isEmpty();
		}
	}

	@Test
	void aSecondWritingRequestIsRefused() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			try (OnceScope.Restore scope = attempt.enter()) {
				RestClient client = client();
				client.post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity();
				assertThatExceptionOfType(SecondRequestException.class)
					.isThrownBy(() -> client.post().uri(farSide.uri("/mails")).retrieve().toBodilessEntity())
					.withMessageContaining("/mails");
			}
			assertThat(farSide.received()).hasSize(1);
		}
	}

	@Test
	void aLostAnswerFollowedByARefusedConnectionIsUnknown() throws IOException {
		try (RawServer farSide = new RawServer((server, socket) -> {
			server.stopListening();
			socket.close();
		})) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable first;
			Throwable second;
			try (OnceScope.Restore scope = attempt.enter()) {
				RestClient client = client();
				first = catchThrowable(() -> client.post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity());
				second = catchThrowable(() -> client.post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity());
			}
			assertThat(first).hasMessageContaining("no bytes");
			assertThat(second).hasRootCauseInstanceOf(IOException.class);
			assertThat(attempt.whenThrown(second, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void aRefusedLookUpAfterAnAnsweredRequestProvesNothing() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200)); Unreachable away = Unreachable.refusing()) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				client().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity();
				thrown = catchThrowable(() -> client().get().uri(away.uri()).retrieve().toBodilessEntity());
			}
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void aLookUpThatFindsNothingAfterAnAnsweredRequestProvesNothing() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200));
				RawServer other = new RawServer(RawServer.status(404))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				client().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity();
				thrown = catchThrowable(() -> client().get().uri(other.uri("/receipt")).retrieve().toBodilessEntity());
			}
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void aClientOutsideOfOnceThatIsRefusedAfterAnAnsweredRequestProvesNothing() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200)); Unreachable away = Unreachable.refusing()) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				client().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity();
				thrown = catchThrowable(() -> RestClient.create().post().uri(away.uri()).retrieve().toBodilessEntity());
			}
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void somethingElseThatIsRefusedAfterAnAnsweredRequestProvesNothing() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			try (OnceScope.Restore scope = attempt.enter()) {
				client().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity();
			}
			Throwable thrown = new IllegalStateException("No cache", new ConnectException("Connection refused"));
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void aRefusedLookUpBeforeAnyRequestSentNothing() throws IOException {
		try (Unreachable away = Unreachable.refusing()) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> client().get().uri(away.uri()).retrieve().toBodilessEntity());
			}
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void aTemplatesRequestCarriesTheKey() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			RestTemplate template = new RestTemplate();
			this.initializer.attachTo(template);
			FakeEffect effect = new FakeEffect();
			try (OnceScope.Restore scope = effect.enter()) {
				template.postForLocation(farSide.uri("/charges"), "{}");
			}
			assertThat(farSide.received().get(0).header("Idempotency-Key")).containsExactly("key-17");
			assertThat(effect.told).hasSize(1);
		}
	}

	@Test
	void aLargeUploadIsNotBuffered() throws IOException {
		long size = 256L * 1024 * 1024;
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			Zeros body = new Zeros(size);
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			RestClient.Builder builder = RestClient.builder().requestFactory(new JdkClientHttpRequestFactory());
			this.initializer.attachTo(builder);
			RestClient client = builder.build();
			try (OnceScope.Restore scope = attempt.enter()) {
				client.post()
					.uri(farSide.uri("/uploads"))
					.body(new InputStreamResource(body))
					.retrieve()
					.toBodilessEntity();
			}
			assertThat(farSide.received()).singleElement().satisfies((received) -> {
				assertThat(received.length()).isEqualTo(size);
				assertThat(received.header("Idempotency-Key")).containsExactly(KEY);
			});
			assertThat(body.mostHeap.get()).as("bytes of heap taken while the body was read").isLessThan(size / 4);
		}
	}

	private RestClient client() {
		RestClient.Builder builder = RestClient.builder().requestFactory(new JdkClientHttpRequestFactory());
		this.initializer.attachTo(builder);
		return builder.build();
	}

	/**
	 * A body that watches the heap while it is read.
	 */
	private static final class Zeros extends InputStream {

		private static final List<Integer> PROBES = List.of(4, 2, 1);

		private final long size;

		private long left;

		private final long heapBefore = heap();

		private final AtomicLong mostHeap = new AtomicLong();

		private Zeros(long size) {
			this.size = size;
			this.left = size;
		}

		@Override
		public int read() {
			return (this.left-- > 0) ? 0 : -1;
		}

		@Override
		public int read(byte[] target, int offset, int length) {
			if (this.left <= 0) {
				return -1;
			}
			long before = this.left;
			int read = (int) Math.min(length, this.left);
			this.left -= read;
			for (int part : PROBES) {
				long mark = this.size - this.size / part + 1;
				if (before > mark && this.left <= mark) {
					this.mostHeap.accumulateAndGet(heap() - this.heapBefore, Math::max);
				}
			}
			return read;
		}

		private static long heap() {
			System.gc();
			Runtime runtime = Runtime.getRuntime();
			return runtime.totalMemory() - runtime.freeMemory();
		}

	}

}
