package dev.once.ledger;

import dev.once.EffectResolver;
import dev.once.Resolution;
import org.jspecify.annotations.Nullable;

/**
 * What it takes to resolve an action's effects.
 *
 * @param <T> the effect's answer
 * @param contract the far side's contract
 * @param resolver asks the far side, or {@code null}
 * @param answers writes the answer
 */
public record Resolvable<T extends @Nullable Object>(FarSideContract contract, @Nullable EffectResolver<T> resolver,
		AnswerFormat<T> answers) {

	/**
	 * How effects of an action are treated that this application does not declare: a
	 * person is asked in the end.
	 * @param contract the default contract
	 * @param answers any format
	 */
	public static <T extends @Nullable Object> Resolvable<T> undeclared(FarSideContract contract,
			AnswerFormat<T> answers) {
		return new Resolvable<>(contract, (effect) -> Resolution.cannotTell(), answers);
	}

}
