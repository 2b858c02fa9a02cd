package dev.once.ledger;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.EffectUnresolvedException;
import dev.once.Outcome;
import dev.once.SecondRequestException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E5, case 34: what a failure means for the effect.
 */
class FailureClassTests {

	private static final String CANARY = "s3cr3t-CANARY-42";

	private ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	static Stream<Throwable> neverSent() {
		return Stream.of(new ConnectException("Connection refused"), new UnknownHostException("payments.example"),
				new NoRouteToHostException("No route to host"), new HttpConnectTimeoutException("connect timed out"),
				new SSLHandshakeException("certificate expired"),
				new IllegalStateException("could not charge", new IOException(new ConnectException("refused"))));
	}

	/** E5: released, a repeat may try, F = 0 and then 1. */
	@ParameterizedTest
	@MethodSource("neverSent")
	void aFailureBeforeTheRequestLeftReleasesTheEffect(Throwable failure) {
		Outcome<String> outcome = this.call.perform(this.farSide.unreachable(failure));
		assertThat(outcome).isEqualTo(new Outcome.NotSent<>("charge/inv-1", failure));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(this.call).refusals()).isZero();
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.call.endings()).containsExactly(Ending.NOT_SENT, Ending.PERFORMED);
	}

	/** E5: a validation. */
	@Test
	void aBodyThatGaveUpBeforeAnyRequestReleasesTheEffect() {
		EffectNotSentException failure = new EffectNotSentException("no address");
		assertThat(this.call.perform(FarSideDouble.throwing(failure)))
			.isEqualTo(new Outcome.NotSent<>("charge/inv-1", failure));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	static Stream<Throwable> nobodyKnows() {
		return Stream.of(new SocketTimeoutException("Read timed out"), new SocketException("Connection reset"),
				new EOFException("Unexpected end of file"), new HttpTimeoutException("request timed out"),
				new SSLException("closed in the middle"), new IOException("500"), new IllegalStateException("503"),
				new IllegalArgumentException("unreadable receipt"), new CancellationException(),
				new SecondRequestException("a second one"), new Exception("checked"));
	}

	/**
	 * E5: the default is unknown, F = 1, a repeat is refused with an exception of its
	 * own.
	 */
	@ParameterizedTest
	@MethodSource("nobodyKnows")
	void anyOtherFailureLeavesTheEffectUnknownAndIsNotSentAgain(Throwable failure) {
		Outcome<String> outcome = this.call.perform(this.farSide.acceptsThen(failure));
		assertThat(outcome).isEqualTo(new Outcome.Unresolved<>("charge/inv-1", null, failure, true));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.rows().standing().open()).containsEntry(EffectState.UNKNOWN, 1L);
		assertThatExceptionOfType(EffectUnresolvedException.class)
			.isThrownBy(() -> this.call.perform(this.farSide::charge).orElseThrow());
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.call.endings()).containsExactly(Ending.UNKNOWN, Ending.UNKNOWN);
	}

	/**
	 * E5: the default holds where nothing was counted: Once cannot see every transport.
	 */
	@Test
	void anUnclassifiedFailureIsUnknownEvenWhenNoRequestWasCounted() {
		this.call.perform(FarSideDouble.throwing(new IllegalStateException("who knows")));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	static Stream<Error> errors() {
		return Stream.of(new NoClassDefFoundError("Receipt"), new StackOverflowError(), new OutOfMemoryError(),
				new AssertionError("not meant to happen"));
	}

	/** E5: {@code Throwable}, not only {@code Exception}; an error is thrown on. */
	@ParameterizedTest
	@MethodSource("errors")
	void anErrorLeavesTheEffectUnknownAndIsThrownOn(Error error) {
		assertThatExceptionOfType(Error.class).isThrownBy(() -> this.call.perform(this.farSide.acceptsThen(error)))
			.isSameAs(error);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.call.endings()).containsExactly(Ending.UNKNOWN);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E5: what the far side's contract lists. */
	@Test
	void theContractsOwnListsDecideFirst() {
		FarSideContract contract = Contracts.listing(Set.of(IllegalStateException.class),
				Set.of(SocketTimeoutException.class));
		TestCall first = this.once.charge("inv-1").under(contract);
		first.perform(this.farSide.unreachable(new SocketTimeoutException("Read timed out")));
		assertThat(this.once.row(first).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(first).refusals()).isZero();
		TestCall second = this.once.charge("inv-2").under(contract);
		second.perform(this.farSide.unreachable(new RuntimeException(new IllegalStateException("503"))));
		assertThat(this.once.row(second).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(second).refusals()).isOne();
	}

	/** E5: what the technologies in use know. */
	@Test
	void aClassifierKnowsItsOwnFailuresWhereverTheyStandInTheChain() {
		use((failure) -> (failure instanceof UnsupportedOperationException)
				? new Failure.Refused(Duration.ofMinutes(3), Failure.Next.ANOTHER_ATTEMPT) : null);
		Outcome<String> outcome = this.call
			.perform(this.farSide.unreachable(new RuntimeException(new UnsupportedOperationException("429"))));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Refused.class,
				(refused) -> assertThat(refused.retryAfter()).isEqualTo(Duration.ofMinutes(3)));
	}

	/** E5: sorting a failure must not lose the attempt. */
	@Test
	void aFailureThatCannotBeSortedIsUnknown() {
		use((failure) -> {
			throw new IllegalArgumentException("Retry-After: soon");
		});
		ConnectException failure = new ConnectException("refused");
		assertThat(this.call.perform(this.farSide.unreachable(failure)))
			.isEqualTo(new Outcome.Unresolved<>("charge/inv-1", null, failure, true));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E5: nor must a chain without an end. */
	@Test
	void aFailureThatIsItsOwnCauseIsUnknown() {
		Exception first = new Exception("first");
		Exception second = new Exception("second", first);
		first.initCause(second);
		this.call.perform(this.farSide.acceptsThen(second));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** Case 18: a far side echoes what it was sent. */
	@Test
	void theStoredDetailNamesTypesAndNoMessage() {
		Exception failure = new IllegalStateException(CANARY, new IOException("400: token=" + CANARY));
		this.call.perform(this.farSide.acceptsThen(failure));
		assertThat(this.once.row(this.call).detail())
			.isEqualTo("java.lang.IllegalStateException <- java.io.IOException");
		this.once.charge("inv-2").perform(this.farSide.unreachable(new EffectRefusedException(CANARY)));
		this.once.charge("inv-3").perform(FarSideDouble.throwing(new EffectNotSentException(CANARY)));
		assertThat(this.once.ledger().moves().toString()).doesNotContain(CANARY);
	}

	/** E11: cut before the row is settled. */
	@Test
	void theStoredDetailOfALongChainIsCut() {
		Throwable failure = new IllegalStateException("last");
		for (int i = 0; i < 500; i++) {
			failure = new IllegalStateException(failure);
		}
		this.call.perform(this.farSide.acceptsThen(failure));
		assertThat(this.once.row(this.call).detail()).hasSizeLessThanOrEqualTo(1000)
			.startsWith("java.lang.IllegalStateException <- java.lang.IllegalStateException");
	}

	/** What a body may return instead of an answer. */
	@Test
	void aBodyMayReturnThatNothingWasSent() {
		EffectNotSentException cause = new EffectNotSentException("no address");
		Outcome<String> outcome = this.call.perform((effect) -> new Outcome.NotSent<>(effect.label(), cause));
		assertThat(outcome).isEqualTo(new Outcome.NotSent<>("charge/inv-1", cause));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** What a body may return instead of an answer. */
	@Test
	void aBodyMayReturnThatTheFarSideRefused() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			effect.sending();
			return new Outcome.Refused<>(effect.label(), Duration.ofMinutes(5), null, false);
		});
		assertThat(outcome).isEqualTo(new Outcome.Refused<>("charge/inv-1", Duration.ofMinutes(5), null, false));
		assertThat(this.once.row(this.call).nextAttemptAt())
			.isEqualTo(this.once.clock().now().plus(Duration.ofMinutes(5)));
	}

	/** E5: returned after a request whose fate is open, it proves nothing. */
	@Test
	void aBodyThatReturnsNotSentAfterARequestLeftIsUnknown() {
		this.call.perform((effect) -> {
			this.farSide.accept(effect);
			return new Outcome.NotSent<>(effect.label(), null);
		});
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: no answer is no answer. */
	@Test
	void aBodyThatReturnsNoAnswerIsUnknown() {
		assertThat(this.call.perform((effect) -> null)).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		TestCall other = this.once.charge("inv-2");
		assertThat(other.perform((effect) -> new Outcome.InProgress<>(effect.label(), null)))
			.isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(other).state()).isEqualTo(EffectState.UNKNOWN);
	}

	private void use(FailureClassifier classifier) {
		this.once.close();
		this.once = new ProtocolUnderTest(SecondRequest.FAIL, List.of(classifier), Duration.ofSeconds(10));
		this.call = this.once.charge("inv-1");
	}

}
