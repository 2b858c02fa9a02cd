package dev.once.ledger;

import java.time.Instant;

import dev.once.Resolution;
import dev.once.ledger.EffectRules.Asking;
import dev.once.ledger.EffectRules.Attempted;
import dev.once.ledger.EffectRules.BodyEnd;
import dev.once.ledger.EffectRules.LateAnswer;
import dev.once.ledger.EffectRules.ReadBack;
import dev.once.ledger.EffectRules.Step;
import dev.once.ledger.EffectRules.Terms;
import dev.once.ledger.MoveSemantics.Around;
import dev.once.ledger.MoveSemantics.Result;
import org.jspecify.annotations.Nullable;

/**
 * The protocol as the {@link ProtocolModel} follows it: decisions are those of
 * {@link EffectRules}, the ledger is {@link MoveSemantics}, and what is left is the order
 * in which {@link EffectProtocol} does things. A mutant overrides one method.
 */
class ModelProtocol {

	Step onMeeting(EffectRow row, Terms terms) {
		return EffectRules.onMeeting(row, terms);
	}

	ReadBack onReadBack(@Nullable EffectRow row, String attemptId) {
		return EffectRules.onReadBack(row, attemptId);
	}

	Move onBodyEnd(Attempted attempt, BodyEnd end, FarSideContract contract) {
		return EffectRules.onBodyEnd(attempt, end, contract);
	}

	LateAnswer onLateAnswer(EffectRow row, String attemptId, Asking asking) {
		return EffectRules.onLateAnswer(row, attemptId, asking);
	}

	Move onResolution(EffectRow asked, Resolution<?> said, Terms terms, @Nullable Answer answer, Instant now) {
		return EffectRules.onResolution(asked, said, terms, answer);
	}

	Move onNobodyToAsk(EffectRow asked, FarSideContract contract) {
		return EffectRules.onNobodyToAsk(asked, contract);
	}

	String idempotencyKey(EffectFacts facts, int refusals, int attempt, FarSideContract contract) {
		return EffectRules.idempotencyKey(facts, refusals, contract);
	}

	Result apply(@Nullable EffectRow row, Around around, Move move, Instant now) {
		return MoveSemantics.apply(row, around, move, now);
	}

	/**
	 * L5: when the local deadline begins to count.
	 * @param before the tick before the statement
	 * @param after the tick of its return
	 */
	int countedFrom(int before, int after) {
		return before;
	}

	/**
	 * L4: when the local deadline counts from after an extension.
	 * @param issued the tick before the statement
	 * @param known the tick of its return
	 */
	int extensionCountedFrom(int issued, int known) {
		return issued;
	}

	/**
	 * E3: whether the deadline moves before the extension is confirmed.
	 */
	boolean extendsBeforeConfirmed() {
		return false;
	}

	/**
	 * E2: whether an exception from submit is settled by reading the row back.
	 */
	boolean readsBack() {
		return true;
	}

	/**
	 * E3: whether the deadline is checked on entry.
	 */
	boolean checksOnEntry() {
		return true;
	}

	/**
	 * E3: whether the deadline is checked as the request leaves.
	 */
	boolean checksAsRequestLeaves() {
		return true;
	}

	/**
	 * E3: what the end of a body is that swallowed the refusal of a late send.
	 */
	BodyEnd onSwallowedDeadline() {
		return BodyEnd.Failed.pastDeadline();
	}

	/**
	 * E4: whether an answer that could not be stored is given up.
	 * @param now the time
	 * @param deadline the attempt's deadline
	 */
	boolean givesAnswerUp(int now, int deadline) {
		return false;
	}

	/**
	 * L4: what the caretaker does about a row whose window is open, or {@code null}.
	 */
	@Nullable Move onOpenWindow(EffectRow row) {
		return null;
	}

}
