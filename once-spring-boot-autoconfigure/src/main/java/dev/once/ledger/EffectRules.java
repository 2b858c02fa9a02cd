package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;

import dev.once.Resolution;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Ambiguous;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.Failure.Refused;
import dev.once.ledger.FarSideContract.RefusalKey;
import org.jspecify.annotations.Nullable;

/**
 * The one definition of which event leads from which state to which move. It looks and
 * decides; it changes nothing. The protocol and its model both follow it.
 */
public final class EffectRules {

	private EffectRules() {
	}

	/**
	 * E6, E8: what a caller does about the row of its own key.
	 * @param row the row as met
	 * @param terms the far side's contract, and who can be asked
	 */
	public static Step onMeeting(EffectRow row, Terms terms) {
		return switch (row.state()) {
			case DONE -> onMeetingDone(row);
			case CLAIMED -> onMeetingClaimed(row);
			case SUBMITTED -> row.windowEnded() ? new Step.Ask(row)
					: new Step.InFlight(row, Duration.between(row.readAt(), row.attempt().windowUntil()));
			case UNKNOWN -> onMeetingUnknown(row, terms);
		};
	}

	private static Step onMeetingDone(EffectRow row) {
		return (row.outcome() == EffectOutcome.ABANDONED || row.outcome() == EffectOutcome.DENIED)
				? new Step.GivenUp(row) : new Step.Replay(row);
	}

	private static Step onMeetingClaimed(EffectRow row) {
		if (row.attention() != null) {
			return new Step.NeedsPerson(row);
		}
		if (row.nextAttemptAt() != null && row.readAt().isBefore(row.nextAttemptAt())) {
			return new Step.NotYet(row, Duration.between(row.readAt(), row.nextAttemptAt()));
		}
		return new Step.Again(row, Earlier.SETTLED);
	}

	private static Step onMeetingUnknown(EffectRow row, Terms terms) {
		if (row.attention() != null) {
			return new Step.NeedsPerson(row);
		}
		if (terms.asking() == Asking.RESOLVER) {
			return (row.nextResolveAt() == null || !row.readAt().isBefore(row.nextResolveAt())) ? new Step.Ask(row)
					: new Step.AskedLater(row, Duration.between(row.readAt(), row.nextResolveAt()));
		}
		// E8: straight from unknown to submitted, and only within the far side's memory
		Duration left = memoryLeft(row, terms.contract());
		return (left != null && !left.isNegative()) ? new Step.Again(row, Earlier.OPEN) : new Step.NeedsPerson(row);
	}

	/**
	 * T1, E6: what a local call does about the row of its own key. Nobody can be asked
	 * about an effect in this database: a row that an external release of the same action
	 * left {@code submitted} past its window, or {@code unknown}, waits for a person.
	 * @param row the row as met
	 */
	public static Step onMeetingLocally(EffectRow row) {
		return switch (row.state()) {
			case DONE -> onMeetingDone(row);
			case CLAIMED -> onMeetingClaimed(row);
			case SUBMITTED -> row.windowEnded() ? new Step.NeedsPerson(row)
					: new Step.InFlight(row, Duration.between(row.readAt(), row.attempt().windowUntil()));
			case UNKNOWN -> new Step.NeedsPerson(row);
		};
	}

	/**
	 * E2: whether the row, read back after an ambiguous submit, shows that the submit was
	 * committed and may be acted on.
	 * @param row the row, or {@code null} when there is none
	 * @param attemptId the attempt whose submit was ambiguous
	 */
	public static ReadBack onReadBack(@Nullable EffectRow row, String attemptId) {
		if (row == null) {
			return ReadBack.NOT_COMMITTED;
		}
		if (!row.isAttempt(attemptId)) {
			return ReadBack.NOT_COMMITTED;
		}
		return (row.state() == EffectState.SUBMITTED && !row.windowEnded()) ? ReadBack.COMMITTED : ReadBack.TOO_LATE;
	}

	/**
	 * E3, E5: what the end of a body makes of its attempt.
	 * @param attempt the attempt
	 * @param end how the body ended
	 * @param contract the far side's contract
	 */
	public static Move onBodyEnd(Attempted attempt, BodyEnd end, FarSideContract contract) {
		if (end instanceof BodyEnd.Answered answered) {
			return new Move.Settle(attempt.key(), attempt.revision(), attempt.id(), answered.answer());
		}
		BodyEnd.Failed failed = (BodyEnd.Failed) end;
		if (failed.failure() instanceof NotSent notSent && attempt.nothingOpenBut(notSent.about())) {
			return new Move.Release(attempt.key(), attempt.revision(), attempt.id(), failed.nextAttemptIn(),
					failed.detail());
		}
		if (failed.failure() instanceof Refused refused && attempt.nothingOpenBut(About.THE_LAST_REQUEST)) {
			boolean last = refused.next() == Next.A_PERSON || attempt.refusals() + 1 >= contract.attempts();
			Duration wait = (refused.retryAfter() != null) ? refused.retryAfter() : contract.backoff();
			return new Move.Refuse(attempt.key(), attempt.revision(), attempt.id(), last ? null : wait,
					last ? Attention.REFUSED : null, failed.detail());
		}
		return new Move.Lose(attempt.key(), attempt.revision(), attempt.id(), failed.detail());
	}

