package dev.once.ledger;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.Effect;
import dev.once.EffectDeadlineException;
import dev.once.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E3, L5: past its deadline an attempt sends nothing and is not done.
 */
class SendingDeadlineTests {

	private static final Duration WINDOW = Contracts.PAYMENTS.window();

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E3: checked on entry. */
	@Test
	void aBodyIsNotEnteredPastTheDeadline() {
		this.once.ledger().after(Move.Submit.class, () -> this.once.time().advance(WINDOW));
		Outcome<String> outcome = this.call.perform((effect) -> {
			throw new AssertionError("entered");
		});
		assertThat(outcome).isInstanceOfSatisfying(Outcome.NotSent.class,
				(notSent) -> assertThat(notSent.cause()).isInstanceOf(EffectDeadlineException.class));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E3: an asynchronous body as well. */
	@Test
	void anAsynchronousBodyIsNotEnteredPastTheDeadlineEither() {
		this.once.ledger().after(Move.Submit.class, () -> this.once.time().advance(WINDOW));
		Outcome<String> outcome = this.call.performAsync((effect) -> {
			throw new AssertionError("entered");
		}).join();
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** E3: and again as the request leaves. */
	@Test
	void nothingLeavesPastTheDeadline() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().advance(WINDOW);
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOfSatisfying(Outcome.NotSent.class,
				(notSent) -> assertThat(notSent.cause()).isInstanceOf(EffectDeadlineException.class)
					.hasMessageContaining("attempt 1 at effect 'charge/inv-1'"));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(this.call).attention()).isNull();
	}

	/** E3: up to the deadline it may. */
	@Test
	void aRequestMayLeaveRightBeforeTheDeadlineAndBeAnsweredAfterIt() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().advance(WINDOW.minusNanos(1));
			String receipt = this.farSide.accept(effect);
			this.once.time().advance(WINDOW);
			return Outcome.done(receipt);
		});
		assertThat(outcome.isDone()).isTrue();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	/** E3: even if the body swallows the refusal. */
	@Test
	void aBodyThatSwallowsTheRefusalIsNotDone() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().advance(WINDOW);
			return chargeOrPretend(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.call.endings()).containsExactly(Ending.NOT_SENT);
		assertThat(this.farSide.requests()).isZero();
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.CLAIMED);
		assertThat(row.answer()).isNull();
	}

	private Outcome<String> chargeOrPretend(Effect effect) {
		try {
			return this.farSide.charge(effect);
		}
		catch (EffectDeadlineException ex) {
			return Outcome.done("pretended");
		}
	}

	/** E3, E5: one request had left. */
	@Test
	void anInnerRetryPastTheDeadlineLeavesTheFirstRequestUnknown() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.farSide.accept(effect);
			this.once.time().advance(WINDOW);
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E3, E5: one request had left, and the refusal of the second is swallowed. */
	@Test
	void aSwallowedRefusalAfterARequestThatLeftIsUnknown() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.farSide.accept(effect);
			this.once.time().advance(WINDOW);
			return chargeOrPretend(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** L5: a suspended machine's monotonic clock stands still. */
	@Test
	void aMachineThatWasSuspendedSendsNothingWhenItWakes() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().suspend(WINDOW);
			assertThat(effect.timeLeft()).isZero();
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.farSide.requests()).isZero();
	}

	/** L5: the monotonic clock counts whatever the wall clock says. */
	@Test
	void aWallClockThatIsSetBackBuysNoTime() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().stepWallClock(Duration.ofHours(-1));
			this.once.time().advance(WINDOW);
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.farSide.requests()).isZero();
	}

	/** L5: the local deadline is counted from before the statement and ends first. */
	@Test
	void theDeadlineIsCountedFromBeforeTheSubmit() {
		this.once.ledger().before(Move.Submit.class, () -> this.once.time().advance(Duration.ofSeconds(20)));
		AtomicReference<Duration> left = new AtomicReference<>();
		this.call.perform((effect) -> {
			left.set(effect.timeLeft());
			this.once.time().advance(Duration.ofSeconds(10));
			assertThat(this.once.row(this.call).windowEnded()).isFalse();
			return this.farSide.charge(effect);
		});
		assertThat(left).hasValue(Duration.ofSeconds(10));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/**
	 * E3: a process that slept still knows that it sent nothing, whatever was thought.
	 */
	@Test
	void aProcessThatSleptPastItsWindowFreesTheRowThatWasMarkedUnknownMeanwhile() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().suspend(Duration.ofMinutes(5));
			this.once.resolveDue(new Resolvable<>(Contracts.PAYMENTS, null, TestCall.TEXT));
			assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
			assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.UNDETERMINED);
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(this.call).attention()).isNull();
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E3, E5: what is left of a body sends nothing once its attempt has ended. */
	@Test
	void nothingLeavesOnceTheAttemptHasEnded() {
		AtomicReference<Effect> kept = new AtomicReference<>();
		this.call.perform((effect) -> {
			kept.set(effect);
			throw new EffectDeadlineException("given up");
		});
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThatExceptionOfType(EffectDeadlineException.class).isThrownBy(() -> this.farSide.charge(kept.get()))
			.withMessage("Attempt 1 at effect 'charge/inv-1' has ended and sends nothing more");
		assertThat(this.farSide.requests()).isZero();
	}

	/** E4: nor once it is done. */
	@Test
	void nothingLeavesOnceTheEffectIsDone() {
		AtomicReference<Effect> kept = new AtomicReference<>();
		this.call.perform((effect) -> {
			kept.set(effect);
			return this.farSide.charge(effect);
		});
		assertThatExceptionOfType(EffectDeadlineException.class).isThrownBy(() -> this.farSide.charge(kept.get()));
		assertThat(this.farSide.requests()).isOne();
	}

}
