package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What each {@link Move} expects of a row and does to it, as a pure function. It is what
 * the database's statements are held to.
 */
final class MoveSemantics {

	private MoveSemantics() {
	}

	/**
	 * Makes a move.
	 * @param row the row of the move's key, or {@code null} when there is none
	 * @param around what the move reads besides its row
	 * @param move the move
	 * @param now the database's clock
	 */
	static Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
		if (move instanceof Move.Submit submit) {
			return submit(row, around, submit, now);
		}
		if (row == null) {
			return new Result(new Moved.Absent(), null);
		}
		if (move instanceof Move.Resubmit resubmit) {
			return resubmit(row, around, resubmit, now);
		}
		EffectRow changed = change(row, move, now);
		return (changed != null) ? new Result(new Moved.Applied(changed), changed) : met(row, now);
	}

	private static Result submit(@Nullable EffectRow row, Around around, Move.Submit move, Instant now) {
		if (row != null) {
			return met(row, now);
		}
		if (around.fences(move.fence())) {
			return new Result(new Moved.Fenced(), null);
		}
		EffectRow open = around.othersOf(move.facts()).filter(MoveSemantics::isOpen).findFirst().orElse(null);
		if (move.waiting() == Move.Waiting.FOR_OPEN_FACTS && open != null) {
			return new Result(new Moved.Blocked(readAt(open, now)), null);
		}
		Moved.Fact fact = around.othersOf(move.facts()).findAny().isPresent() ? Moved.Fact.CHANGED : Moved.Fact.NEW;
		AttemptFacts attempt = new AttemptFacts(1, move.attemptId(), move.fence(), now, now.plus(move.window()),
				move.settleAfter());
		return new Result(new Moved.Submitted(fact), new EffectRow(move.facts(), attempt, EffectState.SUBMITTED, null,
				null, 0, now, null, 0, null, null, null, now));
	}

	private static Result resubmit(EffectRow row, Around around, Move.Resubmit move, Instant now) {
		if (row.state() != move.seenState() || !row.isAttempt(move.seenAttemptId())
				|| !mayBeAttempted(row, move, now)) {
			return met(row, now);
		}
		if (around.fences(move.fence())) {
			return new Result(new Moved.Fenced(), row);
		}
		AttemptFacts attempt = new AttemptFacts(row.attempt().number() + 1, move.attemptId(), move.fence(), now,
				now.plus(move.window()), move.settleAfter());
		EffectRow changed = new EffectRow(row.facts(), attempt, EffectState.SUBMITTED, null, null, row.refusals(),
				row.firstSubmittedAt(), null, 0, null, null, null, now);
		return new Result(new Moved.Applied(changed), changed);
	}

	private static boolean mayBeAttempted(EffectRow row, Move.Resubmit move, Instant now) {
		return switch (row.state()) {
			case CLAIMED -> row.attention() == null && isDue(row.nextAttemptAt(), now);
			case UNKNOWN -> move.remembers() != null && !now.plus(move.window())
				.plus(move.settleAfter())
				.isAfter(row.firstSubmittedAt().plus(move.remembers()));
			case SUBMITTED, DONE -> false;
		};
	}

	private static @Nullable EffectRow change(EffectRow row, Move move, Instant now) {
		boolean submitted = row.state() == EffectState.SUBMITTED;
		boolean unknown = row.state() == EffectState.UNKNOWN;
		boolean ended = !now.isBefore(row.attempt().windowUntil());
		if (move instanceof Move.Contradict contradict) {
			return new EffectRow(row.facts(), row.attempt(), row.state(), row.outcome(), Attention.CONTRADICTION,
					row.refusals(), row.firstSubmittedAt(), row.nextAttemptAt(), row.resolveTries(),
					row.nextResolveAt(), row.answer(), contradict.detail(), now);
		}
		if (!row.isAttempt(attemptId(move))) {
			return null;
		}
		if (move instanceof Move.Settle settle && row.state() != EffectState.DONE) {
			return (submitted || unknown)
					? done(row, EffectOutcome.PERFORMED, contradiction(row), earlierDetail(row), settle.answer(), now)
					: done(row, EffectOutcome.PERFORMED, Attention.CONTRADICTION, null, settle.answer(), now);
		}
		if (move instanceof Move.Release release && (submitted || unknown)) {
			return claimed(row, row.refusals(), contradiction(row), after(now, release.nextAttemptIn()),
					row.resolveTries(), release.detail(), now);
		}
		if (move instanceof Move.Refuse refuse && (submitted || unknown)) {
			return claimed(row, row.refusals() + 1, first(contradiction(row), refuse.attention()),
					after(now, refuse.nextAttemptIn()), row.resolveTries(), refuse.detail(), now);
		}
		if (move instanceof Move.Lose lose && submitted) {
			return unknown(row, row.attention(), row.resolveTries(), null, lose.detail(), now);
		}
		if (move instanceof Move.Ask ask && (unknown || submitted && ended) && isDue(row.nextResolveAt(), now)) {
			return unknown(row, row.attention(), row.resolveTries(), now.plus(ask.patience()), row.detail(), now);
		}
		if (move instanceof Move.Happened happened && unknown) {
			return done(row, EffectOutcome.RESOLVED, contradiction(row), earlierDetail(row), happened.answer(), now);
		}
		if (move instanceof Move.DidNotHappen not && unknown && isProven(row, not, now)) {
			return claimed(row, row.refusals(), contradiction(row), null, 0, row.detail(), now);
		}
		if (move instanceof Move.KeepUnknown keep && unknown) {
			return unknown(row, first(row.attention(), keep.attention()), row.resolveTries() + keep.tries(),
					after(now, keep.nextResolveIn()), row.detail(), now);
		}
		if (move instanceof Move.Extend extend && submitted && !ended) {
			return extended(row, extend, now);
		}
		return null;
	}

	// E7: the far side looked between the beginning of the asking and now
	private static boolean isProven(EffectRow row, Move.DidNotHappen move, Instant now) {
		boolean settled = move.askedAt().isAfter(row.attempt().settledAt());
		boolean shown = move.shows() == null || !now.isAfter(row.firstSubmittedAt().plus(move.shows()));
		return settled && shown;
	}

	// E4: only a person takes it away
	private static @Nullable Attention contradiction(EffectRow row) {
		return (row.attention() == Attention.CONTRADICTION) ? row.attention() : null;
	}

	private static @Nullable String earlierDetail(EffectRow row) {
		return (row.attention() == Attention.CONTRADICTION) ? row.detail() : null;
	}

	private static @Nullable Attention first(@Nullable Attention attention, @Nullable Attention otherwise) {
		return (attention != null) ? attention : otherwise;
	}

	private static EffectRow done(EffectRow row, EffectOutcome outcome, @Nullable Attention attention,
			@Nullable String detail, Answer answer, Instant now) {
		return new EffectRow(row.facts(), row.attempt(), EffectState.DONE, outcome, attention, row.refusals(),
				row.firstSubmittedAt(), row.nextAttemptAt(), row.resolveTries(), row.nextResolveAt(), answer, detail,
				now);
	}

	private static EffectRow claimed(EffectRow row, int refusals, @Nullable Attention attention,
			@Nullable Instant nextAttemptAt, int resolveTries, @Nullable String detail, Instant now) {
		return new EffectRow(row.facts(), row.attempt(), EffectState.CLAIMED, null, attention, refusals,
				row.firstSubmittedAt(), nextAttemptAt, resolveTries, null, null, detail, now);
	}

	private static EffectRow unknown(EffectRow row, @Nullable Attention attention, int resolveTries,
			@Nullable Instant nextResolveAt, @Nullable String detail, Instant now) {
		return new EffectRow(row.facts(), row.attempt(), EffectState.UNKNOWN, null, attention, row.refusals(),
				row.firstSubmittedAt(), row.nextAttemptAt(), resolveTries, nextResolveAt, null, detail, now);
	}

	private static EffectRow extended(EffectRow row, Move.Extend move, Instant now) {
		AttemptFacts attempt = row.attempt();
		Instant wanted = now.plus(move.window());
		Instant latest = attempt.submittedAt().plus(move.maxWindow());
		Instant end = wanted.isBefore(latest) ? wanted : latest;
		// the process counts on the window it has been given
		AttemptFacts longer = new AttemptFacts(attempt.number(), attempt.id(), attempt.fence(), attempt.submittedAt(),
				end.isAfter(attempt.windowUntil()) ? end : attempt.windowUntil(), attempt.settleAfter());
		return new EffectRow(row.facts(), longer, row.state(), row.outcome(), row.attention(), row.refusals(),
				row.firstSubmittedAt(), row.nextAttemptAt(), row.resolveTries(), row.nextResolveAt(), row.answer(),
				row.detail(), now);
	}

	/**
	 * The row as it is read at another time.
	 */
	static EffectRow readAt(EffectRow row, Instant now) {
		return new EffectRow(row.facts(), row.attempt(), row.state(), row.outcome(), row.attention(), row.refusals(),
				row.firstSubmittedAt(), row.nextAttemptAt(), row.resolveTries(), row.nextResolveAt(), row.answer(),
				row.detail(), now);
	}

	private static Result met(EffectRow row, Instant now) {
		return new Result(new Moved.Met(readAt(row, now)), row);
	}

	private static boolean isOpen(EffectRow row) {
		return row.state() == EffectState.SUBMITTED || row.state() == EffectState.UNKNOWN;
	}

	private static boolean isDue(@Nullable Instant time, Instant now) {
		return time == null || !now.isBefore(time);
	}

	private static @Nullable Instant after(Instant now, @Nullable Duration wait) {
		return (wait != null) ? now.plus(wait) : null;
	}

	// The attempt that a move of a row's present attempt names
	private static String attemptId(Move move) {
		if (move instanceof Move.Settle settle) {
			return settle.attemptId();
		}
		if (move instanceof Move.Release release) {
			return release.attemptId();
		}
		if (move instanceof Move.Refuse refuse) {
			return refuse.attemptId();
		}
		if (move instanceof Move.Lose lose) {
			return lose.attemptId();
		}
		if (move instanceof Move.Ask ask) {
			return ask.attemptId();
		}
		if (move instanceof Move.Happened happened) {
			return happened.attemptId();
		}
		if (move instanceof Move.DidNotHappen not) {
			return not.attemptId();
		}
		if (move instanceof Move.KeepUnknown keep) {
			return keep.attemptId();
		}
		if (move instanceof Move.Extend extend) {
			return extend.attemptId();
		}
		throw new IllegalArgumentException("Names no attempt: " + move);
	}

	/**
	 * What a move reads besides its row.
	 *
	 * @param tokens the fencing token of each job that has a lease row
	 * @param rows the ledger's rows; the moved one may be among them
	 */
	record Around(Map<String, Long> tokens, Collection<EffectRow> rows) {

		boolean fences(@Nullable Fence fence) {
			return fence != null && !Objects.equals(this.tokens.get(fence.job()), fence.token());
		}

		private Stream<EffectRow> othersOf(EffectFacts facts) {
			return this.rows.stream()
				.filter((row) -> row.facts().action().equals(facts.action())
						&& row.facts().target().equals(facts.target())
						&& Objects.equals(row.facts().grain(), facts.grain())
						&& !row.facts().key().equals(facts.key()));
		}

	}

	/**
	 * What came of a move.
	 *
	 * @param moved the ledger's answer
	 * @param row the key's row after it, or {@code null} when there is none
	 */
	record Result(Moved moved, @Nullable EffectRow row) {

	}

}
