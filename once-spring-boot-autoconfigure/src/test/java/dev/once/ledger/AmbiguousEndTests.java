package dev.once.ledger;

import java.net.ConnectException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.EffectRefusedException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.ledger.UnreliableLedger.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E2, E4: an answer is written until it is stored, and a move that was committed without
 * anybody being told so is not taken for one that was not.
 */
@ExtendWith(OutputCaptureExtension.class)
class AmbiguousEndTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		Thread.interrupted();
		this.once.close();
	}

	/** E4: zero rows, but done under my attempt, is success. */
	@Test
	void anAnswerThatWasCommittedAllTheSameIsWrittenAgainAndIsDoneOnce() {
		this.once.ledger().fail(Move.Settle.class, Fault.COMMITTED);
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.once.ledger().moves(Move.Settle.class)).hasSize(2);
		assertThat(this.once.row(this.call).outcome()).isEqualTo(EffectOutcome.PERFORMED);
		assertThat(this.once.row(this.call).attention()).isNull();
		assertThat(this.once.events().contradictions()).isEmpty();
		assertThat(this.call.endings()).containsExactly(Ending.PERFORMED);
	}

	/** E4: a full pool must not lose an answer. */
	@Test
	void anAnswerIsWrittenUntilItIsStoredHoweverLongThatTakes() {
		this.once.ledger().fail(Move.Settle.class, Collections.nCopies(40, Fault.NOT_COMMITTED).toArray(Fault[]::new));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.once.row(this.call).answer()).isEqualTo(new Answer("receipt-1", "text"));
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.time().pauses()).hasSize(40)
			.startsWith(Duration.ofMillis(50), Duration.ofMillis(100))
			.endsWith(Duration.ofSeconds(2));
	}

	/** E4: and a database that is away is told of once. */
	@Test
	void anAnswerThatIsWrittenForLongIsToldOfOnce(CapturedOutput output) {
		this.once.ledger().fail(Move.Settle.class, Collections.nCopies(40, Fault.UNREACHED).toArray(Fault[]::new));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(output.getAll().lines().filter((line) -> line.contains("WARN"))).singleElement()
			.asString()
			.contains("could not be stored and is written again until it is");
		assertThat(output).contains("is stored, by write 41");
	}

	/** E4: from unknown too. */
	@Test
	void anAnswerThatIsStoredAfterTheWindowIsTheAnswerAllTheSame() {
		this.once.ledger().fail(Move.Settle.class, Fault.NOT_COMMITTED);
		this.once.ledger().before(Move.Settle.class, () -> {
			this.once.time().advance(Duration.ofSeconds(40));
			this.once
				.resolveDue(new Resolvable<>(Contracts.PAYMENTS, (effect) -> Resolution.cannotTell(), TestCall.TEXT));
			assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		});
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.once.row(this.call).outcome()).isEqualTo(EffectOutcome.PERFORMED);
	}

	/** E4: until the process ends. */
	@Test
	void anAnswerThatMeetsClosedConnectionsIsUnknownAndTheRowIsAskedAboutLater() {
		this.once.ledger().fail(Move.Settle.class, Fault.CLOSED);
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.call.endings()).containsExactly(Ending.UNKNOWN);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.SUBMITTED);
		assertThat(this.once.protocol().inFlight()).isZero();
		this.once.time().advance(Duration.ofSeconds(31));
		Outcome<String> repeat = this.call.resolvedBy((effect) -> Resolution.happened("found"))
			.perform(this.farSide::charge);
		assertThat(repeat).isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E4. */
	@Test
	void anInterruptedThreadKeepsItsAnswerAndItsFlag() {
		AtomicReference<Boolean> atSettle = new AtomicReference<>();
		this.once.ledger().before(Move.Settle.class, () -> atSettle.set(Thread.currentThread().isInterrupted()));
		Outcome<String> outcome = this.call.perform((effect) -> {
			Thread.currentThread().interrupt();
			return this.farSide.charge(effect);
		});
		assertThat(atSettle).hasValue(false);
		assertThat(outcome.isDone()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	/** E4. */
	@Test
	void anInterruptBetweenTwoWritesGivesNothingUp() {
		this.once.ledger().fail(Move.Settle.class, Fault.NOT_COMMITTED, Fault.NOT_COMMITTED);
		this.once.ledger().before(Move.Settle.class, () -> Thread.currentThread().interrupt());
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	/** E5: an interrupted body may have sent, and its thread stays interrupted. */
	@Test
	void aBodyThatThrowsItsInterruptLeavesTheThreadInterrupted() {
		Outcome<String> outcome = this.call
			.perform(this.farSide.acceptsThen(new InterruptedException("shutting down")));
		assertThat(Thread.interrupted()).isTrue();
		assertThat(outcome).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E2: told as what it is. */
	@Test
	void aReleaseThatWasCommittedAllTheSameIsToldAsNotSent() {
		this.once.ledger().fail(Move.Release.class, Fault.COMMITTED);
		Outcome<String> outcome = this.call.perform(this.farSide.unreachable(new ConnectException("refused")));
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.call.endings()).containsExactly(Ending.NOT_SENT);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** E2: and counted once. */
	@Test
	void aRefusalThatWasCommittedAllTheSameIsToldAsRefusedAndCountedOnce() {
		this.once.ledger().fail(Move.Refuse.class, Fault.COMMITTED);
		Outcome<String> outcome = this.call.perform(this.farSide.unreachable(new EffectRefusedException("busy")));
		assertThat(outcome).isInstanceOf(Outcome.Refused.class);
		assertThat(this.call.endings()).containsExactly(Ending.REFUSED);
		assertThat(this.once.row(this.call).refusals()).isOne();
	}

	/** E2: another one may have attempted it since. */
	@Test
	void aReleaseWhoseRowWasAttemptedSinceIsLeftToTheOther() {
		this.once.ledger().fail(Move.Release.class, Fault.COMMITTED);
		this.once.ledger().after(Move.Release.class, () -> this.once.charge("inv-1").perform(this.farSide::charge));
		Outcome<String> outcome = this.call.perform(this.farSide.unreachable(new ConnectException("refused")));
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E5: it claims less and loses nothing. */
	@Test
	void anEndThatCannotBeStoredLeavesTheRowSubmittedUntilItsWindowEnds() {
		this.once.ledger().fail(Move.Release.class, Collections.nCopies(5, Fault.NOT_COMMITTED).toArray(Fault[]::new));
		Outcome<String> outcome = this.call.perform(this.farSide.unreachable(new ConnectException("refused")));
		assertThat(outcome).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.call.endings()).containsExactly(Ending.UNKNOWN);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.SUBMITTED);
		assertThat(this.once.protocol().inFlight()).isZero();
		assertThat(this.once.lost()).isOne();
	}

	/** E5: an answer that is lost is looked after soon. */
	@Test
	void aLostAnswerIsStoredAsUnknownAndTheCaretakerIsTold() {
		this.once.ledger().fail(Move.Lose.class, Fault.COMMITTED);
		assertThat(this.call.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable"))))
			.isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.row(this.call).nextResolveAt()).isNull();
		assertThat(this.once.lost()).isOne();
	}

}
