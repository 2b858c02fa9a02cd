package dev.once.ledger;

import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.RunFencedException;
import dev.once.lease.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * E4, E5: a body that answers later is settled when it does, whoever still waits for it.
 */
class AsynchronousBodyTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	private final CompletableFuture<Outcome<String>> answer = new CompletableFuture<>();

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E4. */
	@Test
	void itIsSettledWhenItsAnswerComesAndItsCallerIsToldAfterwards() {
		AtomicReference<EffectState> told = new AtomicReference<>();
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync(this::send);
		outcome.thenRun(() -> told.set(this.once.row(this.call).state()));
		assertThat(outcome).isNotDone();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.SUBMITTED);
		assertThat(this.once.protocol().inFlight()).isOne();
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.InProgress.class);
		this.answer.complete(Outcome.done("receipt"));
		assertThat(outcome).isCompletedWithValue(new Outcome.Done<>("receipt", false, 1));
		assertThat(told).hasValue(EffectState.DONE);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E4: cancelling it cannot cancel the settle. */
	@Test
	void aCallerThatCancelsItsFutureDoesNotCancelTheSettle() {
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync(this::send);
		outcome.cancel(true);
		assertThat(this.answer).isNotCancelled();
		this.answer.complete(Outcome.done("receipt"));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).answer()).isEqualTo(new Answer("receipt", "text"));
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E4: who listens on the caller's future cannot undo the settle either. */
	@Test
	void aCallersContinuationThatThrowsUndoesNothing() {
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync(this::send);
		outcome.thenRun(() -> {
			throw new IllegalStateException("the caller's own failure");
		});
		this.answer.complete(Outcome.done("receipt"));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(outcome).isCompletedWithValue(new Outcome.Done<>("receipt", false, 1));
	}

	static Stream<Arguments> failures() {
		return Stream.of(arguments(new ConnectException("refused"), EffectState.CLAIMED, Outcome.NotSent.class),
				arguments(new EffectRefusedException("429"), EffectState.CLAIMED, Outcome.Refused.class),
				arguments(new IllegalStateException("unreadable"), EffectState.UNKNOWN, Outcome.Unresolved.class));
	}

	/** E5: the same classes, with or without the future's wrapping. */
	@ParameterizedTest
	@MethodSource("failures")
	void aFailureMeansTheSameAsInASynchronousBody(Throwable failure, EffectState state, Class<?> expected) {
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync(this::send);
		this.answer.completeExceptionally(failure);
		assertThat(outcome.join()).isInstanceOf(expected);
		assertThat(outcome.join()).extracting("cause").isSameAs(failure);
		assertThat(this.once.row(this.call).state()).isEqualTo(state);
		TestCall wrapped = this.once.charge("inv-2");
		assertThat(wrapped.performAsync((effect) -> {
			effect.sending();
			return CompletableFuture.failedFuture(new CompletionException(failure));
		}).join()).isInstanceOf(expected).extracting("cause").isSameAs(failure);
		assertThat(this.once.row(wrapped).state()).isEqualTo(state);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E5: {@code Error} included, and thrown on. */
	@Test
	void anErrorLeavesItUnknownAndCompletesTheFutureWithIt() {
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync(this::send);
		NoClassDefFoundError error = new NoClassDefFoundError("Receipt");
		this.answer.completeExceptionally(error);
		assertThat(outcome).isCompletedExceptionally();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(outcome::join).withCause(error);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E5: a cancelled transport may have sent. */
	@Test
	void aBodyThatCancelsItsOwnFutureIsUnknown() {
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync(this::send);
		this.answer.cancel(true);
		assertThat(outcome.join()).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E5: before it has a future to give. */
	@Test
	void aBodyThatThrowsBeforeItReturnsItsFutureIsSortedAsWell() {
		assertThat(this.call.performAsync((effect) -> {
			throw new EffectNotSentException("no address");
		}).join()).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.call.performAsync((effect) -> null).join()).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E6: nothing is begun for what is done. */
	@Test
	void aDuplicateIsAnsweredAtOnce() {
		this.call.perform(this.farSide::charge);
		assertThat(this.call.performAsync(this::send)).isCompletedWithValue(new Outcome.Done<>("receipt-1", true, 1));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E1. */
	@Test
	void aRunThatWasTakenOverIsTurnedAwayOnTheCallersThread() {
		Run run = this.once.run();
		this.once.takenOver();
		assertThatExceptionOfType(RunFencedException.class)
			.isThrownBy(() -> this.call.inside(run).performAsync(this::send));
		assertThat(this.farSide.requests()).isZero();
	}

	/** The body's thread carries its effect, and only while the body runs on it. */
	@Test
	void theCurrentEffectIsTheBodysOnly() {
		this.call.performAsync((effect) -> {
			assertThat(Effect.current()).isSameAs(effect);
			return this.answer;
		});
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(Effect::current);
	}

	/** E3: the body lives until its answer comes. */
	@Test
	void theWindowOfABodyThatHasNotAnsweredYetIsExtended() {
		AtomicReference<Effect> current = new AtomicReference<>();
		CompletableFuture<Outcome<String>> outcome = this.call.performAsync((effect) -> {
			current.set(effect);
			return this.answer;
		});
		for (int i = 0; i < 10; i++) {
			this.once.time().advance(Duration.ofSeconds(15));
			this.once.protocol().extendDue();
		}
		assertThat(current.get().timeLeft()).isEqualTo(Duration.ofSeconds(30));
		this.answer.complete(Outcome.done("receipt"));
		assertThat(outcome.join().isDone()).isTrue();
		this.once.time().advance(Duration.ofSeconds(15));
		this.once.ledger().forgetMoves();
		this.once.protocol().extendDue();
		assertThat(this.once.ledger().moves()).isEmpty();
	}

	/** E4: an answer that comes after the far side was asked. */
	@Test
	void aLateAnswerThatContradictsIsFlaggedHere() {
		this.call.resolvedBy((effect) -> Resolution.didNotHappen());
		this.call.performAsync(this::send);
		this.once.time().advance(Duration.ofMinutes(2));
		this.once
			.resolveDue(new Resolvable<>(Contracts.PAYMENTS, (effect) -> Resolution.didNotHappen(), TestCall.TEXT));
		this.answer.complete(Outcome.done("receipt"));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.CONTRADICTION);
	}

	private CompletionStage<Outcome<String>> send(Effect effect) {
		this.farSide.accept(effect);
		return this.answer;
	}

}
