package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;

import dev.once.Resolution;
import dev.once.ledger.EffectRules.Asking;
import dev.once.ledger.EffectRules.Attempted;
import dev.once.ledger.EffectRules.BodyEnd;
import dev.once.ledger.EffectRules.Earlier;
import dev.once.ledger.EffectRules.LateAnswer;
import dev.once.ledger.EffectRules.ReadBack;
import dev.once.ledger.EffectRules.ResolveSchedule;
import dev.once.ledger.EffectRules.Step;
import dev.once.ledger.EffectRules.Terms;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Ambiguous;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.Failure.Refused;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * E2 to E8: which event leads to which move, at the seams. Every move names the attempt
 * that it is about.
 */
class EffectRulesTests {

	private static final Instant START = Instant.parse("2026-08-24T04:00:00Z");

	private static final Duration WINDOW = Duration.ofSeconds(30);

	private static final Duration SETTLED = Duration.ofSeconds(90);

	private static final ResolveSchedule SCHEDULE = new ResolveSchedule(8, Duration.ofSeconds(10),
			Duration.ofMinutes(10));

	/** E6: in flight before the end of its window, asked about from then on. */
	@Test
	void aSubmittedRowIsInFlightUntilItsWindowEndsAndAskedAboutFromThenOn() {
		EffectRow before = row(EffectState.SUBMITTED, WINDOW.minusNanos(1));
		assertThat(EffectRules.onMeeting(before, terms(Asking.RESOLVER)))
			.isEqualTo(new Step.InFlight(before, Duration.ofNanos(1)));
		EffectRow at = row(EffectState.SUBMITTED, WINDOW);
		assertThat(EffectRules.onMeeting(at, terms(Asking.RESOLVER))).isEqualTo(new Step.Ask(at));
		assertThat(EffectRules.onMeeting(at, terms(Asking.NOBODY))).isEqualTo(new Step.Ask(at));
	}

	/** E6: an unknown row is asked about when it is due, whatever its window. */
	@Test
	void anUnknownRowIsAskedAboutOnceItIsDue() {
		EffectRow due = row(EffectState.UNKNOWN, Duration.ofSeconds(5));
		assertThat(EffectRules.onMeeting(due, terms(Asking.RESOLVER))).isEqualTo(new Step.Ask(due));
		EffectRow later = row(EffectState.UNKNOWN, Duration.ofSeconds(5), null, Duration.ofSeconds(6));
		assertThat(EffectRules.onMeeting(later, terms(Asking.RESOLVER)))
			.isEqualTo(new Step.AskedLater(later, Duration.ofSeconds(1)));
		EffectRow now = row(EffectState.UNKNOWN, Duration.ofSeconds(6), null, Duration.ofSeconds(6));
		assertThat(EffectRules.onMeeting(now, terms(Asking.RESOLVER))).isEqualTo(new Step.Ask(now));
	}

	/** E6: attention stops everybody but a person, whoever could be asked. */
	@Test
	void attentionStopsEverybodyButAPerson() {
		for (Attention attention : Attention.values()) {
			for (EffectState state : new EffectState[] { EffectState.CLAIMED, EffectState.UNKNOWN }) {
				EffectRow row = row(state, Duration.ofHours(1), attention, null);
				Terms remembering = new Terms(Contracts.remembering(Duration.ofDays(1)), Asking.NOBODY, SCHEDULE);
				assertThat(EffectRules.onMeeting(row, terms(Asking.RESOLVER))).isEqualTo(new Step.NeedsPerson(row));
				assertThat(EffectRules.onMeeting(row, remembering)).isEqualTo(new Step.NeedsPerson(row));
			}
		}
	}

	/** E6: done is replayed, and never attempted. */
	@Test
	void aDoneRowIsReplayedWhateverItsAttention() {
		for (Attention attention : new Attention[] { null, Attention.CONTRADICTION }) {
			EffectRow row = row(EffectState.DONE, Duration.ofDays(300), attention, null);
			assertThat(EffectRules.onMeeting(row, terms(Asking.NOBODY))).isEqualTo(new Step.Replay(row));
		}
	}

