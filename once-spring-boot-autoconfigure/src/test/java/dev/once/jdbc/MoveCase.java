package dev.once.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.once.ledger.Answer;
import dev.once.ledger.AttemptFacts;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectOutcome;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;

/**
 * Every move against every row that matters to it. The times lie so far from what they
 * are compared with that it does not matter when a case is tried.
 *
 * @param row the row before, with a key of its own
 * @param move a move that names that key
 */
record MoveCase(EffectRow row, Move move) {

	static final Fence PRESENT = new Fence("nightly", null, "run-7", 7);

	static final Fence FENCED = new Fence("nightly", null, "run-6", 6);

	static final Fence NO_SUCH_JOB = new Fence("never-claimed", null, "run-1", 1);

	private static final String MINE = "attempt-of-mine";

	private static final String OTHER = "attempt-of-another";

	private static final Duration HOUR = Duration.ofHours(1);

	/** Where an attempt's window and the time to settle stand now. */
	private enum Window {

		OPEN, ENDED, SETTLED

	}

	/** Where next attempt and next asking stand. */
	private enum Next {

		NONE, ATTEMPT_DUE, ATTEMPT_LATER, ASKING_DUE, ASKING_LATER

	}

	/** All cases, for a database whose clock says now. */
	static List<MoveCase> all(Instant now) {
		List<MoveCase> cases = new ArrayList<>();
		List<Function<EffectRow, Move>> moves = moves(now);
		for (EffectState state : EffectState.values()) {
			for (Window window : Window.values()) {
				for (Next next : Next.values()) {
					addAll(cases, moves, (number) -> row(number, now, state, window, null, next));
				}
				for (Attention attention : List.of(Attention.CONTRADICTION, Attention.UNDETERMINED)) {
					addAll(cases, moves, (number) -> row(number, now, state, window, attention, Next.NONE));
				}
			}
		}
		return cases;
	}

	private static void addAll(List<MoveCase> cases, List<Function<EffectRow, Move>> moves,
			IntFunction<EffectRow> rows) {
		for (Function<EffectRow, Move> move : moves) {
			EffectRow row = rows.apply(cases.size());
			cases.add(new MoveCase(row, move.apply(row)));
		}
	}

	private static EffectRow row(int number, Instant now, EffectState state, Window window, Attention attention,
			Next next) {
		String key = String.format("%032x", number);
		EffectFacts facts = new EffectFacts(key, 1, "charge", "inv-" + number, (number % 2 == 0) ? "2026-08-24" : null,
				"d" + number, "{\"amount\":10}", "charge/inv-" + number);
		Instant windowUntil = switch (window) {
			case OPEN -> now.plus(HOUR);
			case ENDED -> now.minus(HOUR);
			case SETTLED -> now.minus(HOUR.multipliedBy(3));
		};
		AttemptFacts attempt = new AttemptFacts(2, MINE, PRESENT, windowUntil.minus(HOUR), windowUntil,
				HOUR.multipliedBy(2));
		boolean done = state == EffectState.DONE;
		return new EffectRow(facts, attempt, state, done ? EffectOutcome.RESOLVED : null, attention, 1,
				now.minus(HOUR.multipliedBy(5)), at(now, next, Next.ATTEMPT_DUE, Next.ATTEMPT_LATER), 3,
				at(now, next, Next.ASKING_DUE, Next.ASKING_LATER), done ? new Answer("\"before\"", "json") : null,
				"what was", now);
	}

	private static Instant at(Instant now, Next next, Next due, Next later) {
		return (next == due) ? now.minus(HOUR) : (next == later) ? now.plus(HOUR) : null;
	}

	private static List<Function<EffectRow, Move>> moves(Instant now) {
		List<Function<EffectRow, Move>> moves = new ArrayList<>();
		moves.add((row) -> new Move.Submit(row.facts(), MINE, PRESENT, HOUR, HOUR, Move.Waiting.FOR_OPEN_FACTS));
		moves.add((row) -> new Move.Submit(row.facts(), OTHER, FENCED, HOUR, HOUR, Move.Waiting.FOR_NOTHING));
		moves.add((row) -> resubmit(row, row.state(), OTHER, PRESENT, HOUR.multipliedBy(8)));
		moves.add((row) -> resubmit(row, EffectState.CLAIMED, MINE, PRESENT, null));
		moves.add((row) -> resubmit(row, EffectState.UNKNOWN, MINE, PRESENT, HOUR.multipliedBy(8)));
		for (Fence fence : Arrays.asList(null, PRESENT, FENCED, NO_SUCH_JOB)) {
			for (Duration remembers : Arrays.asList(null, HOUR.multipliedBy(6), HOUR.multipliedBy(8))) {
				moves.add((row) -> resubmit(row, row.state(), MINE, fence, remembers));
			}
		}
		moves.addAll(movesOf(MINE, now));
		moves.addAll(movesOfAnother(now));
		moves.add((row) -> new Move.Contradict(row.facts().key(), 1, "an answer came late"));
		return moves;
	}

