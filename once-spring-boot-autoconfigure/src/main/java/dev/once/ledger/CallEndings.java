package dev.once.ledger;

import java.time.Duration;
import java.util.Objects;

import dev.once.Outcome;
import dev.once.ledger.EffectRules.Step;
import org.jspecify.annotations.Nullable;

/**
 * Tells what became of a call: its caller, and whoever listens.
 */
final class CallEndings {

	/** How long until a row is looked at again that somebody else is to move. */
	private static final Duration LOOK_AGAIN = Duration.ofMinutes(1);

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
			tellRepeated(call, row, Ending.DUPLICATE, null);
			T answer = call.answers().read((row.answer() != null) ? row.answer() : Answer.notKept());
			return new Outcome.Done<>(answer, true, row.facts().revision());
		}
		if (step instanceof Step.GivenUp) {
			tellRepeated(call, row, Ending.DUPLICATE, null);
			return (row.outcome() == EffectOutcome.DENIED) ? new Outcome.Denied<>(label)
					: new Outcome.Abandoned<>(label);
		}
		if (step instanceof Step.InFlight inFlight) {
			return repeated(call, row, Ending.IN_PROGRESS, new Outcome.InProgress<>(label, inFlight.left()));
		}
		if (step instanceof Step.NotYet notYet) {
			return repeated(call, row, Ending.WAITING,
					new Outcome.Waiting<>(label, "its next attempt is not due yet", notYet.left()));
		}
		if (step instanceof Step.AskedLater later) {
			return repeated(call, row, Ending.UNKNOWN, new Outcome.Unresolved<>(label, later.left(), null, false));
		}
		if (row.state() == EffectState.CLAIMED) {
			return repeated(call, row, Ending.REFUSED, new Outcome.Refused<>(label, null, null, true));
		}
		return repeated(call, row, Ending.UNKNOWN, new Outcome.Unresolved<>(label, null, null, true));
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
	<T extends @Nullable Object> Outcome<T> repeated(EffectCall<T> call, EffectRow met, Ending ending,
			Outcome<T> outcome) {
		Duration again = again(call, outcome);
		tellRepeated(call, met, ending, (again == null && !isOwn(call, met)) ? LOOK_AGAIN : again);
		return outcome;
	}

	private void tellRepeated(EffectCall<?> call, EffectRow met, Ending ending, @Nullable Duration again) {
		this.listener.repeated(met, ending, call.listener().caller());
		tell(call, ending, again);
	}

	// O4: whoever moves another occurrence's row does not know that this one waits for it
	private static boolean isOwn(EffectCall<?> call, EffectRow row) {
		Fence fence = call.fence();
		Fence submitter = row.attempt().fence();
		return fence != null && submitter != null && fence.job().equals(submitter.job())
				&& Objects.equals(fence.occurrence(), submitter.occurrence());
	}

	/**
	 * Any other call.
	 */
	<T extends @Nullable Object> Outcome<T> ended(EffectCall<T> call, Ending ending, Outcome<T> outcome) {
		tell(call, ending, again(call, outcome));
		return outcome;
	}

	void tell(EffectCall<?> call, Ending ending, @Nullable Duration again) {
		this.listener.ended(call.facts(), ending);
		call.listener().ended(call.facts(), ending, again);
	}

	private static @Nullable Duration again(EffectCall<?> call, Outcome<?> outcome) {
		if (outcome instanceof Outcome.NotSent) {
			return call.contract().backoff();
		}
		if (outcome instanceof Outcome.Refused<?> refused) {
			return refused.awaitsPerson() ? null : orElse(refused.retryAfter(), call.contract().backoff());
		}
		if (outcome instanceof Outcome.InProgress<?> inProgress) {
			return orElse(inProgress.retryAfter(), LOOK_AGAIN);
		}
		return (outcome instanceof Outcome.Waiting<?> waiting) ? orElse(waiting.retryAfter(), LOOK_AGAIN) : null;
	}

	private static Duration orElse(@Nullable Duration duration, Duration otherwise) {
		return (duration != null) ? duration : otherwise;
	}

}
