package dev.once.ledger;

import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import dev.once.EffectRefusedException;
import dev.once.EffectResolver;
import dev.once.Outcome;
import dev.once.Resolution;
import dev.once.lease.Run;
import dev.once.ledger.EffectProtocol.Body;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E4: an answer that comes late is the truth, unless somebody has acted on another.
 */
class LateAnswerTests {

	private static final EffectResolver<String> NOT_FOUND = (effect) -> Resolution.didNotHappen();

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final FarSideDouble farSide = new FarSideDouble();

	private final TestCall call = this.once.charge("inv-1");

	@BeforeEach
	void hasAResolver() {
		this.call.resolvedBy(NOT_FOUND);
	}

	@AfterEach
	void close() {
		this.once.close();
	}

	/** E4: from unknown, as long as nothing was decided. */
	@Test
	void anAnswerForAnEffectThatWasMarkedUnknownMeanwhileIsRecorded() {
		Outcome<String> outcome = answeredAfter(() -> {
			this.once.time().advance(Duration.ofSeconds(31));
			ask((effect) -> Resolution.cannotTell());
		});
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.once.row(this.call).outcome()).isEqualTo(EffectOutcome.PERFORMED);
		assertThat(this.once.row(this.call).attention()).isNull();
		assertThat(this.once.events().contradictions()).isEmpty();
	}

	/** E4, I5: done is final and its answer frozen. */
	@Test
	void anAnswerForAnEffectThatWasResolvedAsHappenedChangesNothing() {
		Outcome<String> outcome = answeredAfter(() -> {
			this.once.time().advance(Duration.ofSeconds(31));
			ask((effect) -> Resolution.happened("found"));
		});
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.once.row(this.call).answer()).isEqualTo(new Answer("found", "text"));
		assertThat(this.once.row(this.call).attention()).isNull();
		assertThat(this.once.events().contradictions()).isEmpty();
	}

	/** E4: not attempted since. */
	@Test
	void anAnswerForAnEffectThatWasResolvedAsNotHappenedIsRecordedAsTheTruthAndFlagged() {
		Outcome<String> outcome = answeredAfter(this::believeThatItDidNotHappen);
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.answer()).isEqualTo(new Answer("receipt-1", "text"));
		assertThat(row.attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(this.once.events().contradictions()).containsExactly(this.call.facts());
		assertThat(this.call.perform(this.farSide::charge).isDone()).isTrue();
		assertThat(this.farSide.requests()).isOne();
	}

	/** E4: attempted since. */
	@Test
	void anAnswerForAnEffectThatWasAttemptedSinceIsFlaggedAndLeavesTheAttemptAlone() {
		TestCall second = this.once.charge("inv-1").resolvedBy(NOT_FOUND);
		Outcome<String> outcome = answeredAfter(() -> {
			believeThatItDidNotHappen();
			assertThat(second.perform(this.farSide::charge)).isEqualTo(new Outcome.Done<>("receipt-2", false, 1));
		});
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		EffectRow row = this.once.row(this.call);
		assertThat(row.attempt().number()).isEqualTo(2);
		assertThat(row.answer()).isEqualTo(new Answer("receipt-2", "text"));
		assertThat(row.attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(row.detail()).contains("resolved as \"did not happen\"");
		assertThat(this.once.events().contradictions()).containsExactly(this.call.facts());
	}

	/** E4: the attempt in flight settles later than the contradiction was seen. */
	@Test
	void aContradictionSeenDuringAnAttemptOutlivesItsAnswer() {
		contradictDuringTheSecondAttempt((effect) -> this.farSide.charge(effect));
		EffectRow row = this.once.row(this.call);
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(row.detail()).contains("resolved as \"did not happen\"");
		assertThat(this.once.events().contradictions()).hasSize(1);
	}

	/**
	 * E4, E6: it has happened once, so that nobody attempts it again without a person.
	 */
	@Test
	void aContradictionSeenDuringAnAttemptThatIsNotSentLetsNobodyAttemptItAgain() {
		contradictDuringTheSecondAttempt(this.farSide.unreachable(new ConnectException("refused")));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.Refused.class);
		assertThat(this.farSide.requests()).isOne();
	}

	/** E4, E6: nor after the last refusal. */
	@Test
	void aContradictionIsNotHiddenByARefusal() {
		contradictDuringTheSecondAttempt(
				this.farSide.unreachable(new EffectRefusedException("charged already", null, null, true)));
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.CONTRADICTION);
	}

	/** E4, E7: nor by what a resolver says about the other attempt. */
	@Test
	void aContradictionSeenWhileTheFarSideIsAskedOutlivesWhatItSays() {
		Runnable firstAnswers = firstAttemptIsResolvedAsNotHappened();
		loseSecondAttempt();
		ask((effect) -> {
			firstAnswers.run();
			return Resolution.happened("found");
		});
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(this.once.row(this.call).detail()).contains("resolved as \"did not happen\"");
	}

	/** E4, E6, E7: and frees nothing for another attempt. */
	@Test
	void aContradictionSeenWhileTheFarSideIsAskedLetsNobodyAttemptItAgain() {
		Runnable firstAnswers = firstAttemptIsResolvedAsNotHappened();
		loseSecondAttempt();
		this.once.time().advance(Duration.ofMinutes(2));
		ask((effect) -> {
			firstAnswers.run();
			return Resolution.didNotHappen();
		});
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
		assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(this.call.perform(this.farSide::charge)).isInstanceOf(Outcome.Refused.class);
		assertThat(this.farSide.requests()).isEqualTo(2);
	}

	private void contradictDuringTheSecondAttempt(Body<String> second) {
		Runnable firstAnswers = firstAttemptIsResolvedAsNotHappened();
		this.once.charge("inv-1").resolvedBy(NOT_FOUND).perform((effect) -> {
			firstAnswers.run();
			assertThat(this.once.row(this.call).attention()).isEqualTo(Attention.CONTRADICTION);
			return second.perform(effect);
		});
	}

	private Runnable firstAttemptIsResolvedAsNotHappened() {
		CompletableFuture<Outcome<String>> answer = new CompletableFuture<>();
		this.call.performAsync((effect) -> {
			this.farSide.accept(effect);
			return answer;
		});
		believeThatItDidNotHappen();
		return () -> answer.complete(Outcome.done("receipt-1"));
	}

	private void loseSecondAttempt() {
		this.once.charge("inv-1").perform(this.farSide.acceptsThen(new IllegalStateException("unreadable")));
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.UNKNOWN);
	}

	/** E8: nobody had said that the first one did not happen. */
	@Test
	void anAnswerForAnAttemptThatAReSendHasReplacedIsNoContradiction() {
		TestCall resent = this.once.charge("inv-1").under(Contracts.remembering(Duration.ofHours(24)));
		Outcome<String> outcome = resent.perform((effect) -> {
			String receipt = this.farSide.accept(effect);
			this.once.time().advance(Duration.ofSeconds(31));
			Outcome<String> second = this.once.charge("inv-1")
				.under(Contracts.remembering(Duration.ofHours(24)))
				.perform(this.farSide::charge);
			assertThat(second.isDone()).isTrue();
			return Outcome.done(receipt);
		});
		assertThat(outcome).isEqualTo(new Outcome.Done<>("receipt-1", false, 1));
		assertThat(this.farSide.keys()).containsExactly(this.call.key(), this.call.key());
		assertThat(this.once.row(this.call).attention()).isNull();
		assertThat(this.once.events().contradictions()).isEmpty();
	}

	/** E4: a person had given it up. */
	@Test
	void anAnswerForAnEffectThatAPersonAbandonedIsAContradiction() {
		answeredAfter(() -> {
			EffectRow row = this.once.row(this.call);
			this.once.rows()
				.put(new EffectRow(row.facts(), row.attempt(), EffectState.DONE, EffectOutcome.ABANDONED, null, 0,
						row.firstSubmittedAt(), null, 0, null, null, null, row.readAt()));
		});
		EffectRow row = this.once.row(this.call);
		assertThat(row.outcome()).isEqualTo(EffectOutcome.ABANDONED);
		assertThat(row.attention()).isEqualTo(Attention.CONTRADICTION);
		assertThat(this.once.events().contradictions()).hasSize(1);
	}

	/** E4: the truth is not thrown away. */
	@Test
	void aRunThatWasTakenOverStillRecordsTheAnswerToWhatItHadSent() {
		Run run = this.once.run();
		this.call.inside(run);
		Outcome<String> outcome = answeredAfter(() -> {
			this.once.takenOver();
			this.once.leases().renewDue();
			assertThat(run.isFenced()).isTrue();
		});
		assertThat(outcome.isDone()).isTrue();
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
		assertThat(this.once.row(this.call).attention()).isNull();
	}

	private Outcome<String> answeredAfter(Runnable meanwhile) {
		return this.call.perform((effect) -> {
			String receipt = this.farSide.accept(effect);
			meanwhile.run();
			return Outcome.done(receipt);
		});
	}

	private void believeThatItDidNotHappen() {
		this.once.time().advance(Duration.ofMinutes(2));
		ask(NOT_FOUND);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.CLAIMED);
	}

	private void ask(EffectResolver<String> resolver) {
		this.once.resolveDue(new Resolvable<>(Contracts.PAYMENTS, resolver, TestCall.TEXT));
	}

}