	/** E8: whoever sends again does so with an earlier attempt's fate open. */
	@Test
	void aReSendIsMarkedAsOneWhoseEarlierAttemptIsOpen() {
		EffectRow row = row(EffectState.UNKNOWN, Duration.ofMinutes(1));
		Terms terms = new Terms(Contracts.remembering(Duration.ofHours(1)), Asking.NOBODY, SCHEDULE);
		assertThat(EffectRules.onMeeting(row, terms)).isEqualTo(new Step.Again(row, Earlier.OPEN));
		EffectRow claimed = row(EffectState.CLAIMED, Duration.ofMinutes(1));
		assertThat(EffectRules.onMeeting(claimed, terms)).isEqualTo(new Step.Again(claimed, Earlier.SETTLED));
	}

	/** E2: only one's own attempt, still submitted, with its window open. */
	@Test
	void aReadBackTrustsOnesOwnSubmittedRowWithAnOpenWindowAndNothingElse() {
		assertThat(EffectRules.onReadBack(null, "mine")).isEqualTo(ReadBack.NOT_COMMITTED);
		assertThat(EffectRules.onReadBack(row(EffectState.SUBMITTED, WINDOW.minusNanos(1)), "mine"))
			.isEqualTo(ReadBack.COMMITTED);
		assertThat(EffectRules.onReadBack(row(EffectState.SUBMITTED, WINDOW), "mine")).isEqualTo(ReadBack.TOO_LATE);
		for (EffectState state : EffectState.values()) {
			assertThat(EffectRules.onReadBack(row(state, Duration.ZERO), "another")).isEqualTo(ReadBack.NOT_COMMITTED);
			if (state != EffectState.SUBMITTED) {
				assertThat(EffectRules.onReadBack(row(state, Duration.ZERO), "mine")).isEqualTo(ReadBack.TOO_LATE);
			}
		}
	}

	/** E5: nothing open but the request that the failure is about. */
	@Test
	void onlyAnAttemptWithNothingElseOpenGoesBackToClaimed() {
		NotSent aboutLast = new NotSent(About.THE_LAST_REQUEST);
		NotSent aboutNone = new NotSent(About.NO_REQUEST);
		Refused refused = new Refused(null, Next.ANOTHER_ATTEMPT);
		for (Failure failure : new Failure[] { aboutLast, aboutNone, refused }) {
			assertThat(onFailure(failure, Earlier.SETTLED, 0, false)).isNotInstanceOf(Move.Lose.class);
			assertThat(onFailure(failure, Earlier.SETTLED, 1, false)).isInstanceOf(Move.Lose.class);
			assertThat(onFailure(failure, Earlier.SETTLED, 1, true)).isInstanceOf(Move.Lose.class);
			assertThat(onFailure(failure, Earlier.OPEN, 0, false)).isInstanceOf(Move.Lose.class);
			assertThat(onFailure(failure, Earlier.OPEN, 0, true)).isInstanceOf(Move.Lose.class);
		}
		assertThat(onFailure(aboutLast, Earlier.SETTLED, 0, true)).isInstanceOf(Move.Release.class);
		assertThat(onFailure(refused, Earlier.SETTLED, 0, true)).isInstanceOf(Move.Refuse.class);
		assertThat(onFailure(aboutNone, Earlier.SETTLED, 0, true)).isInstanceOf(Move.Lose.class);
		assertThat(onFailure(new Ambiguous(), Earlier.SETTLED, 0, false)).isInstanceOf(Move.Lose.class);
	}

	private static Move onFailure(Failure failure, Earlier earlier, int openBeforeLast, boolean lastOpen) {
		Attempted attempted = new Attempted("key", 1, "mine", 0, earlier, openBeforeLast, lastOpen);
		return EffectRules.onBodyEnd(attempted, new BodyEnd.Failed(failure, null, "detail"), Contracts.PAYMENTS);
	}

	/** E3: an answer settles, whatever the score says. */
	@Test
	void anAnswerSettlesItsAttempt() {
		Attempted attempted = new Attempted("key", 1, "mine", 0, Earlier.OPEN, 1, true);
		Answer answer = new Answer("receipt", "text");
		assertThat(EffectRules.onBodyEnd(attempted, new BodyEnd.Answered(answer), Contracts.PAYMENTS))
			.isEqualTo(new Move.Settle("key", 1, "mine", answer));
	}

