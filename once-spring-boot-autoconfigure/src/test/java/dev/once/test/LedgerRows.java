package dev.once.test;

import java.time.Duration;
import java.time.Instant;

import dev.once.ledger.Answer;
import dev.once.ledger.AttemptFacts;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectOutcome;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;

/**
 * Rows of the ledger as tests read them.
 */
public final class LedgerRows {

	/** Stands in everything that must not be shown: inputs, answer, error text. */
	public static final String CANARY = "s3cr3t-CANARY-42";

	private static final Instant SUBMITTED = Instant.parse("2026-11-02T06:00:00Z");

	private LedgerRows() {
	}

	/**
	 * What names an effect.
	 * @param action its action
	 * @param target its target
	 * @return facts whose inputs hold {@link #CANARY}
	 */
	public static EffectFacts facts(String action, String target) {
		return new EffectFacts("0123456789abcdef0123456789abcdef", 1, action, target, null,
				"fedcba9876543210fedcba9876543210", "{\"amount\":\"" + CANARY + "\"}", action + "/" + target);
	}

	public static EffectRow done(EffectFacts facts, EffectOutcome outcome) {
		return row(facts, EffectState.DONE, outcome, null);
	}

	public static EffectRow open(EffectFacts facts, EffectState state) {
		return row(facts, state, null, null);
	}

	public static EffectRow unknown(EffectFacts facts, Attention attention) {
		return row(facts, EffectState.UNKNOWN, null, attention);
	}

	private static EffectRow row(EffectFacts facts, EffectState state, EffectOutcome outcome, Attention attention) {
		AttemptFacts attempt = new AttemptFacts(2, "attempt-2", null, SUBMITTED, SUBMITTED.plusSeconds(30),
				Duration.ofMinutes(1));
		return new EffectRow(facts, attempt, state, outcome, attention, 0, SUBMITTED, null, 3, null,
				(outcome != null) ? new Answer(CANARY, "text") : null, CANARY, SUBMITTED.plusSeconds(60));
	}

}
