package dev.once.ledger;

import dev.once.ChangedFact;
import dev.once.EffectResolver;
import dev.once.lease.Run;
import org.jspecify.annotations.Nullable;

/**
 * A call for an effect.
 *
 * @param <T> the effect's answer
 * @param facts what names the effect
 * @param contract the far side's contract
 * @param run the run it belongs to, or {@code null} outside a run
 * @param resolver asks the far side, or {@code null}
 * @param answers writes and reads the answer
 * @param changedFact what happens while an earlier fact of the target is open
 * @param askFirst whether the far side is asked before every attempt
 * @param listener is told what became of the call
 */
public record EffectCall<T extends @Nullable Object>(EffectFacts facts, FarSideContract contract, @Nullable Run run,
		@Nullable EffectResolver<T> resolver, AnswerFormat<T> answers, ChangedFact changedFact, boolean askFirst,
		CallListener listener) {

	@Nullable Fence fence() {
		Run run = this.run;
		return (run != null) ? new Fence(run.hold().job(), run.occurrence(), run.hold().runId(), run.hold().token())
				: null;
	}

	EffectRules.Asking asking() {
		return (this.resolver != null) ? EffectRules.Asking.RESOLVER : EffectRules.Asking.NOBODY;
	}

}
