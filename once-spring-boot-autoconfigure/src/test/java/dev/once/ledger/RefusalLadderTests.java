package dev.once.ledger;

import java.time.Duration;

import dev.once.EffectRefusedException;
import dev.once.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E5: a refusal leads to the next attempt on the ladder, and the last one to a person.
 */
class RefusalLadderTests {

	private static final Duration BACKOFF = Contracts.PAYMENTS.backoff();

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E5: 429 and the like. */
	@Test
	void refusalsAreTriedAgainUntilTheLastOneWhichAsksForAPerson() {
		for (int refusals = 1; refusals <= 3; refusals++) {
			assertThat(refused(null)).isEqualTo(new Outcome.Refused<>("charge/inv-1", BACKOFF, null, false));
			EffectRow row = this.once.row(this.call);
			assertThat(row.state()).isEqualTo(EffectState.CLAIMED);
			assertThat(row.refusals()).isEqualTo(refusals);
			assertThat(row.attention()).isNull();
			assertThat(row.nextAttemptAt()).isEqualTo(this.once.clock().now().plus(BACKOFF));
			this.once.time().advance(BACKOFF);
		}
		assertThat(refused(null)).isEqualTo(new Outcome.Refused<>("charge/inv-1", null, null, true));
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.CLAIMED);
		assertThat(row.attention()).isEqualTo(Attention.REFUSED);
		assertThat(row.nextAttemptAt()).isNull();
		this.once.time().advance(Duration.ofDays(1));
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.Refused.class);
		assertThat(this.farSide.requests()).isZero();
	}

	/** E5: {@code Retry-After} stands before the contract's backoff. */
	@Test
	void theFarSideSaysWhenItWantsToBeAskedAgain() {
		Duration retryAfter = Duration.ofMinutes(7);
		assertThat(refused(retryAfter)).isEqualTo(new Outcome.Refused<>("charge/inv-1", retryAfter, null, false));
		this.once.time().advance(retryAfter.minusMillis(1));
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOfSatisfying(Outcome.Waiting.class,
				(waiting) -> assertThat(waiting.retryAfter()).isEqualTo(Duration.ofMillis(1)));
		this.once.time().advance(Duration.ofMillis(1));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
	}

	/** E5: it does not lengthen the ladder. */
	@Test
	void aRetryAfterOnTheLastRungStillAsksForAPerson() {
		for (int i = 0; i < 4; i++) {
			refused(BACKOFF);
			this.once.time().advance(BACKOFF);
		}
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.REFUSED);
		assertThat(this.once.row(this.call).nextAttemptAt()).isNull();
	}

	/** E5: 400 and the like get attention at once. */
	@Test
	void aRefusalForGoodAsksForAPersonAtOnce() {
		EffectRefusedException failure = new EffectRefusedException("no such customer", null, null, true);
		assertThat(this.call.perform(this.farSide.unreachable(failure)))
			.isEqualTo(new Outcome.Refused<>("charge/inv-1", null, failure, true));
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.REFUSED);
		assertThat(this.once.row(this.call).refusals()).isOne();
		assertThat(this.call.endings()).containsExactly(Ending.REFUSED);
	}

	/** E5: what was not sent is no rung of the ladder. */
	@Test
	void whatWasNotSentDoesNotCountAsARefusal() {
		for (int i = 0; i < 10; i++) {
			this.call.perform(this.farSide.unreachable(new java.net.ConnectException("refused")));
		}
		refused(null);
		assertThat(this.once.row(this.call).refusals()).isOne();
		assertThat(this.once.row(this.call).attention()).isNull();
	}

	private Outcome<String> refused(Duration retryAfter) {
		Outcome<String> outcome = this.call
			.perform(this.farSide.unreachable(new EffectRefusedException("429", null, retryAfter, false)));
		return (outcome instanceof Outcome.Refused<String> refused)
				? new Outcome.Refused<>(refused.label(), refused.retryAfter(), null, refused.awaitsPerson()) : outcome;
	}

}
