package dev.once.test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Visits every state that a model can reach, breadth first, until one breaks an
 * invariant. The trace to it is then a shortest one.
 *
 * @param <S> the model's states: immutable, with equality by value
 */
public final class StateSearch<S> {

	private final Model<S> model;

	private final Map<S, S> cameFrom = new HashMap<>();

	private final Deque<S> open = new ArrayDeque<>();

	private @Nullable S present;

	private @Nullable Breach breach;

	private StateSearch(Model<S> model) {
		this.model = model;
	}

	/**
	 * Visits the states of a model.
	 * @param <S> the model's states
	 * @param model the model
	 */
	public static <S> Found search(Model<S> model) {
		return new StateSearch<>(model).run();
	}

	private Found run() {
		S initial = this.model.initial();
		this.cameFrom.put(initial, initial);
		this.open.add(initial);
		while (this.breach == null && !this.open.isEmpty()) {
			S state = this.open.remove();
			this.present = state;
			this.model.next(state, this::arrive);
			String stuck = (this.breach == null) ? this.model.stuck(state) : null;
			if (stuck != null) {
				this.breach = new Breach(stuck, trace(state));
			}
		}
		return new Found(this.cameFrom.size(), this.breach);
	}

	private void arrive(String actor, String what, S next, @Nullable String broken) {
		S from = this.present;
		if (this.breach != null || from == null) {
			return;
		}
		if (broken != null) {
			List<String> trace = new ArrayList<>(trace(from));
			trace.add(line(actor, what, next));
			this.breach = new Breach(broken, trace);
		}
		else if (this.cameFrom.putIfAbsent(next, from) == null) {
			this.open.add(next);
		}
	}

	private List<String> trace(S last) {
		List<String> lines = new ArrayList<>();
		S state = last;
		for (S from = this.cameFrom.get(state); !from.equals(state); from = this.cameFrom.get(state)) {
			lines.add(step(from, state));
			state = from;
		}
		Collections.reverse(lines);
		return lines;
	}

	// Which step it was is not kept: it is found again
	private String step(S from, S to) {
		List<String> found = new ArrayList<>();
		this.model.next(from, (actor, what, next, broken) -> {
			if (next.equals(to)) {
				found.add(line(actor, what, next));
			}
		});
		return found.get(0);
	}

	private String line(String actor, String what, S next) {
		return String.format("%-12s%-44s| %s", actor, what, this.model.describe(next));
	}

	/**
	 * What is searched.
	 *
	 * @param <S> its states
	 */
	public interface Model<S> {

		/**
		 * Where it starts.
		 */
		S initial();

		/**
		 * Every step that may happen next.
		 * @param state the present state
		 * @param steps takes them
		 */
		void next(S state, Steps<S> steps);

		/**
		 * The name of the invariant that is broken because nothing good follows any more,
		 * or {@code null}.
		 * @param state a state that has been reached
		 */
		default @Nullable String stuck(S state) {
			return null;
		}

		/**
		 * A state in one line, for people.
		 * @param state the state
		 */
		default String describe(S state) {
			return state.toString();
		}

	}

	/**
	 * Takes the steps of a state.
	 *
	 * @param <S> the model's states
	 */
	@FunctionalInterface
	public interface Steps<S> {

		/**
		 * Takes one step.
		 * @param actor who makes it
		 * @param what what is done
		 * @param next the state that it leads to
		 * @param broken the name of the invariant that it breaks, or {@code null}
		 */
		void to(String actor, String what, S next, @Nullable String broken);

	}

	/**
	 * What was found.
	 *
	 * @param states the number of states visited
	 * @param breach the broken invariant, or {@code null}
	 */
	public record Found(int states, @Nullable Breach breach) {

	}

	/**
	 * A broken invariant.
	 *
	 * @param invariant its name
	 * @param trace how it came to be broken, a step a line
	 */
	public record Breach(String invariant, List<String> trace) {

		@Override
		public String toString() {
			return this.invariant + "\n  " + String.join("\n  ", this.trace);
		}

	}

}