	private static Move resubmit(EffectRow row, EffectState seen, String seenAttempt, Fence fence, Duration remembers) {
		return new Move.Resubmit(row.facts().key(), 1, seen, seenAttempt, "attempt-3", fence, HOUR, HOUR, remembers);
	}

	/** Every kind once. */
	private static List<Function<EffectRow, Move>> movesOfAnother(Instant now) {
		Set<Class<?>> kinds = new HashSet<>();
		EffectRow any = row(0, now, EffectState.CLAIMED, Window.OPEN, null, Next.NONE);
		return movesOf(OTHER, now).stream().filter((move) -> kinds.add(move.apply(any).getClass())).toList();
	}

	private static List<Function<EffectRow, Move>> movesOf(String attempt, Instant now) {
		List<Function<EffectRow, Move>> moves = new ArrayList<>();
		Answer answer = new Answer("\"after\"", "json");
		moves.add((row) -> new Move.Settle(row.facts().key(), 1, attempt, answer));
		moves.add((row) -> new Move.Settle(row.facts().key(), 1, attempt, Answer.notKept()));
		moves.add((row) -> new Move.Happened(row.facts().key(), 1, attempt, answer));
		moves.add((row) -> new Move.Lose(row.facts().key(), 1, attempt, "timed out"));
		moves.add((row) -> new Move.Lose(row.facts().key(), 1, attempt, null));
		moves.add((row) -> new Move.Ask(row.facts().key(), 1, attempt, HOUR));
		for (Duration wait : Arrays.asList(null, HOUR)) {
			moves.add((row) -> new Move.Release(row.facts().key(), 1, attempt, wait, "connect refused"));
			moves.add((row) -> new Move.Release(row.facts().key(), 1, attempt, wait, null));
			for (Attention attention : Arrays.asList(null, Attention.REFUSED)) {
				moves.add((row) -> new Move.Refuse(row.facts().key(), 1, attempt, wait, attention, "422"));
			}
			for (Attention attention : Arrays.asList(null, Attention.UNDETERMINED)) {
				moves.add((row) -> new Move.KeepUnknown(row.facts().key(), 1, attempt, wait, 1, attention));
			}
		}
		for (Duration max : List.of(HOUR.dividedBy(2), HOUR.multipliedBy(2), HOUR.multipliedBy(9))) {
			moves.add((row) -> new Move.Extend(row.facts().key(), 1, attempt, HOUR.multipliedBy(3), max));
		}
		moves.addAll(didNotHappen(attempt, now));
		return moves;
	}

	/**
	 * Asked before, at, and after the end of settle-after, and of what is still shown.
	 */
	private static List<Function<EffectRow, Move>> didNotHappen(String attempt, Instant now) {
		List<Function<EffectRow, Move>> moves = new ArrayList<>();
		Duration tick = Duration.ofNanos(1000);
		for (Duration shows : Arrays.asList(null, HOUR.multipliedBy(4), HOUR.multipliedBy(20))) {
			moves.add((row) -> new Move.DidNotHappen(row.facts().key(), 1, attempt, now, shows));
			moves.add((row) -> new Move.DidNotHappen(row.facts().key(), 1, attempt, row.attempt().settledAt(), shows));
			moves.add((row) -> new Move.DidNotHappen(row.facts().key(), 1, attempt,
					row.attempt().settledAt().plus(tick), shows));
		}
		moves.add((row) -> new Move.DidNotHappen(row.facts().key(), 1, attempt,
				row.firstSubmittedAt().plus(HOUR.multipliedBy(20)), HOUR.multipliedBy(20)));
		moves.add((row) -> new Move.DidNotHappen(row.facts().key(), 1, attempt,
				row.firstSubmittedAt().plus(HOUR.multipliedBy(20)).plus(tick), HOUR.multipliedBy(20)));
		return moves;
	}

}
