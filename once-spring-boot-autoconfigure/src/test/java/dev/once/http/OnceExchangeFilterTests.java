package dev.once.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.EffectDeadlineException;
import dev.once.OnceScope;
import dev.once.SecondRequestException;
import dev.once.ledger.TrialAttempt;
import dev.once.ledger.TrialAttempt.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;
import reactor.util.retry.Retry;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import org.springframework.web.reactive.function.client.WebClientResponseException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

@ExtendWith(OutputCaptureExtension.class)
class OnceExchangeFilterTests {

	private static final URI FAR_SIDE = URI.create("https://far-side/charges");

	@ParameterizedTest
	@ValueSource(strings = { "POST", "PUT", "PATCH", "DELETE" })
	void aWritingRequestCarriesTheKeyAndCounts(String method) throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			FakeEffect effect = new FakeEffect();
			try (OnceScope.Restore scope = effect.enter()) {
				builder().build()
					.method(HttpMethod.valueOf(method))
					.uri(farSide.uri("/charges?secret=s"))
					.retrieve()
					.toBodilessEntity()
					.block();
			}
			assertThat(farSide.received()).singleElement()
				.satisfies((received) -> assertThat(received.header("Idempotency-Key")).containsExactly("key-17"));
			assertThat(effect.told).containsExactly(method + " " + farSide.uri("/charges"));
		}
	}

	@Test
	void aReadingRequestIsUntouchedAndDoesNotCount() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			FakeEffect effect = new FakeEffect();
			try (OnceScope.Restore scope = effect.enter()) {
				builder().build().get().uri(farSide.uri("/charges")).retrieve().toBodilessEntity().block();
			}
			assertThat(farSide.received().get(0).header("Idempotency-Key")).isEmpty();
			assertThat(effect.told).containsExactly("elsewhere");
		}
	}

	@Test
	void outsideAnEffectARequestIsUntouched() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			builder().build().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity().block();
			assertThat(farSide.received().get(0).header("Idempotency-Key")).isEmpty();
		}
	}

	@Test
	void anOwnKeyStaysAndIsWarnedOfOnce(CapturedOutput output) throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			WebClient client = builder().build();
			try (OnceScope.Restore scope = new FakeEffect().enter()) {
				for (int i = 0; i < 2; i++) {
					client.post()
						.uri(farSide.uri("/charges"))
						.header("Idempotency-Key", "mine")
						.retrieve()
						.toBodilessEntity()
						.block();
				}
			}
			assertThat(farSide.received()).hasSize(2)
				.allSatisfy((received) -> assertThat(received.header("Idempotency-Key")).containsExactly("mine"));
		}
		assertThat(output.getOut().split("'charge' sets the header 'Idempotency-Key' itself", -1)).hasSize(2);
	}

	@Test
	void theFencingTokenTravelsWhenAsked() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			WebClient.Builder builder = WebClient.builder().clientConnector(new JdkClientHttpConnector());
			new OnceExchangeFilter(new EffectHeaders("X-Key", EffectHeaders.FENCING_TOKEN)).attachTo(builder);
			try (OnceScope.Restore scope = new FakeEffect().enter()) {
				builder.build().post().uri(farSide.uri("/charges")).retrieve().toBodilessEntity().block();
			}
			assertThat(farSide.received().get(0).header("X-Key")).containsExactly("key-17");
			assertThat(farSide.received().get(0).header("Once-Fencing-Token")).containsExactly("42");
		}
	}

	@Test
	void aRepetitionOnAnotherThreadCarriesTheKeyAndCounts() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(503))) {
			FakeEffect effect = new FakeEffect();
			Throwable thrown;
			try (OnceScope.Restore scope = effect.enter()) {
				Mono<?> request = builder().build()
					.post()
					.uri(farSide.uri("/charges"))
					.retrieve()
					.toBodilessEntity()
					.retryWhen(Retry.fixedDelay(2, Duration.ofMillis(1)))
					.subscribeOn(Schedulers.boundedElastic());
				thrown = catchThrowable(request::block);
			}
			assertThat(thrown).hasMessageContaining("Retries exhausted");
			assertThat(farSide.received()).hasSize(3)
				.allSatisfy((received) -> assertThat(received.header("Idempotency-Key")).containsExactly("key-17"));
			assertThat(effect.told).hasSize(3);
		}
	}

	@Test
	void aFilterThatRepeatsIsSeenEachTime() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(503))) {
			FakeEffect effect = new FakeEffect();
			try (OnceScope.Restore scope = effect.enter()) {
				Throwable thrown = catchThrowable(() -> builder()
					.filter((request, next) -> next.exchange(request)
						.flatMap(ClientResponse::<ClientResponse>createError)
						.retry(1))
					.build()
					.post()
					.uri(farSide.uri("/charges"))
					.retrieve()
					.toBodilessEntity()
					.block());
				assertThat(thrown).isInstanceOf(WebClientResponseException.class);
			}
			assertThat(farSide.received()).hasSize(2);
			assertThat(effect.told).hasSize(2);
		}
	}

	@Test
	void aLostAnswerFollowedByARefusedConnectionIsUnknown() throws IOException {
		try (RawServer farSide = new RawServer((server, socket) -> {
			server.stopListening();
			socket.close();
		})) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> builder().build()
					.post()
					.uri(farSide.uri("/charges"))
					.retrieve()
					.toBodilessEntity()
					.retry(1)
					.block());
			}
			assertThat(thrown).isInstanceOf(WebClientRequestException.class).hasRootCauseInstanceOf(IOException.class);
			assertThat(attempt.open()).isOne();
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.UNKNOWN);
		}
	}

	@Test
	void refusedTriesDoNotStandInTheWayOfAnother() throws IOException {
		try (Unreachable farSide = Unreachable.refusing()) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> builder().build()
					.post()
					.uri(farSide.uri())
					.retrieve()
					.toBodilessEntity()
					.retry(2)
					.block());
			}
			assertThat(attempt.open()).isZero();
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void tooManyRequestsTwiceAreARefusal() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(429))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> builder().build()
					.post()
					.uri(farSide.uri("/charges"))
					.retrieve()
					.toBodilessEntity()
					.retry(1)
					.block());
			}
			assertThat(farSide.received()).hasSize(2);
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.REFUSED);
		}
	}

	@Test
	void pastTheDeadlineNothingLeaves() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			attempt.windowEnds();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> builder().build()
					.post()
					.uri(farSide.uri("/charges"))
					.retrieve()
					.toBodilessEntity()
					.block());
			}
			assertThat(thrown).isInstanceOf(EffectDeadlineException.class);
			assertThat(farSide.received()).isEmpty();
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void aRequestThatWaitedPastTheDeadlineDoesNotLeave() throws IOException {
		try (RawServer farSide = new RawServer(RawServer.status(200))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> WebClient.builder().clientConnector((method, uri, callback) -> {
					attempt.windowEnds();
					return new JdkClientHttpConnector().connect(method, uri, callback);
				})
					.apply(new OnceExchangeFilter()::attachTo)
					.build()
					.post()
					.uri(farSide.uri("/charges"))
					.retrieve()
					.toBodilessEntity()
					.block());
			}
			assertThat(thrown).isInstanceOf(EffectDeadlineException.class);
			assertThat(farSide.received()).isEmpty();
			assertThat(attempt.missedDeadline()).isTrue();
			assertThat(attempt.whenThrown(thrown, HttpClientFailuresTests.CLASSIFIERS).kind()).isEqualTo(Kind.NOT_SENT);
		}
	}

	@Test
	void aSecondWritingRequestIsRefused() {
		TrialAttempt attempt = TrialAttempt.atAnyHost();
		WebClient client = builder()
			.exchangeFunction((request) -> Mono.just(ClientResponse.create(HttpStatus.OK).build()))
			.build();
		try (OnceScope.Restore scope = attempt.enter()) {
			client.post().uri(FAR_SIDE).retrieve().toBodilessEntity().block();
			assertThatExceptionOfType(SecondRequestException.class)
				.isThrownBy(() -> client.delete().uri(FAR_SIDE).retrieve().toBodilessEntity().block());
		}
	}

	@Test
	void attachedTwiceItCountsOnce() {
		FakeEffect effect = new FakeEffect();
		WebClient.Builder builder = builder();
		new OnceExchangeFilter().attachTo(builder);
		builder.filter(new OnceExchangeFilter());
		AtomicInteger exchanged = new AtomicInteger();
		WebClient client = builder.exchangeFunction((request) -> {
			exchanged.incrementAndGet();
			assertThat(request.headers().get("Idempotency-Key")).isEqualTo(List.of("key-17"));
			return Mono.just(ClientResponse.create(HttpStatus.OK).build());
		}).build();
		try (OnceScope.Restore scope = effect.enter()) {
			client.post().uri(FAR_SIDE).retrieve().toBodilessEntity().block();
		}
		assertThat(exchanged).hasValue(1);
		assertThat(effect.told).hasSize(1);
	}

	@Test
	void aRedirectionToARefusedConnectionIsUnknown() throws IOException {
		try (Unreachable away = Unreachable.refusing();
				RawServer farSide = new RawServer(RawServer.status(307, "Location: " + away.uri()))) {
			TrialAttempt attempt = TrialAttempt.atAnyHost();
			WebClient.Builder builder = WebClient.builder()
				.clientConnector(new ReactorClientHttpConnector(HttpClient.newConnection().followRedirect(true)));
			new OnceExchangeFilter().attachTo(builder);
			Throwable thrown;
			try (OnceScope.Restore scope = attempt.enter()) {
				thrown = catchThrowable(() -> builder.build()
					.post()
					.uri(farSide.uri("/charges"))
					.bodyValue("{}")
					.retrieve()
					.toBodilessEntity()
					.block());
			}
			assertThat(thrown).hasCauseInstanceOf(ConnectException.class);
			assertThat(farSide.received()).hasSize(1);
			assertThat(attempt.open()).isOne();
		}
	}

	private static WebClient.Builder builder() {
		WebClient.Builder builder = WebClient.builder().clientConnector(new JdkClientHttpConnector());
		new OnceExchangeFilter().attachTo(builder);
		return builder;
	}

}
