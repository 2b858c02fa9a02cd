package dev.once.jdbc;

import dev.once.ledger.Answer;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;
import org.jspecify.annotations.Nullable;

/**
 * What each move tells its statement.
 */
final class MoveParameters {

	private MoveParameters() {
	}

	static Parameters of(String key, int revision) {
		return new Parameters().text("key", key).number("revision", revision);
	}

	static Parameters of(Move move) {
		Parameters parameters = of(move.key(), move.revision());
		if (move instanceof Move.Submit submit) {
			return fence(facts(parameters, submit), submit.fence()).text("attemptId", submit.attemptId())
				.micros("window", submit.window())
				.micros("settleAfter", submit.settleAfter())
				.text("waiting", EffectRows.toColumn(submit.waiting()));
		}
		if (move instanceof Move.Resubmit resubmit) {
			return fence(parameters, resubmit.fence()).text("attemptId", resubmit.attemptId())
				.text("seenState", EffectRows.toColumn(resubmit.seenState()))
				.text("seenAttemptId", resubmit.seenAttemptId())
				.micros("window", resubmit.window())
				.micros("settleAfter", resubmit.settleAfter())
				.micros("remembers", resubmit.remembers());
		}
		if (move instanceof Move.Settle settle) {
			return answer(parameters, settle.answer()).text("attemptId", settle.attemptId());
		}
		if (move instanceof Move.Release release) {
			return parameters.text("attemptId", release.attemptId())
				.micros("nextAttemptIn", release.nextAttemptIn())
				.text("detail", release.detail());
		}
		if (move instanceof Move.Refuse refuse) {
			return parameters.text("attemptId", refuse.attemptId())
				.micros("nextAttemptIn", refuse.nextAttemptIn())
				.text("attention", EffectRows.toColumn(refuse.attention()))
				.text("detail", refuse.detail());
		}
		if (move instanceof Move.Lose lose) {
			return parameters.text("attemptId", lose.attemptId()).text("detail", lose.detail());
		}
		if (move instanceof Move.Ask ask) {
			return parameters.text("attemptId", ask.attemptId()).micros("patience", ask.patience());
		}
		if (move instanceof Move.Happened happened) {
			return answer(parameters, happened.answer()).text("attemptId", happened.attemptId());
		}
		if (move instanceof Move.DidNotHappen not) {
			return parameters.text("attemptId", not.attemptId())
				.time("askedAt", not.askedAt())
				.micros("shows", not.shows());
		}
		if (move instanceof Move.KeepUnknown keep) {
			return parameters.text("attemptId", keep.attemptId())
				.micros("nextResolveIn", keep.nextResolveIn())
				.number("tries", keep.tries())
				.text("attention", EffectRows.toColumn(keep.attention()));
		}
		if (move instanceof Move.Extend extend) {
			return parameters.text("attemptId", extend.attemptId())
				.micros("window", extend.window())
				.micros("maxWindow", extend.maxWindow());
		}
		return parameters.text("detail", ((Move.Contradict) move).detail());
	}

	private static Parameters facts(Parameters parameters, Move.Submit submit) {
		return parameters.text("action", submit.facts().action())
			.text("target", submit.facts().target())
			.text("grain", submit.facts().grain())
			.text("inputDigest", submit.facts().inputDigest())
			.text("inputs", submit.facts().inputs())
			.text("label", submit.facts().label());
	}

	private static Parameters fence(Parameters parameters, @Nullable Fence fence) {
		return parameters.text("job", (fence != null) ? fence.job() : null)
			.text("occurrence", (fence != null) ? fence.occurrence() : null)
			.text("runId", (fence != null) ? fence.runId() : null)
			.number("token", (fence != null) ? fence.token() : null);
	}

	private static Parameters answer(Parameters parameters, Answer answer) {
		return parameters.text("answer", answer.value()).text("answerType", answer.type());
	}

}
