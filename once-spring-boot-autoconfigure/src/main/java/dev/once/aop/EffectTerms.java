package dev.once.aop;

import dev.once.ChangedFact;
import dev.once.Unobservable;
import org.jspecify.annotations.Nullable;

/**
 * How an action's effects are treated.
 *
 * @param farSide name of the far side whose contract holds, or {@code null} for the one
 * that is declared beside the method
 * @param changedFact what happens while an earlier fact of the target is open
 * @param changedFactChoice whether somebody chose that
 * @param askFirst whether the far side is asked before every attempt
 * @param unobservable whether it may go without resolver and deduplicating far side
 */
public record EffectTerms(@Nullable String farSide, ChangedFact changedFact, Choice changedFactChoice, boolean askFirst,
		Unobservable unobservable) {

}
