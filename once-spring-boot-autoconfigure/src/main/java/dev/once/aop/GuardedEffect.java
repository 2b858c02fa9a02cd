package dev.once.aop;

import java.util.List;

import dev.once.ChangedFact;

/**
 * An effect that is guarded, for people.
 *
 * @param action the action
 * @param method bean and method
 * @param target names of the parts of its target
 * @param inputs names of its inputs
 * @param farSide the far side's name
 * @param changedFact what happens while an earlier fact of the target is open
 * @param changedFactChoice whether somebody chose that
 * @param secondStoppedBy what keeps a second one from happening when the first one's
 * answer is lost
 */
public record GuardedEffect(String action, String method, List<String> target, List<String> inputs, String farSide,
		ChangedFact changedFact, Choice changedFactChoice, String secondStoppedBy) {

}
