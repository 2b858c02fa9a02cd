package dev.once.ledger;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.EffectNotSentException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.ledger.UnreliableLedger.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E2: nobody knows whether a submit that failed was committed. The row decides, by the
 * attempt's id, before anything is sent.
 */
class AmbiguousSubmitTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		Thread.interrupted();
		this.once.close();
	}

	/** E2. */
	@Test
	void aSubmitThatWasCommittedAllTheSameIsReadBackAndItsBodyRunsOnce() {
		this.once.ledger().fail(Move.Submit.class, Fault.COMMITTED);
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.ledger().moves(Move.Submit.class)).hasSize(1);
		assertThat(this.once.row(this.call).attempt().number()).isOne();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	/** E2: there is nothing to read back, and the caller need not wait for it. */
	@Test
	void aSubmitWithoutAConnectionIsRefusedAtOnceAndNothingIsSent() {
		this.once.ledger().fail(Move.Submit.class, Fault.UNREACHED);
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.ledger().moves()).hasSize(1);
		assertThat(this.once.time().pauses()).isEmpty();
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
	}

	/** E2: I2. */
	@Test
	void aSubmitThatWasNotCommittedIsMadeAgainUnderTheSameAttempt() {
		AtomicReference<EffectState> during = new AtomicReference<>();
		this.once.ledger().fail(Move.Submit.class, Fault.NOT_COMMITTED);
		this.call.perform((effect) -> {
			during.set(this.once.row(this.call).state());
			return this.farSide.charge(effect);
		});
		assertThat(during).hasValue(EffectState.SUBMITTED);
		assertThat(this.farSide.requests()).isOne();
		Move.Submit first = this.once.ledger().moves(Move.Submit.class).get(0);
		assertThat(this.once.ledger().moves(Move.Submit.class)).containsExactly(first, first);
		assertThat(this.once.row(this.call).isAttempt(first.attemptId())).isTrue();
	}

	/** E2: the repetition is as ambiguous as the first. */
	@Test
	void aRepeatedSubmitThatFailsToIsReadBackAsWell() {
		this.once.ledger().fail(Move.Submit.class, Fault.NOT_COMMITTED, Fault.COMMITTED);
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.row(this.call).attempt().number()).isOne();
	}

	/** E2, for a further attempt. */
	@Test
	void aFurtherAttemptIsReadBackByItsOwnIdAndNotByTheStateOfTheRow() {
		this.call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		this.once.ledger().fail(Move.Resubmit.class, Fault.COMMITTED);
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.once.ledger().moves(Move.Resubmit.class)).hasSize(1);
		assertThat(this.once.row(this.call).attempt().number()).isEqualTo(2);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E2, for a further attempt. */
	@Test
	void aFurtherAttemptThatWasNotCommittedIsMadeAgainUnderTheSameAttempt() {
		this.call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		this.once.ledger().fail(Move.Resubmit.class, Fault.NOT_COMMITTED);
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		Move.Resubmit first = this.once.ledger().moves(Move.Resubmit.class).get(0);
		assertThat(this.once.ledger().moves(Move.Resubmit.class)).containsExactly(first, first);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E2, L5: nothing is sent under a window that has ended. */
	@Test
	void nothingIsSentWhenTheReadBackShowsThatTheWindowIsOver() {
		this.once.ledger().fail(Move.Submit.class, Fault.COMMITTED);
		this.once.ledger().after(Move.Submit.class, () -> this.once.time().advance(Duration.ofSeconds(31)));
		Outcome<String> outcome = this.call.resolvedBy((effect) -> Resolution.didNotHappen())
			.perform(this.farSide::charge);
		assertThat(outcome).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E2: by the attempt's id, not by the state. */
	@Test
	void nothingIsSentWhenTheReadBackShowsTheAttemptOfAnother() {
		this.once.ledger().fail(Move.Submit.class, Fault.NOT_COMMITTED);
		this.once.ledger().before(Move.Submit.class, () -> this.once.rows().apply(submitOfAnother()));
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.InProgress<>("charge/inv-1", Duration.ofSeconds(30)));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).isAttempt("another")).isTrue();
	}

	private Move.Submit submitOfAnother() {
		return new Move.Submit(this.call.facts(), "another", null, Duration.ofSeconds(30), Duration.ofMinutes(1),
				Move.Waiting.FOR_OPEN_FACTS);
	}

	/** E2: it is settled before anything is sent, however often the reading fails. */
	@Test
	void aReadBackThatFailsIsTriedAgainAfterAPauseThatGrows() {
		this.once.ledger().fail(Move.Submit.class, Fault.COMMITTED);
		this.once.ledger().failReadBacks(4);
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.time().pauses()).containsExactly(Duration.ofMillis(50), Duration.ofMillis(100),
				Duration.ofMillis(200), Duration.ofMillis(400));
	}

	/**
	 * E2: and nothing is sent when it cannot be settled; the row is asked about later.
	 */
	@Test
	void nothingIsSentWhileNobodyCanReadBackAndTheRowIsNotLost() {
		this.once.ledger().fail(Move.Submit.class, Fault.COMMITTED);
		this.once.ledger().failReadBacks(5);
		this.call.resolvedBy((effect) -> Resolution.didNotHappen());
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.protocol().inFlight()).isZero();
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.InProgress.class);
		this.once.time().advance(Duration.ofMinutes(2));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E2: where the connections are closed no repetition can succeed. */
	@Test
	void aSubmitIsNotRepeatedOverClosedConnections() {
		this.once.ledger().fail(Move.Submit.class, Fault.CLOSED);
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.ledger().moves()).hasSize(1);
		assertThat(this.once.time().pauses()).isEmpty();
	}

	/**
	 * E4: a ledger statement is not made on an interrupted thread, nor is the flag lost.
	 */
	@Test
	void anInterruptedThreadSubmitsAndItsBodySeesTheInterrupt() {
		AtomicReference<Boolean> atSubmit = new AtomicReference<>();
		AtomicReference<Boolean> inBody = new AtomicReference<>();
		this.once.ledger().before(Move.Submit.class, () -> atSubmit.set(Thread.currentThread().isInterrupted()));
		Thread.currentThread().interrupt();
		this.call.perform((effect) -> {
			inBody.set(Thread.currentThread().isInterrupted());
			return this.farSide.charge(effect);
		});
		assertThat(atSubmit).hasValue(false);
		assertThat(inBody).hasValue(true);
		assertThat(Thread.interrupted()).isTrue();
	}

	/** E2, E4: nor is it given up in a pause. */
	@Test
	void anInterruptWhileReadingBackGivesNothingUp() {
		this.once.ledger().fail(Move.Submit.class, Fault.COMMITTED);
		this.once.ledger().failReadBacks(2);
		this.once.ledger().after(Move.Submit.class, () -> Thread.currentThread().interrupt());
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(Thread.interrupted()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

}
