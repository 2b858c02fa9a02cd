package dev.once.ledger;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.RunFencedException;
import dev.once.lease.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E1, E6: what a call does first, and what it does about the row of its own key.
 */
class SubmitTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E1, E4. */
	@Test
	void aFirstAttemptIsSubmittedBeforeItsBodyRunsAndDoneAfterwards() {
		AtomicReference<EffectState> during = new AtomicReference<>();
		Outcome<String> outcome = this.call.perform((effect) -> {
			during.set(this.once.row(this.call).state());
			return this.farSide.charge(effect);
		});
		assertThat(during).hasValue(EffectState.SUBMITTED);
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.outcome()).isEqualTo(EffectOutcome.PERFORMED);
		assertThat(row.answer()).isEqualTo(new Answer("receipt-1", "text"));
		assertThat(this.call.endings()).containsExactly(Ending.PERFORMED);
		assertThat(this.once.events().endings()).containsExactly(Ending.PERFORMED);
		assertThat(this.once.events().repeated()).isEmpty();
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E1: two moves, submit and settle, and nothing is started that nobody renews. */
	@Test
	void aFirstAttemptIsTwoMovesAndAnnouncesItsSubmit() {
		this.call.perform(this.farSide::charge);
		assertThat(this.once.ledger().moves()).hasSize(2);
		assertThat(this.once.ledger().moves().get(0)).isInstanceOf(Move.Submit.class);
		assertThat(this.once.ledger().moves().get(1)).isInstanceOf(Move.Settle.class);
		assertThat(this.once.submitsAnnounced()).isOne();
	}

	/** E1, E6. */
	@Test
	void aDuplicateReplaysTheAnswerAndWritesNothing() {
		this.call.perform(this.farSide::charge);
		EffectRow before = this.once.row(this.call);
		this.once.ledger().forgetMoves();
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", true, 1));
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.row(this.call)).isEqualTo(before);
		assertThat(this.once.ledger().moves()).singleElement().isInstanceOf(Move.Submit.class);
		assertThat(this.once.events().repeated()).containsExactly(before);
		assertThat(this.call.endings()).containsExactly(Ending.PERFORMED, Ending.DUPLICATE);
	}

	/** E6: the effect's own row is its lease outside a run. */
	@Test
	void anEffectInFlightElsewhereIsInProgressUntilItsWindowEnds() {
		AtomicReference<Outcome<String>> second = new AtomicReference<>();
		this.call.perform((effect) -> {
			this.once.time().advance(Duration.ofSeconds(10));
			second.set(this.once.charge("inv-1").perform(this.farSide::charge));
			return this.farSide.charge(effect);
		});
		assertThat(second).hasValue(new Outcome.InProgress<>("charge/inv-1", Duration.ofSeconds(20)));
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	/** E6: claimed and free. */
	@Test
	void anEffectThatWasNotSentIsAttemptedAgainUnderTheNextNumber() {
		this.call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		String first = this.once.row(this.call).attempt().id();
		AtomicReference<Integer> number = new AtomicReference<>();
		Outcome<String> outcome = this.call.perform((effect) -> {
			number.set(effect.attempt());
			return this.farSide.charge(effect);
		});
		assertThat(outcome.isDone()).isTrue();
		assertThat(number).hasValue(2);
		assertThat(this.once.row(this.call).attempt().number()).isEqualTo(2);
		assertThat(this.once.row(this.call).attempt().id()).isNotEqualTo(first);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E6: the next attempt is not due. */
	@Test
	void anEffectWhoseNextAttemptIsNotDueWaits() {
		this.call.perform(this.farSide.unreachable(new EffectRefusedException("busy")));
		this.once.time().advance(Duration.ofSeconds(20));
		Outcome<String> early = this.call.perform(this.farSide::charge);
		assertThat(early).isInstanceOfSatisfying(Outcome.Waiting.class,
				(waiting) -> assertThat(waiting.retryAfter()).isEqualTo(Duration.ofSeconds(40)));
		assertThat(this.farSide.requests()).isZero();
		this.once.time().advance(Duration.ofSeconds(40));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.call.endings()).containsExactly(Ending.REFUSED, Ending.WAITING, Ending.PERFORMED);
	}

	/** E6: after refused only a person goes on. */
	@Test
	void anEffectThatWasRefusedForGoodNeedsAPerson() {
		this.call.perform(this.farSide.unreachable(new EffectRefusedException("no such customer", null, null, true)));
		this.once.time().advance(Duration.ofDays(30));
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.Refused<>("charge/inv-1", null, null, true));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).attempt().number()).isOne();
	}

	/** E6: outcomes of their own, never replayed as an answer. */
	@Test
	void whatAPersonEndedIsNeverReplayedAsAnAnswer() {
		this.once.rows().put(ended(EffectOutcome.ABANDONED));
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Abandoned<>("charge/inv-1"));
		this.once.rows().put(ended(EffectOutcome.DENIED));
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Denied<>("charge/inv-1"));
		assertThat(this.farSide.requests()).isZero();
	}

	private EffectRow ended(EffectOutcome outcome) {
		AttemptFacts attempt = new AttemptFacts(1, "id-0", null, this.once.clock().now(), this.once.clock().now(),
				Duration.ofMinutes(1));
		return new EffectRow(this.call.facts(), attempt, EffectState.DONE, outcome, null, 0, this.once.clock().now(),
				null, 0, null, null, null, this.once.clock().now());
	}

	/** E6, case 17: told as a changed fact, not as busy. */
	@Test
	void aChangedFactWaitsWhileTheEarlierOneIsInFlightAndIsToldSo() {
		TestCall changed = this.once.charge("inv-1").amount("12.00");
		AtomicReference<Outcome<String>> second = new AtomicReference<>();
		this.call.perform((effect) -> {
			second.set(changed.perform(this.farSide::charge));
			return this.farSide.charge(effect);
		});
		assertThat(second.get()).isInstanceOfSatisfying(Outcome.Waiting.class, (waiting) -> assertThat(waiting.reason())
			.isEqualTo("a changed fact: 'charge/inv-1' with other inputs is submitted"));
		assertThat(changed.endings()).containsExactly(Ending.WAITING);
		assertThat(this.once.hasRow(changed)).isFalse();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E6. */
	@Test
	void aChangedFactWaitsWhileTheEarlierOneIsUnknown() {
		this.call.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
		Outcome<String> outcome = this.once.charge("inv-1").amount("12.00").perform(this.farSide::charge);
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Waiting.class,
				(waiting) -> assertThat(waiting.reason()).contains("a changed fact", "is unknown"));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E6, R1: another effect once the earlier one is settled, and seen. */
	@Test
	void aChangedFactIsAnotherEffectOnceTheEarlierOneIsDoneAndIsTold() {
		this.call.perform(this.farSide::charge);
		TestCall changed = this.once.charge("inv-1").amount("12.00");
		assertThat(changed.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.keys()).containsExactly(this.call.key(), changed.key());
		assertThat(this.once.events().changed()).containsExactly(changed.facts());
	}

	/** E6. */
	@Test
	void aChangedFactThatProceedsDoesNotWait() {
		TestCall changed = this.once.charge("inv-1").amount("12.00").proceedingOnAChangedFact();
		this.call.perform((effect) -> {
			assertThat(changed.perform(this.farSide::charge).isDone()).isTrue();
			return this.farSide.charge(effect);
		});
		assertThat(this.farSide.keys()).containsExactly(changed.key(), this.call.key());
		assertThat(this.once.events().changed()).containsExactly(changed.facts());
	}

	/** E1, I3: the ledger turns the run away, and the run is marked. */
	@Test
	void aRunThatWasTakenOverStartsNothingAndIsMarked() {
		Run run = this.once.run();
		Run other = this.once.takenOver();
		TestCall inside = this.call.inside(run);
		assertThat(run.isFenced()).isFalse();
		assertThatExceptionOfType(RunFencedException.class).isThrownBy(() -> inside.perform(this.farSide::charge))
			.withMessageContaining("'nightly'");
		assertThat(run.isFenced()).isTrue();
		assertThat(other.isFenced()).isFalse();
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.hasRow(inside)).isFalse();
		assertThat(inside.endings()).containsExactly(Ending.FENCED);
		assertThat(this.once.fencedLines()).singleElement().asString().contains("nightly", "token 1");
	}

	/** E1: a further attempt is fenced as a first one is. */
	@Test
	void aRunThatWasTakenOverStartsNoFurtherAttemptEither() {
		Run run = this.once.run();
		this.call.inside(run).perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		this.once.takenOver();
		assertThatExceptionOfType(RunFencedException.class).isThrownBy(() -> this.call.perform(this.farSide::charge));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.farSide.requests()).isZero();
	}

	/** L3: a run that is marked asks the ledger no more. */
	@Test
	void aMarkedRunIsTurnedAwayWithoutAStatementAndSaidOnlyOnce() {
		Run run = this.once.run();
		this.once.leases().fence(run);
		this.call.inside(run);
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(RunFencedException.class)
				.isThrownBy(() -> this.call.perform(this.farSide::charge));
		}
		assertThat(this.once.ledger().moves()).isEmpty();
		assertThat(this.once.fencedLines()).hasSize(1);
		assertThat(this.call.endings()).containsExactly(Ending.FENCED, Ending.FENCED, Ending.FENCED);
	}

	/**
	 * E6: done effects replay to whoever asks, a fenced run included (E1 reads first).
	 */
	@Test
	void aRunThatWasTakenOverIsStillGivenWhatIsDone() {
		this.call.perform(this.farSide::charge);
		Run run = this.once.run();
		this.once.takenOver();
		assertThat(this.call.inside(run).perform(this.farSide::charge).isDone()).isTrue();
		assertThat(run.isFenced()).isFalse();
	}

	/** L4: shutdown starts nothing new. */
	@Test
	void nothingStartsOnceTheApplicationShutsDown() {
		this.once.protocol().stop();
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isInstanceOfSatisfying(Outcome.NotSent.class,
				(notSent) -> assertThat(notSent.cause()).hasMessageContaining("shutting down"));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.ledger().moves()).isEmpty();
		assertThat(this.call.endings()).containsExactly(Ending.NOT_SENT);
	}

	/** E1, case 42: never without a durable submit. */
	@Test
	void nothingIsSentWhileTheLedgerIsDownAndTheCallComesThroughAfterwards() {
		this.once.ledger().goDown();
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isInstanceOfSatisfying(Outcome.NotSent.class,
				(notSent) -> assertThat(notSent.cause()).isInstanceOf(EffectNotSentException.class)
					.hasMessageContaining("'charge/inv-1' was not sent: the ledger could not be written")
					.hasRootCauseMessage("connection lost"));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.protocol().inFlight()).isZero();
		this.once.ledger().comeBack();
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E6: the row moved on between the reading and the move. */
	@Test
	void ofTwoCallersThatMeetAFreeEffectOneAttemptsIt() {
		this.call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		TestCall rival = this.once.charge("inv-1");
		this.once.ledger().before(Move.Resubmit.class, () -> rival.perform(this.farSide::charge));
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", true, 1));
		assertThat(this.farSide.requests()).isOne();
	}

	/** What a body sees of its effect. */
	@Test
	void aBodySeesItsEffectAndItsRunsToken() {
		Run run = this.once.run();
		this.call.inside(run).perform((effect) -> {
			assertThat(Effect.current()).isSameAs(effect);
			assertThat(effect.action()).isEqualTo("charge");
			assertThat(effect.label()).isEqualTo("charge/inv-1");
			assertThat(effect.idempotencyKey()).isEqualTo(this.call.key());
			assertThat(effect.attempt()).isOne();
			assertThat(effect.revision()).isOne();
			assertThat(effect.fencingToken()).hasValue(1);
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(30));
			return this.farSide.charge(effect);
		});
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(Effect::current);
		assertThat(this.once.row(this.call).attempt().fence())
			.isEqualTo(new Fence("nightly", null, run.hold().runId(), 1));
	}

	/** E7: past its window an effect is asked about, not sent. */
	@Test
	void anEffectPastItsWindowIsAskedAboutBeforeAnythingElse() {
		this.call.perform((effect) -> {
			this.farSide.accept(effect);
			this.once.time().advance(Duration.ofSeconds(31));
			Outcome<String> second = this.once.charge("inv-1")
				.resolvedBy((unresolved) -> Resolution.happened("found"))
				.perform(this.farSide::charge);
			assertThat(second).isEqualTo(new Outcome.Done<>("found", true, 1));
			return Outcome.done("receipt-1");
		});
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.row(this.call).answer()).isEqualTo(new Answer("found", "text"));
	}

}