	/**
	 * E4: what an answer means that found its row moved on.
	 * @param row the row as met
	 * @param attemptId the attempt whose answer came
	 * @param asking who can be asked about the action's effects
	 */
	public static LateAnswer onLateAnswer(EffectRow row, String attemptId, Asking asking) {
		if (row.isAttempt(attemptId)) {
			boolean mine = row.outcome() == EffectOutcome.PERFORMED || row.outcome() == EffectOutcome.RESOLVED;
			return mine ? LateAnswer.ALREADY_RECORDED : LateAnswer.CONTRADICTION;
		}
		// E8: a re-send replaces an attempt that nobody said did not happen
		return (asking == Asking.RESOLVER) ? LateAnswer.CONTRADICTION : LateAnswer.REPLACED;
	}

	/**
	 * E4: whether an answer, as it was recorded, was itself the contradiction. An earlier
	 * one has left its detail.
	 * @param settled the row as settled
	 */
	public static boolean contradicts(EffectRow settled) {
		return settled.attention() == Attention.CONTRADICTION && settled.detail() == null;
	}

	/**
	 * E7: what the resolver's word makes of the row it was asked about.
	 * @param asked the row as it was when the asking began
	 * @param resolution what the resolver said
	 * @param terms the far side's contract, and when to ask again
	 * @param answer the answer in stored form, when it happened
	 */
	public static Move onResolution(EffectRow asked, Resolution<?> resolution, Terms terms, @Nullable Answer answer) {
		if (resolution instanceof Resolution.Happened && answer != null) {
			return new Move.Happened(asked.facts().key(), asked.facts().revision(), asked.attempt().id(), answer);
		}
		Duration shows = terms.contract().shows();
		boolean shown = shows == null || !asked.readAt().isAfter(asked.firstSubmittedAt().plus(shows));
		if (resolution instanceof Resolution.DidNotHappen && shown) {
			Instant settledAt = asked.attempt().settledAt();
			if (asked.readAt().isAfter(settledAt)) {
				return new Move.DidNotHappen(asked.facts().key(), asked.facts().revision(), asked.attempt().id(),
						asked.readAt(), shows);
			}
			// Too early to prove anything: ask again when it does
			return keepUnknown(asked, Duration.between(asked.readAt(), settledAt).plusMillis(1), 0, null);
		}
		int tries = asked.resolveTries() + 1;
		return (tries >= terms.schedule().tries()) ? keepUnknown(asked, null, 1, Attention.UNDETERMINED)
				: keepUnknown(asked, terms.schedule().backoff(tries), 1, null);
	}

	/**
	 * E8: what becomes of an unknown row that nobody can be asked about: it waits for its
	 * caller while the far side remembers, then for a person.
	 * @param asked the row as marked
	 * @param contract the far side's contract
	 */
	public static Move onNobodyToAsk(EffectRow asked, FarSideContract contract) {
		Duration left = memoryLeft(asked, contract);
		return (left != null && !left.isNegative()) ? keepUnknown(asked, left.plusMillis(1), 0, null)
				: keepUnknown(asked, null, 0, Attention.UNDETERMINED);
	}

	/**
	 * E10: the key that the far side is given. It changes only with a definite refusal,
	 * and only where the contract wants that.
	 * @param facts what names the effect
	 * @param refusals how often the far side definitely refused
	 * @param contract the far side's contract
	 */
	public static String idempotencyKey(EffectFacts facts, int refusals, FarSideContract contract) {
		return (contract.refusalKey() == RefusalKey.FRESH && refusals > 0) ? facts.key() + "-" + refusals : facts.key();
	}

	private static Move keepUnknown(EffectRow asked, @Nullable Duration nextResolveIn, int tries,
			@Nullable Attention attention) {
		return new Move.KeepUnknown(asked.facts().key(), asked.facts().revision(), asked.attempt().id(), nextResolveIn,
				tries, attention);
	}

	/**
	 * How much later a re-send could still begin, so that its window and settle-after end
	 * within the far side's memory; negative when it is too late.
	 */
	private static @Nullable Duration memoryLeft(EffectRow row, FarSideContract contract) {
		Duration remembers = contract.remembers();
		if (remembers == null) {
			return null;
		}
		Instant end = row.readAt().plus(contract.window()).plus(contract.settleAfter());
		return Duration.between(end, row.firstSubmittedAt().plus(remembers));
	}

	/**
	 * What a caller does next about a row.
	 */
	public sealed interface Step {

		/**
		 * The row that the step is about.
		 */
		EffectRow row();

		/**
		 * It is done: give back its answer.
		 *
		 * @param row the row
		 */
		record Replay(EffectRow row) implements Step {

		}

		/**
		 * A person ended it.
		 *
		 * @param row the row
		 */
		record GivenUp(EffectRow row) implements Step {

		}

		/**
		 * Another attempt is in flight.
		 *
		 * @param row the row
		 * @param left until its window ends
		 */
		record InFlight(EffectRow row, Duration left) implements Step {

		}

