package dev.once.aop;

import dev.once.Boundary;
import dev.once.EffectResolver;
import dev.once.ledger.AnswerFormat;
import dev.once.ledger.FarSideContract;
import dev.once.ledger.Resolvable;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * What all calls for an action's effects have in common.
 *
 * @param boundary where they happen
 * @param terms how they are treated
 * @param contract the far side's contract
 * @param resolver asks the far side, or {@code null}
 * @param answer the answer's type
 * @param answers writes and reads the answer
 */
record GuardedAction(Boundary boundary, EffectTerms terms, FarSideContract contract,
		@Nullable EffectResolver<@Nullable Object> resolver, ResolvableType answer,
		AnswerFormat<@Nullable Object> answers) {

	Resolvable<@Nullable Object> resolvable() {
		return new Resolvable<>(this.contract, this.resolver, this.answers);
	}

	/**
	 * What keeps a second one from happening when the first one's answer is lost.
	 */
	String secondStoppedBy() {
		if (this.boundary == Boundary.DATABASE) {
			return "transaction";
		}
		String key = (this.contract.remembers() != null && this.contract.remembersLongEnough())
				? "key " + Durations.brief(this.contract.remembers()) : "";
		if (this.resolver != null) {
			return key.isEmpty() ? "resolver" : "resolver, " + key;
		}
		return key.isEmpty() ? "person" : key;
	}

	/**
	 * The far side's name, for people.
	 */
	String farSideName() {
		return (this.boundary == Boundary.DATABASE) ? "database" : this.contract.name();
	}

}