	/** E4. */
	@Test
	void aLateAnswerIsJudgedByTheAttemptInTheRow() {
		EffectRow done = row(EffectState.DONE, Duration.ZERO);
		assertThat(EffectRules.onLateAnswer(done, "mine", Asking.RESOLVER)).isEqualTo(LateAnswer.ALREADY_RECORDED);
		assertThat(EffectRules.onLateAnswer(done, "another", Asking.RESOLVER)).isEqualTo(LateAnswer.CONTRADICTION);
		assertThat(EffectRules.onLateAnswer(done, "another", Asking.NOBODY)).isEqualTo(LateAnswer.REPLACED);
	}

	/**
	 * E7: after settle-after, by when the asking began, about the attempt asked about.
	 */
	@Test
	void itDidNotHappenIsBelievedAfterSettleAfterAndNamesTheAttemptAskedAbout() {
		EffectRow early = row(EffectState.UNKNOWN, SETTLED);
		assertThat(judge(early, Resolution.didNotHappen(), Contracts.PAYMENTS))
			.isEqualTo(new Move.KeepUnknown("key", 1, "mine", Duration.ofMillis(1), 0, null));
		EffectRow late = row(EffectState.UNKNOWN, SETTLED.plusNanos(1));
		assertThat(judge(late, Resolution.didNotHappen(), Contracts.PAYMENTS))
			.isEqualTo(new Move.DidNotHappen("key", 1, "mine", late.readAt(), null));
	}

	/** E7: only while the far side would still show it. */
	@Test
	void itDidNotHappenIsBelievedUpToTheEndOfShows() {
		FarSideContract contract = Contracts.showing(Duration.ofHours(1));
		EffectRow shown = row(EffectState.UNKNOWN, Duration.ofHours(1));
		assertThat(judge(shown, Resolution.didNotHappen(), contract)).isInstanceOf(Move.DidNotHappen.class);
		EffectRow hidden = row(EffectState.UNKNOWN, Duration.ofHours(1).plusNanos(1));
		assertThat(judge(hidden, Resolution.didNotHappen(), contract))
			.isEqualTo(new Move.KeepUnknown("key", 1, "mine", Duration.ofSeconds(10), 1, null));
	}

	/** E8: window and settle-after end within the memory. */
	@Test
	void aRowThatNobodyCanBeAskedAboutIsLeftToItsCallerWhileTheFarSideRemembers() {
		FarSideContract contract = Contracts.remembering(Duration.ofHours(1));
		EffectRow inTime = row(EffectState.UNKNOWN, Duration.ofHours(1).minus(SETTLED));
		assertThat(EffectRules.onNobodyToAsk(inTime, contract))
			.isEqualTo(new Move.KeepUnknown("key", 1, "mine", Duration.ofMillis(1), 0, null));
		EffectRow tooLate = row(EffectState.UNKNOWN, Duration.ofHours(1).minus(SETTLED).plusNanos(1));
		assertThat(EffectRules.onNobodyToAsk(tooLate, contract))
			.isEqualTo(new Move.KeepUnknown("key", 1, "mine", null, 0, Attention.UNDETERMINED));
		assertThat(EffectRules.onNobodyToAsk(inTime, Contracts.PAYMENTS))
			.isEqualTo(new Move.KeepUnknown("key", 1, "mine", null, 0, Attention.UNDETERMINED));
	}

	private static Move judge(EffectRow asked, Resolution<String> said, FarSideContract contract) {
		return EffectRules.onResolution(asked, said, new Terms(contract, Asking.RESOLVER, SCHEDULE), null);
	}

	private static Terms terms(Asking asking) {
		return new Terms(Contracts.PAYMENTS, asking, SCHEDULE);
	}

	private static EffectRow row(EffectState state, Duration age) {
		return row(state, age, null, null);
	}

	private static EffectRow row(EffectState state, Duration age, @Nullable Attention attention,
			@Nullable Duration nextResolve) {
		EffectFacts facts = new EffectFacts("key", 1, "charge", "inv-1", null, "digest", null, "charge/inv-1");
		AttemptFacts attempt = new AttemptFacts(1, "mine", null, START, START.plus(WINDOW), SETTLED.minus(WINDOW));
		return new EffectRow(facts, attempt, state, (state == EffectState.DONE) ? EffectOutcome.PERFORMED : null,
				attention, 0, START, null, 0, (nextResolve != null) ? START.plus(nextResolve) : null, null, null,
				START.plus(age));
	}

}