		/**
		 * Attempt it, by a {@link Move.Resubmit}.
		 *
		 * @param row the row
		 * @param earlier whether an earlier attempt's fate is open
		 */
		record Again(EffectRow row, Earlier earlier) implements Step {

		}

		/**
		 * Its next attempt is not due.
		 *
		 * @param row the row
		 * @param left until it is
		 */
		record NotYet(EffectRow row, Duration left) implements Step {

		}

		/**
		 * Mark it unknown and ask, by a {@link Move.Ask}.
		 *
		 * @param row the row
		 */
		record Ask(EffectRow row) implements Step {

		}

		/**
		 * The far side has been asked and will be asked again.
		 *
		 * @param row the row
		 * @param left until it is
		 */
		record AskedLater(EffectRow row, Duration left) implements Step {

		}

		/**
		 * Only a person can go on.
		 *
		 * @param row the row
		 */
		record NeedsPerson(EffectRow row) implements Step {

		}

	}

	/**
	 * What a decision about a row depends on besides the row.
	 *
	 * @param contract the far side's contract
	 * @param asking who can be asked
	 * @param schedule when to ask again
	 */
	public record Terms(FarSideContract contract, Asking asking, ResolveSchedule schedule) {

	}

	/**
	 * Who can be asked about an effect.
	 */
	public enum Asking {

		/**
		 * The action has a resolver.
		 */
		RESOLVER,

		/**
		 * Nobody.
		 */
		NOBODY

	}

	/**
	 * When a resolver is asked again after it could not tell.
	 *
	 * @param tries how many times before a person is asked, from 1
	 * @param first the first wait, doubled with each try
	 * @param longest the longest wait
	 */
	public record ResolveSchedule(int tries, Duration first, Duration longest) {

		Duration backoff(int tries) {
			Duration wait = this.first;
			for (int i = 1; i < tries && wait.compareTo(this.longest) < 0; i++) {
				wait = wait.multipliedBy(2);
			}
			return (wait.compareTo(this.longest) < 0) ? wait : this.longest;
		}

	}

	/**
	 * Whether an earlier attempt's fate is open. While it is, no failure of a later one
	 * leads to {@code claimed} (E5, E8).
	 */
	public enum Earlier {

		/**
		 * Every earlier attempt is known not to have happened.
		 */
		SETTLED,

		/**
		 * An earlier attempt may have happened.
		 */
		OPEN

	}

	/**
	 * What the read-back after an ambiguous submit shows.
	 */
	public enum ReadBack {

		/**
		 * The submit is committed, and its window is open: go on.
		 */
		COMMITTED,

		/**
		 * The submit is not committed: nothing may be sent under it.
		 */
		NOT_COMMITTED,

		/**
		 * It was committed, but the row has moved on: nothing may be sent under it.
		 */
		TOO_LATE

	}

	/**
	 * What an answer means that found its row moved on.
	 */
	public enum LateAnswer {

		/**
		 * The same attempt's answer is recorded already.
		 */
		ALREADY_RECORDED,

		/**
		 * A re-send under the same key has taken its place.
		 */
		REPLACED,

		/**
		 * The attempt had been resolved as "did not happen".
		 */
		CONTRADICTION

	}

	/**
	 * An attempt at the end of its body.
	 *
	 * @param key the effect key
	 * @param revision the revision
	 * @param id the attempt's id
	 * @param refusals how often the far side had refused before
	 * @param earlier whether an earlier attempt's fate is open
	 * @param openBeforeLast how many writing requests before the last one have an open
	 * fate
	 * @param lastOpen whether the last writing request's fate is open
	 */
	public record Attempted(String key, int revision, String id, int refusals, Earlier earlier, int openBeforeLast,
			boolean lastOpen) {

		// E5: a failure proves nothing about the requests that it is not about
		private boolean nothingOpenBut(About about) {
			boolean lastCounts = this.lastOpen && about == About.NO_REQUEST;
			return this.earlier == Earlier.SETTLED && this.openBeforeLast == 0 && !lastCounts;
		}

	}

	/**
	 * How a body ended.
	 */
	public sealed interface BodyEnd {

		/**
		 * With an answer, and without having been stopped at the deadline.
		 *
		 * @param answer the answer in stored form
		 */
		record Answered(Answer answer) implements BodyEnd {

		}

		/**
		 * With a failure, or with a deadline that it was stopped at, thrown or swallowed
		 * (E3).
		 *
		 * @param failure what it proves
		 * @param nextAttemptIn how long a release waits, or {@code null}
		 * @param detail cleaned and cut text, or {@code null}
		 */
		record Failed(Failure failure, @Nullable Duration nextAttemptIn, @Nullable String detail) implements BodyEnd {

			/**
			 * The end of a body that was stopped at its deadline.
			 */
			static Failed pastDeadline() {
				return new Failed(new NotSent(About.NO_REQUEST), null,
						"the window ended before the request could leave");
			}

			static Failed ambiguous(String detail) {
				return new Failed(new Ambiguous(), null, detail);
			}

		}

	}

}
