package dev.once.ledger;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectRefusedException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.lease.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E8, E10: without a resolver an unknown effect is sent again only to a far side that
 * still knows the key, and under the same key.
 */
class ResendTests {

	private static final Duration MEMORY = Duration.ofHours(24);

	/** The window and settle-after of the new attempt end within the memory. */
	private static final Duration LAST_MOMENT = MEMORY.minus(Duration.ofSeconds(90));

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1").under(Contracts.remembering(MEMORY));

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E8: straight from unknown to submitted. */
	@Test
	void anUnknownEffectIsSentAgainUnderTheSameKeyWhileTheFarSideRemembers() {
		lose();
		this.once.ledger().forgetMoves();
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-2", false, 1));
		assertThat(this.farSide.keys()).containsExactly(this.call.key(), this.call.key());
		assertThat(this.once.ledger().moves()).extracting((move) -> move.getClass().getSimpleName())
			.containsExactly("Submit", "Resubmit", "Settle");
		assertThat(this.once.row(this.call).attempt().number()).isEqualTo(2);
	}

	/** E8: counted from the first submit. */
	@Test
	void itIsSentAgainUpToTheLastMomentAndNotAfterIt() {
		lose();
		this.once.time().advance(LAST_MOMENT.minusSeconds(10));
		lose();
		this.once.time().advance(Duration.ofSeconds(10));
		lose();
		assertThat(this.farSide.requests()).isEqualTo(3);
		this.once.time().advance(Duration.ofMillis(1));
		assertThat(this.call.perform(this.farSide::charge))
			.isEqualTo(new Outcome.Unresolved<>("charge/inv-1", null, null, true));
		assertThat(this.farSide.requests()).isEqualTo(3);
	}

