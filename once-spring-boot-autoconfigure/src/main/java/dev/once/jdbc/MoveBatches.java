package dev.once.jdbc;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.once.ledger.EffectFacts;
import dev.once.ledger.Move;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a list of moves into batches that may each be made in one statement: neighbours of
 * one kind, of which none could see what another has changed.
 */
final class MoveBatches {

	private final List<List<Move>> batches = new ArrayList<>();

	private final Set<Object> touched = new HashSet<>();

	private MoveBatches() {
	}

	static List<List<Move>> of(List<? extends Move> moves) {
		MoveBatches batches = new MoveBatches();
		moves.forEach(batches::add);
		return batches.batches;
	}

	private void add(Move move) {
		Row row = new Row(move.key(), move.revision());
		Target target = target(move);
		boolean sees = this.touched.contains(row) || target != null && this.touched.contains(target);
		if (this.batches.isEmpty() || sees || last().get(0).getClass() != move.getClass()) {
			this.batches.add(new ArrayList<>());
			this.touched.clear();
		}
		last().add(move);
		this.touched.add(row);
		if (target != null) {
			this.touched.add(target);
		}
	}

	private List<Move> last() {
		return this.batches.get(this.batches.size() - 1);
	}

	private static @Nullable Target target(Move move) {
		if (move instanceof Move.Submit submit) {
			EffectFacts facts = submit.facts();
			return new Target(facts.action(), facts.target(), facts.grain());
		}
		return null;
	}

	private record Row(String key, int revision) {
	}

	/** A submit looks for other facts of its target. */
	private record Target(String action, String target, @Nullable String grain) {
	}

}
