package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import dev.once.EffectDeadlineException;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.lease.StoreException;
import dev.once.ledger.UnreliableLedger.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E3, L4: a live body that outlasts a third of its window has it extended, and trusts
 * only what is confirmed.
 */
class WindowExtensionTests {

	private static final Duration THIRD = Duration.ofSeconds(10);

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E3. */
	@Test
	void aWindowIsExtendedAtAThirdAndTheDeadlineMovesWithIt() {
		this.call.perform((effect) -> {
			this.once.time().advance(THIRD.minusNanos(1));
			this.once.protocol().extendDue();
			assertThat(this.once.ledger().moves(Move.Extend.class)).isEmpty();
			this.once.time().advance(Duration.ofNanos(1));
			this.once.protocol().extendDue();
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(30));
			assertThat(windowUntil()).isEqualTo(this.once.clock().now().plusSeconds(30));
			this.once.time().advance(Duration.ofSeconds(29));
			return this.farSide.charge(effect);
		});
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	/** L5: counted from before the statement. */
	@Test
	void theMovedDeadlineIsCountedFromBeforeTheExtension() {
		this.once.ledger().before(Move.Extend.class, () -> this.once.time().advance(Duration.ofSeconds(3)));
		this.call.perform((effect) -> {
			this.once.time().advance(THIRD);
			this.once.protocol().extendDue();
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(27));
			assertThat(windowUntil()).isEqualTo(this.once.clock().now().plusSeconds(30));
			return this.farSide.charge(effect);
		});
	}

	/** E3: only after the extension is confirmed. */
	@Test
	void anExtensionThatIsNotConfirmedMovesNoDeadline() {
		this.once.ledger().fail(Move.Extend.class, Fault.COMMITTED, Fault.NOT_COMMITTED, Fault.SKIPPED);
		this.call.perform((effect) -> {
			this.once.time().advance(THIRD);
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(StoreException.class).isThrownBy(this.once.protocol()::extendDue);
				assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(20));
			}
			this.once.protocol().extendDue();
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(20));
			this.once.protocol().extendDue();
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(30));
			return this.farSide.charge(effect);
		});
	}

	/** E3: up to maxWindow. */
	@Test
	void aWindowIsExtendedUpToTheLongestAndNoFurther() {
		Instant submitted = this.once.clock().now();
		Outcome<String> outcome = this.call.perform((effect) -> {
			for (int i = 1; i < 55; i++) {
				this.once.time().advance(Duration.ofSeconds(11));
				this.once.protocol().extendDue();
				Duration left = Duration.between(this.once.clock().now(), submitted.plus(Duration.ofMinutes(10)));
				assertThat(effect.timeLeft()).isPositive().isLessThanOrEqualTo(left);
				assertThat(windowUntil()).isBeforeOrEqualTo(submitted.plus(Duration.ofMinutes(10)));
			}
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(6));
			this.once.time().advance(Duration.ofSeconds(6));
			this.once.protocol().extendDue();
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOfSatisfying(Outcome.NotSent.class,
				(notSent) -> assertThat(notSent.cause()).isInstanceOf(EffectDeadlineException.class));
		assertThat(windowUntil()).isEqualTo(submitted.plus(Duration.ofMinutes(10)));
		assertThat(this.farSide.requests()).isZero();
	}

	/** E3: only while the body lives. */
	@Test
	void nothingIsExtendedOnceTheBodyHasEnded() {
		this.once.ledger().before(Move.Settle.class, () -> {
			this.once.time().advance(THIRD);
			this.once.protocol().extendDue();
		});
		this.call.perform(this.farSide::charge);
		this.once.time().advance(THIRD);
		this.once.protocol().extendDue();
		assertThat(this.once.ledger().moves(Move.Extend.class)).isEmpty();
	}

	/** E3: a dead process's window is not extended, and one that ended stays ended. */
	@Test
	void aWindowThatHasEndedIsNotExtended() {
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.time().advance(Duration.ofSeconds(30));
			this.once.protocol().extendDue();
			return this.farSide.charge(effect);
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.ledger().moves(Move.Extend.class)).isEmpty();
	}

	/** E7: whoever asks ends the extending first. */
	@Test
	void aRowThatIsAskedAboutIsNotExtendedAnyMore() {
		this.once.ledger().before(Move.Extend.class, () -> {
			this.once.clock().advance(Duration.ofSeconds(30));
			this.once
				.resolveDue(new Resolvable<>(Contracts.PAYMENTS, (effect) -> Resolution.didNotHappen(), TestCall.TEXT));
		});
		this.call.perform((effect) -> {
			this.once.time().advance(THIRD);
			Instant before = windowUntil();
			this.once.protocol().extendDue();
			assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
			assertThat(windowUntil()).isEqualTo(before);
			assertThat(effect.timeLeft()).isEqualTo(Duration.ofSeconds(20));
			return this.farSide.charge(effect);
		});
	}

	/** E3: a refusal is final, whatever is confirmed after it. */
	@Test
	void anExtensionConfirmedAfterARefusalDoesNotMakeTheAttemptDone() {
		this.once.ledger().before(Move.Submit.class, () -> this.once.time().advance(Duration.ofSeconds(5)));
		Outcome<String> outcome = this.call.perform((effect) -> {
			this.once.ledger().before(Move.Extend.class, () -> {
				this.once.time().advance(Duration.ofSeconds(15));
				assertThatExceptionOfType(EffectDeadlineException.class).isThrownBy(() -> this.farSide.accept(effect));
			});
			this.once.time().advance(THIRD);
			this.once.protocol().extendDue();
			assertThat(effect.timeLeft()).isPositive();
			return Outcome.done("pretended");
		});
		assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** L4: one statement for all windows, each confirmed by itself. */
	@Test
	void allWindowsThatAreDueAreExtendedTogetherAndConfirmedOneByOne() {
		TestCall other = this.once.charge("inv-2");
		CompletableFuture<Outcome<String>> answer = new CompletableFuture<>();
		CompletableFuture<Outcome<String>> first = this.call.performAsync((effect) -> answer);
		other.perform((effect) -> {
			this.once.ledger().fail(Move.Extend.class, Fault.SKIPPED);
			this.once.time().advance(THIRD);
			this.once.protocol().extendDue();
			assertThat(this.once.ledger().moves(Move.Extend.class)).extracting(Move.Extend::key)
				.containsExactlyInAnyOrder(this.call.key(), other.key());
			this.once.protocol().extendDue();
			assertThat(this.once.ledger().moves(Move.Extend.class)).hasSize(3);
			return this.farSide.charge(effect);
		});
		answer.complete(Outcome.done("late"));
		assertThat(first.join().isDone()).isTrue();
		assertThat(this.once.protocol().inFlight()).isZero();
	}

	private Instant windowUntil() {
		return this.once.row(this.call).attempt().windowUntil();
	}

}
