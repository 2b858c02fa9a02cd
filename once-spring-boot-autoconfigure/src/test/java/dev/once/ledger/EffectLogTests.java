package dev.once.ledger;

import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.test.LedgerRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class EffectLogTests {

	private static final String NAME = "action 'charge', effect 'charge/inv-17', key 0123456789abcdef0123456789abcdef";

	private final EffectFacts facts = LedgerRows.facts("charge", "inv-17");

	private final EffectLog log = new EffectLog();

	@Test
	void aRepeatIsOneLineThatNamesEffectStateMetAndWhatBecameOfIt(CapturedOutput output) {
		this.log.repeated(LedgerRows.done(this.facts, EffectOutcome.PERFORMED), Ending.DUPLICATE, Caller.ANYBODY);
		assertThat(output.getAll().lines()).singleElement()
			.asString()
			.contains("INFO")
			.endsWith("once.repeat - Repeat of " + NAME
					+ ": met done (performed, attempt 2), turned away as a duplicate, the recorded answer stands");
	}

	@Test
	void aRepeatOfWhatWasGivenUpDoesNotSpeakOfAnAnswer(CapturedOutput output) {
		this.log.repeated(LedgerRows.done(this.facts, EffectOutcome.ABANDONED), Ending.DUPLICATE, Caller.ANYBODY);
		assertThat(output.getAll()).contains("met done (abandoned, attempt 2)").doesNotContain("answer");
	}

	/** O4: a body that is run again meets what it did before. */
	@Test
	void aRepeatOfARunAgainIsNoNews(CapturedOutput output) {
		this.log.repeated(LedgerRows.done(this.facts, EffectOutcome.PERFORMED), Ending.DUPLICATE, Caller.RUN_AGAIN);
		assertThat(output.getAll()).doesNotContain("INFO");
	}

	@Test
	void aRepeatThatMeetsAnEffectInFlightSaysSo(CapturedOutput output) {
		this.log.repeated(LedgerRows.open(this.facts, EffectState.SUBMITTED), Ending.IN_PROGRESS, Caller.ANYBODY);
		assertThat(output.getAll()).contains("met submitted (attempt 2), turned away, another attempt is in flight");
	}

	@Test
	void aCallThatMetNothingIsNoLine(CapturedOutput output) {
		this.log.ended(this.facts, Ending.PERFORMED);
		assertThat(output.getAll()).isEmpty();
	}

	@Test
	void aChangedFactIsALineWithTheDigestOfItsInputs(CapturedOutput output) {
		this.log.changed(this.facts);
		assertThat(output.getAll().lines()).singleElement()
			.asString()
			.contains("INFO", "once.changed", NAME, "digest fedcba9876543210fedcba9876543210");
	}

	@Test
	void whatCameOfAskingIsALine(CapturedOutput output) {
		this.log.resolved(LedgerRows.done(this.facts, EffectOutcome.RESOLVED), Resolved.HAPPENED);
		assertThat(output.getAll().lines()).singleElement()
			.asString()
			.contains("INFO", "once.resolved", NAME + ": it happened, it is done (resolved, attempt 2)");
	}

	@Test
	void whatNobodyCouldDetermineIsAWarning(CapturedOutput output) {
		this.log.resolved(LedgerRows.unknown(this.facts, Attention.UNDETERMINED), Resolved.UNDETERMINED);
		assertThat(output.getAll().lines()).singleElement()
			.asString()
			.contains("WARN", "once.resolved", NAME, "unknown (attempt 2, attention undetermined)", "needs a person");
	}

	@Test
	void aContradictionIsAnError(CapturedOutput output) {
		this.log.contradiction(this.facts, LedgerRows.open(this.facts, EffectState.SUBMITTED));
		this.log.contradiction(this.facts, null);
		assertThat(output.getAll().lines()).hasSize(2)
			.allSatisfy((line) -> assertThat(line).contains("ERROR", "once.contradiction", NAME));
		assertThat(output.getAll()).contains("now submitted (attempt 2)", "now no longer in the ledger");
	}

	@Test
	void noLineShowsInputsAnswersOrErrors(CapturedOutput output) {
		for (Ending ending : Ending.values()) {
			this.log.repeated(LedgerRows.done(this.facts, EffectOutcome.PERFORMED), ending, Caller.ANYBODY);
			this.log.repeated(LedgerRows.unknown(this.facts, Attention.REFUSED), ending, Caller.ANYBODY);
		}
		for (Resolved how : Resolved.values()) {
			this.log.resolved(LedgerRows.unknown(this.facts, Attention.UNDETERMINED), how);
		}
		this.log.changed(this.facts);
		this.log.contradiction(this.facts, LedgerRows.done(this.facts, EffectOutcome.PERFORMED));
		assertThat(output.getAll()).contains(NAME).doesNotContain(LedgerRows.CANARY);
	}

}
