package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.EffectResolver;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.lease.StoreException;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.UnreliableLedger.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E7: the far side is asked before an unknown effect is attempted again, and "it did not
 * happen" is believed only once nothing can arrive any more.
 */
class ResolveTests {

	/** Window 30 s and settle-after 1 min. */
	private static final Duration SETTLED = Duration.ofSeconds(90);

	private static final EffectResolver<String> NOT_FOUND = (effect) -> Resolution.didNotHappen();

	private static final EffectResolver<String> CANNOT_TELL = (effect) -> Resolution.cannotTell();

	private static final EffectResolver<String> FOUND = (effect) -> Resolution.happened("found");

	private ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E7: counts at once. */
	@Test
	void itHappenedCountsAtOnceAndItsAnswerIsReplayed() {
		lose();
		EffectRow row = ask(FOUND);
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.outcome()).isEqualTo(EffectOutcome.RESOLVED);
		assertThat(row.answer()).isEqualTo(new Answer("found", "text"));
		assertThat(this.call.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.farSide.requests()).isOne();
		assertThat(this.once.events().resolved()).containsExactly(Resolved.HAPPENED);
	}

	/** E7: too early it proves nothing, and costs no try. */
	@Test
	void itDidNotHappenIsNotBelievedBeforeSettleAfterAndIsAskedAgainRightWhenItWouldBe() {
		Instant submitted = this.once.clock().now();
		lose();
		this.once.time().advance(Duration.ofSeconds(20));
		EffectRow row = ask(NOT_FOUND);
		assertThat(row.state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(row.resolveTries()).isZero();
		assertThat(row.attention()).isNull();
		assertThat(row.nextResolveAt()).isEqualTo(submitted.plus(SETTLED).plusMillis(1));
		assertThat(this.once.rows().due(10)).isEmpty();
		assertThat(this.call.resolvedBy(NOT_FOUND).perform(this.farSide::charge))
			.isEqualTo(new Outcome.Unresolved<>("charge/inv-1", Duration.ofSeconds(70).plusMillis(1), null, false));
		this.once.time().advance(Duration.ofSeconds(70).plusMillis(1));
		assertThat(this.once.rows().due(10)).hasSize(1);
		assertThat(ask(NOT_FOUND).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.events().resolved()).containsExactly(Resolved.CANNOT_TELL, Resolved.DID_NOT_HAPPEN);
	}

	/** E7: after, not at. */
	@Test
	void atTheVeryEndOfSettleAfterItIsNotBelievedYet() {
		lose();
		this.once.time().advance(SETTLED);
		assertThat(ask(NOT_FOUND).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E7. */
	@Test
	void afterSettleAfterItIsBelievedAndTheEffectIsAttemptedAgain() {
		this.call.perform((effect) -> {
			effect.sending();
			throw new IllegalStateException("lost on the way");
		});
		this.once.time().advance(SETTLED.plusMillis(1));
		Outcome<String> outcome = this.call.resolvedBy(NOT_FOUND).perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.once.row(this.call).attempt().number()).isEqualTo(2);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E7: judged by when the asking began. */
	@Test
	void anAskingThatBeganTooEarlyProvesNothingHoweverLateItIsAnswered() {
		lose();
		this.once.time().advance(Duration.ofSeconds(80));
		assertThat(ask((effect) -> {
			this.once.time().advance(Duration.ofSeconds(14));
			return Resolution.didNotHappen();
		}).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E3, E7: an extended window moves settle-after with it. */
	@Test
	void settleAfterIsCountedFromTheExtendedWindow() {
		this.call.perform((effect) -> {
			this.farSide.accept(effect);
			this.once.time().advance(Duration.ofSeconds(25));
			this.once.protocol().extendDue();
			throw new IllegalStateException("unreadable");
		});
		this.once.time().advance(SETTLED.minusSeconds(1));
		assertThat(ask(NOT_FOUND).state()).isEqualTo(EffectState.UNKNOWN);
		this.once.time().advance(Duration.ofSeconds(2));
		assertThat(ask(NOT_FOUND).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** E7: only while the far side would still show it. */
	@Test
	void itDidNotHappenProvesNothingOnceTheFarSideWouldNotShowItAnyMore() {
		this.call.under(Contracts.showing(Duration.ofHours(1)));
		lose();
		this.once.time().advance(Duration.ofHours(1).plusMillis(1));
		EffectRow row = ask(NOT_FOUND);
		assertThat(row.state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(row.resolveTries()).isOne();
		assertThat(ask(FOUND, Duration.ofSeconds(10)).state()).isEqualTo(EffectState.DONE);
	}

	/** E7. */
	@Test
	void itDidNotHappenIsBelievedWhileTheFarSideWouldStillShowIt() {
		this.call.under(Contracts.showing(Duration.ofHours(1)));
		lose();
		this.once.time().advance(Duration.ofHours(1));
		assertThat(ask(NOT_FOUND).state()).isEqualTo(EffectState.CLAIMED);
	}

	/** E7: backs off, and asks a person after the last try. */
	@Test
	void cannotTellBacksOffAndAsksAPersonAfterTheLastTry() {
		lose();
		List<Duration> waits = new ArrayList<>();
		for (int tries = 1; tries < 8; tries++) {
			EffectRow row = ask(CANNOT_TELL);
			assertThat(row.resolveTries()).isEqualTo(tries);
			assertThat(row.attention()).isNull();
			Duration wait = Duration.between(this.once.clock().now(), row.nextResolveAt());
			waits.add(wait);
			this.once.time().advance(wait.minusMillis(1));
			assertThat(this.once.rows().due(10)).isEmpty();
			this.once.time().advance(Duration.ofMillis(1));
		}
		assertThat(waits).extracting(Duration::toSeconds).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 600L);
		EffectRow last = ask(CANNOT_TELL);
		assertThat(last.state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(last.attention()).isEqualTo(Attention.UNDETERMINED);
		assertThat(last.nextResolveAt()).isNull();
		assertThat(this.once.rows().due(10)).isEmpty();
		assertThat(this.once.events().resolved()).hasSize(8).endsWith(Resolved.UNDETERMINED);
		assertThat(this.call.resolvedBy(FOUND).perform(this.farSide::charge))
			.isEqualTo(new Outcome.Unresolved<>("charge/inv-1", null, null, true));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E7: a throw is cannot tell. */
	@Test
	void aResolverThatThrowsCannotTell() {
		lose();
		assertThat(ask((effect) -> {
			throw new IllegalStateException("the far side is down");
		}).resolveTries()).isOne();
		assertThat(ask((effect) -> {
			throw new NoClassDefFoundError("Receipt");
		}, Duration.ofSeconds(10)).resolveTries()).isEqualTo(2);
		assertThat(ask((effect) -> null, Duration.ofSeconds(20)).resolveTries()).isEqualTo(3);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E7: a time-out is cannot tell, and its asking is given up. */
	@Test
	void aResolverThatDoesNotAnswerInTimeCannotTellAndIsInterrupted() throws InterruptedException {
		use(Duration.ofMillis(50));
		lose();
		CountDownLatch interrupted = new CountDownLatch(1);
		EffectRow row = ask((effect) -> {
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				interrupted.countDown();
			}
			return Resolution.happened("too late");
		});
		interrupted.await();
		assertThat(row.state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(row.resolveTries()).isOne();
	}

	/** E7: first marked unknown, and nobody else asks meanwhile. */
	@Test
	void theRowIsMarkedUnknownBeforeTheFarSideIsAskedAndNobodyElseAsks() {
		AtomicInteger askings = new AtomicInteger();
		AtomicReference<Outcome<String>> other = new AtomicReference<>();
		EffectResolver<String> resolver = (effect) -> {
			askings.incrementAndGet();
			assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
			assertThat(this.once.rows().due(10)).isEmpty();
			other.set(this.once.charge("inv-1").resolvedBy(NOT_FOUND).perform(this.farSide::charge));
			return Resolution.cannotTell();
		};
		submitAndDie();
		this.once.time().advance(Duration.ofSeconds(31));
		ask(resolver);
		assertThat(askings).hasValue(1);
		assertThat(other).hasValue(new Outcome.Unresolved<>("charge/inv-1", Duration.ofSeconds(15), null, false));
		assertThat(this.farSide.requests()).isOne();
	}

	/** E7: two resolvers give one winner. */
	@Test
	void ofTwoResolversTheFirstToRecordWins() {
		lose();
		this.once.time().advance(SETTLED.plusSeconds(1));
		EffectRow slow = ask((effect) -> {
			this.once.time().advance(Duration.ofSeconds(16));
			assertThat(ask(FOUND).state()).isEqualTo(EffectState.DONE);
			return Resolution.didNotHappen();
		});
		assertThat(slow.state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).answer()).isEqualTo(new Answer("found", "text"));
		assertThat(this.once.events().resolved()).containsExactly(Resolved.HAPPENED);
	}

	/** E7: by compare-and-set on the attempt asked about. */
	@Test
	void whatIsSaidAboutAnAttemptDoesNotFreeTheNextOne() {
		lose();
		this.once.time().advance(SETTLED.plusSeconds(1));
		EffectRow slow = ask((effect) -> {
			this.once.time().advance(Duration.ofSeconds(16));
			this.once.charge("inv-1")
				.resolvedBy(NOT_FOUND)
				.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
			return Resolution.didNotHappen();
		});
		assertThat(slow.state()).isEqualTo(EffectState.UNKNOWN);
		assertThat(slow.attempt().number()).isEqualTo(2);
		assertThat(this.farSide.requests()).isEqualTo(2);
	}

	/** What a resolver is told. */
	@Test
	void aResolverIsToldWhatItHasToLookFor() {
		Instant submitted = this.once.clock().now();
		lose();
		AtomicReference<UnresolvedEffect> told = new AtomicReference<>();
		ask((effect) -> {
			told.set(effect);
			return Resolution.cannotTell();
		});
		assertThat(told).hasValue(new UnresolvedEffect("charge", "inv-1", "charge/inv-1", this.call.key(),
				this.call.key(), 1, 1, submitted, "{\"amount\":10.00}"));
	}

	/** E7: a caller asks, too, when it is due. */
	@Test
	void aCallerThatMeetsAnUnknownEffectAsksAndTakesTheAnswer() {
		lose();
		assertThat(this.call.resolvedBy(FOUND).perform(this.farSide::charge))
			.isEqualTo(new Outcome.Done<>("found", true, 1));
		assertThat(this.call.endings()).containsExactly(Ending.UNKNOWN, Ending.DUPLICATE);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E8: nobody to ask, and a far side that promises nothing. */
	@Test
	void anEffectThatNobodyCanBeAskedAboutEndsUpWithAPerson() {
		submitAndDie();
		this.once.time().advance(Duration.ofSeconds(31));
		Outcome<String> outcome = this.call.perform(this.farSide::charge);
		assertThat(outcome).isEqualTo(new Outcome.Unresolved<>("charge/inv-1", null, null, true));
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.UNDETERMINED);
		assertThat(this.once.events().resolved()).containsExactly(Resolved.UNDETERMINED);
	}

	/** E2: a word that cannot be recorded changes nothing, and is asked for again. */
	@Test
	void aWordThatCannotBeRecordedIsAskedForAgain() {
		lose();
		this.once.ledger().fail(Move.Happened.class, Fault.NOT_COMMITTED);
		assertThat(this.call.resolvedBy(FOUND).perform(this.farSide::charge)).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
		this.once.time().advance(Duration.ofSeconds(15));
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		this.once.ledger().fail(Move.Ask.class, Fault.NOT_COMMITTED);
		TestCall other = this.once.charge("inv-2");
		other.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.once.protocol()
			.resolve(this.once.row(other), new Resolvable<>(Contracts.PAYMENTS, FOUND, TestCall.TEXT)));
	}

	/** E11: it has happened, whatever becomes of its answer's form. */
	@Test
	void anAnswerOfTheFarSideThatCannotBeWrittenIsDoneAllTheSame() {
		lose();
		EffectRow row = this.once.protocol()
			.resolve(this.once.row(this.call),
					new Resolvable<>(Contracts.PAYMENTS, FOUND, AnswerKeepingTests.unwritable()));
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.answer()).isEqualTo(Answer.notKept());
	}

	/** L4: resolvers are given up with the process. */
	@Test
	void aResolverThatIsAskedAfterTheEndCannotTell() {
		lose();
		this.once.close();
		assertThat(ask(FOUND).state()).isEqualTo(EffectState.UNKNOWN);
	}

	private void use(Duration resolverTimeout) {
		this.once.close();
		this.once = new ProtocolUnderTest(SecondRequest.FAIL, List.of(), resolverTimeout);
		this.call = this.once.charge("inv-1");
	}

	private void lose() {
		this.call.perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	// Its process dies with the body on its way
	private void submitAndDie() {
		this.call.performAsync((effect) -> {
			this.farSide.accept(effect);
			return new java.util.concurrent.CompletableFuture<>();
		});
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.SUBMITTED);
	}

	private EffectRow ask(EffectResolver<String> resolver) {
		return this.once.protocol()
			.resolve(this.once.row(this.call), new Resolvable<>(this.call.call().contract(), resolver, TestCall.TEXT));
	}

	private EffectRow ask(EffectResolver<String> resolver, Duration later) {
		this.once.time().advance(later);
		return ask(resolver);
	}

}
