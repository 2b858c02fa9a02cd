package dev.once.ledger;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.EffectNotSentException;
import dev.once.EffectResolver;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.UnreliableLedger.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E7: {@code askFirst} asks the far side before every attempt, the first one included.
 */
class AskFirstTests {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1").askingFirst();

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E7: its own submit keeps everybody else out meanwhile. */
	@Test
	void whatDidNotHappenIsAttemptedAfterTheAsking() {
		AtomicReference<UnresolvedEffect> told = new AtomicReference<>();
		AtomicReference<Outcome<String>> other = new AtomicReference<>();
		Outcome<String> outcome = asking((effect) -> {
			told.set(effect);
			assertThat(this.farSide.requests()).isZero();
			other.set(this.once.charge("inv-1").perform(this.farSide::charge));
			return Resolution.didNotHappen();
		});
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(told.get().attempt()).isZero();
		assertThat(told.get().idempotencyKey()).isEqualTo(this.call.key());
		assertThat(other.get()).isInstanceOf(Outcome.InProgress.class);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E7. */
	@Test
	void whatHappenedBeforeIsDoneWithoutAnAttempt() {
		Outcome<String> outcome = asking((effect) -> Resolution.happened("found"));
		assertThat(outcome).isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.farSide.requests()).isZero();
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.outcome()).isEqualTo(EffectOutcome.RESOLVED);
		assertThat(this.once.events().resolved()).containsExactly(Resolved.HAPPENED);
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	/** E7: nothing is sent while the far side cannot be asked; nothing has been sent. */
	@Test
	void whatCannotBeToldIsNotSentAndIsAskedAgainAfterTheBackoff() {
		Outcome<String> outcome = asking((effect) -> Resolution.cannotTell());
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.CLAIMED);
		assertThat(row.nextAttemptAt()).isEqualTo(this.once.clock().now().plus(Contracts.PAYMENTS.backoff()));
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.protocol().inFlight()).isZero();
		this.once.time().advance(Contracts.PAYMENTS.backoff());
		assertThat(asking((effect) -> Resolution.didNotHappen()).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E7: a throw is cannot tell. */
	@Test
	void aResolverThatThrowsSendsNothing() {
		assertThat(asking((effect) -> {
			throw new IllegalStateException("the far side is down");
		})).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** E7: before every attempt. */
	@Test
	void aFurtherAttemptAsksAgain() {
		this.call.resolvedBy((effect) -> Resolution.didNotHappen())
			.perform(FarSideDouble.throwing(new EffectNotSentException("no address")));
		AtomicReference<UnresolvedEffect> told = new AtomicReference<>();
		asking((effect) -> {
			told.set(effect);
			return Resolution.didNotHappen();
		});
		assertThat(told.get().attempt()).isOne();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E3: what the asking took is gone from the window. */
	@Test
	void anAskingThatOutlastsTheWindowSendsNothing() {
		Outcome<String> outcome = asking((effect) -> {
			this.once.time().advance(Duration.ofSeconds(30));
			return Resolution.didNotHappen();
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.farSide.requests()).isZero();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** E2: each of the two moves may be ambiguous. */
	@Test
	void whatHappenedBeforeIsDoneThoughNobodyWasToldThatItWasCommitted() {
		this.once.ledger().fail(Move.Lose.class, Fault.COMMITTED);
		this.once.ledger().fail(Move.Happened.class, Fault.COMMITTED);
		assertThat(asking((effect) -> Resolution.happened("found"))).isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.farSide.requests()).isZero();
	}

	private Outcome<String> asking(EffectResolver<String> resolver) {
		return this.call.resolvedBy(resolver).perform(this.farSide::charge);
	}

}
