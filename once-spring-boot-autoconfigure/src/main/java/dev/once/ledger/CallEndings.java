package dev.once.ledger;

import dev.once.Outcome;
import dev.once.ledger.EffectRules.Step;
import org.jspecify.annotations.Nullable;

/**
 * Tells what became of a call: its caller, and whoever listens.
 */
final class CallEndings {

	private final EffectListener listener;

	CallEndings(EffectListener listener) {
		this.listener = listener;
	}

	/**
	 * A call that did nothing new about the row it met.
	 * @param call the call
	 * @param step what {@link EffectRules} says about the row
	 * @return what the caller gets
	 * @throws dev.once.AnswerUnreadableException when it is done and its answer cannot be
	 * read
	 */
	<T extends @Nullable Object> Outcome<T> met(EffectCall<T> call, Step step) {
		EffectRow row = step.row();
		String label = call.facts().label();
		if (step instanceof Step.Replay) {
			repeated(call, row, Ending.DUPLICATE);
			T answer = call.answers().read((row.answer() != null) ? row.answer() : Answer.notKept());
			return new Outcome.Done<>(answer, true, row.facts().revision());
		}
		if (step instanceof Step.GivenUp) {
			repeated(call, row, Ending.DUPLICATE);
			return (row.outcome() == EffectOutcome.DENIED) ? new Outcome.Denied<>(label)
					: new Outcome.Abandoned<>(label);
		}
		if (step instanceof Step.InFlight inFlight) {
			repeated(call, row, Ending.IN_PROGRESS);
			return new Outcome.InProgress<>(label, inFlight.left());
		}
		if (step instanceof Step.NotYet notYet) {
			repeated(call, row, Ending.WAITING);
			return new Outcome.Waiting<>(label, "its next attempt is not due yet", notYet.left());
		}
		if (step instanceof Step.AskedLater later) {
			repeated(call, row, Ending.UNKNOWN);
			return new Outcome.Unresolved<>(label, later.left(), null, false);
		}
		if (row.state() == EffectState.CLAIMED) {
			repeated(call, row, Ending.REFUSED);
			return new Outcome.Refused<>(label, null, null, true);
		}
		repeated(call, row, Ending.UNKNOWN);
		return new Outcome.Unresolved<>(label, null, null, true);
	}

	/**
	 * A call that another effect of its target holds up.
	 */
	<T extends @Nullable Object> Outcome<T> blocked(EffectCall<T> call, EffectRow other) {
		return ended(call, Ending.WAITING, new Outcome.Waiting<>(call.facts().label(),
				"a changed fact: '" + other.facts().label() + "' with other inputs is " + EffectLog.word(other.state()),
				null));
	}

	/**
	 * A call that met a row and did nothing new.
	 */
	void repeated(EffectCall<?> call, EffectRow met, Ending ending) {
		this.listener.repeated(met, ending);
		ended(call, ending);
	}

	/**
	 * Any other call.
	 */
	<T extends @Nullable Object> Outcome<T> ended(EffectCall<T> call, Ending ending, Outcome<T> outcome) {
		ended(call, ending);
		return outcome;
	}

	void ended(EffectCall<?> call, Ending ending) {
		this.listener.ended(call.facts(), ending);
		call.endings().accept(ending);
	}

}