	/** E8: judged inside E1. */
	@Test
	void theMemoryIsJudgedAgainAsTheReSendIsSubmitted() {
		lose();
		this.once.time().advance(LAST_MOMENT);
		this.once.ledger().before(Move.Resubmit.class, () -> this.once.time().advance(Duration.ofMillis(1)));
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E1: a compare-and-set on the state and the attempt that were read. */
	@Test
	void anEffectThatBecameUnknownMeanwhileIsNotAttemptedAsIfItWereFree() {
		this.call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		TestCall rival = this.once.charge("inv-1").under(Contracts.remembering(MEMORY));
		this.once.ledger()
			.before(Move.Resubmit.class,
					() -> rival.perform(this.farSide.acceptsThen(new SocketTimeoutException("Read timed out"))));
		this.call.perform(this.farSide.unreachable(new ConnectException("refused")));
		assertThat(this.once.row(this.call).attempt().number()).isEqualTo(3);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E8: otherwise it waits for a person. */
	@Test
	void aFarSideThatRemembersNothingIsNotSentToAgain() {
		TestCall forgotten = this.once.charge("inv-2");
		forgotten.perform(this.farSide.acceptsThen(new SocketTimeoutException("Read timed out")));
		assertThat(forgotten.perform(this.farSide::charge))
			.isEqualTo(new Outcome.Unresolved<>("charge/inv-2", null, null, true));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E8: its caretaker keeps it for its caller, and then for a person. */
	@Test
	void theCaretakerLeavesItToItsCallerWhileTheFarSideRemembersAndThenAsksAPerson() {
		Resolvable<String> resolvable = new Resolvable<>(Contracts.remembering(MEMORY), null, TestCall.TEXT);
		lose();
		this.once.resolveDue(resolvable);
		assertThat(this.once.row(this.call).attention()).isNull();
		assertThat(this.once.rows().due(10)).isEmpty();
		this.once.time().advance(LAST_MOMENT);
		assertThat(this.once.rows().due(10)).isEmpty();
		this.once.time().advance(Duration.ofMillis(1));
		this.once.resolveDue(resolvable);
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.UNDETERMINED);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E8: past its window it is marked first, and sent again in the same call. */
	@Test
	void anEffectWhoseProcessDiedIsSentAgainOnceItsWindowHasEnded() {
		this.call.performAsync((effect) -> {
			this.farSide.accept(effect);
			return new java.util.concurrent.CompletableFuture<>();
		});
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.InProgress.class);
		this.once.time().advance(Duration.ofSeconds(30));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.keys()).containsExactly(this.call.key(), this.call.key());
	}

	/** E7 before E8: who can be asked is asked. */
	@Test
	void aFarSideThatCanBeAskedIsAskedEvenWhereItRemembers() {
		lose();
		this.call.resolvedBy((effect) -> Resolution.happened("found"));
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E1, E8: a re-send is fenced as any submit is. */
	@Test
	void aRunThatWasTakenOverSendsNothingAgain() {
		Run run = this.once.run();
		this.call.inside(run);
		lose();
		this.once.takenOver();
		assertThatExceptionOfType(dev.once.RunFencedException.class)
			.isThrownBy(() -> this.call.perform(this.farSide::charge));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E10: the same on every attempt. */
	@Test
	void theKeyIsTheSameOnEveryAttemptWhateverItEndedWith() {
		AtomicReference<String> mail = new AtomicReference<>();
		this.call.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		this.call.perform(this.farSide.acceptsThen(new EffectRefusedException("429")));
		this.once.time().advance(Duration.ofMinutes(1));
		lose();
		this.call.perform((effect) -> {
			mail.set(effect.mailMessageId());
			return this.farSide.charge(effect);
		});
		assertThat(this.farSide.keys()).hasSize(3).containsOnly(this.call.key());
		assertThat(mail).hasValue("<" + this.call.key() + ".1@once.invalid>");
	}

	/** E10: the number of definite refusals, never of attempts. */
	@Test
	void aFreshKeyAfterARefusalCountsRefusalsOnly() {
		TestCall fresh = this.once.charge("inv-3").under(Contracts.withFreshKeyAfterRefusal(Contracts.PAYMENTS));
		fresh.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		fresh.perform(this.farSide.acceptsThen(new EffectRefusedException("declined")));
		this.once.time().advance(Duration.ofMinutes(1));
		fresh.perform((effect) -> {
			this.farSide.accept(effect);
			throw new EffectRefusedException("declined");
		});
		this.once.time().advance(Duration.ofMinutes(1));
		fresh.perform(this.farSide::charge);
		assertThat(this.farSide.keys()).containsExactly(fresh.key(), fresh.key() + "-1", fresh.key() + "-2");
	}

	/** E10: while an earlier attempt's fate is open the key does not change. */
	@Test
	void aRefusalOfAReSendDoesNotChangeTheKey() {
		TestCall fresh = this.once.charge("inv-3")
			.under(Contracts.withFreshKeyAfterRefusal(Contracts.remembering(MEMORY)));
		fresh.perform(this.farSide.acceptsThen(new SocketTimeoutException("Read timed out")));
		fresh.perform(this.farSide.acceptsThen(new EffectRefusedException("declined")));
		fresh.perform(this.farSide::charge);
		assertThat(this.farSide.keys()).hasSize(3).containsOnly(fresh.key());
	}

	/** E10: a resolver looks for the key that the attempt had. */
	@Test
	void aResolverIsToldTheKeyOfTheAttemptItIsAskedAbout() {
		TestCall fresh = this.once.charge("inv-3").under(Contracts.withFreshKeyAfterRefusal(Contracts.PAYMENTS));
		fresh.perform(this.farSide.acceptsThen(new EffectRefusedException("declined")));
		this.once.time().advance(Duration.ofMinutes(1));
		AtomicReference<String> sent = new AtomicReference<>();
		fresh.perform((Effect effect) -> {
			sent.set(effect.idempotencyKey());
			this.farSide.accept(effect);
			throw new SocketTimeoutException("Read timed out");
		});
		AtomicReference<UnresolvedEffect> told = new AtomicReference<>();
		fresh.resolvedBy((effect) -> {
			told.set(effect);
			return Resolution.cannotTell();
		}).perform(this.farSide::charge);
		assertThat(told.get().idempotencyKey()).isEqualTo(sent.get()).isEqualTo(fresh.key() + "-1");
		assertThat(told.get().attempt()).isEqualTo(2);
	}

	private void lose() {
		this.call.perform(this.farSide.acceptsThen(new SocketTimeoutException("Read timed out")));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

}
