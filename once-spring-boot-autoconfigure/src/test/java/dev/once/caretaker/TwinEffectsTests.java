package dev.once.caretaker;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.once.ledger.EffectFacts;
import dev.once.ledger.Ending;
import dev.once.ledger.InMemoryEffectLedger;
import dev.once.ledger.Move;
import dev.once.ledger.ProtocolUnderTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One fact under two actions' names is told of.
 */
@ExtendWith(OutputCaptureExtension.class)
class TwinEffectsTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final InMemoryEffectLedger ledger = this.once.rows();

	@AfterEach
	void close() {
		this.once.close();
	}

	@Test
	void onePairOfNamesIsToldOfOnceWithTheMend(CapturedOutput output) {
		TwinEffects twins = twins(Map.of());
		perform(twins, facts("charge", "inv-17", "d1"));
		assertThat(output).doesNotContain("same target");
		perform(twins, facts("bill", "inv-17", "d1"));
		perform(twins, facts("charge", "inv-18", "d2"));
		perform(twins, facts("bill", "inv-18", "d2"));
		assertThat(output).containsOnlyOnce("same target")
			.contains("Effect 'bill/inv-17'")
			.contains("'charge/inv-17'")
			.contains("once.effects.bill.distinct-from=charge");
	}

	@Test
	void whatSomebodySaidIsAnotherIsNotToldOf(CapturedOutput output) {
		TwinEffects twins = twins(Map.of("charge", Set.of("refund")));
		perform(twins, facts("charge", "inv-17", "d1"));
		perform(twins, facts("refund", "inv-17", "d1"));
		assertThat(output).doesNotContain("same target");
	}

	/** One that is known must not hide another. */
	@Test
	void everyPairIsToldOf(CapturedOutput output) {
		TwinEffects twins = twins(Map.of("charge", Set.of("refund")));
		perform(twins, facts("charge", "inv-17", "d1"));
		perform(twins, facts("refund", "inv-17", "d1"));
		perform(twins, facts("bill", "inv-17", "d1"));
		assertThat(output).contains("distinct-from=charge").contains("distinct-from=refund");
	}

	@Test
	void otherInputsOtherTargetsAndNoInputsAreNoTwins(CapturedOutput output) {
		TwinEffects twins = twins(Map.of());
		perform(twins, facts("charge", "inv-17", "d1"));
		perform(twins, facts("bill", "inv-17", "d2"));
		perform(twins, facts("bill", "inv-18", "d1"));
		perform(twins, new EffectFacts("none", 1, "close", "inv-17", null, "d1", "{}", "close/inv-17"));
		assertThat(output).doesNotContain("same target");
	}

	@Test
	void whatWasNotPerformedIsNotLookedAt(CapturedOutput output) {
		TwinEffects twins = twins(Map.of());
		perform(twins, facts("charge", "inv-17", "d1"));
		submit(facts("bill", "inv-17", "d1"));
		twins.ended(facts("bill", "inv-17", "d1"), Ending.DUPLICATE);
		twins.round();
		assertThat(output).doesNotContain("same target");
	}

	private TwinEffects twins(Map<String, Set<String>> distinct) {
		return new TwinEffects(this.ledger, distinct, LONG);
	}

	private void perform(TwinEffects twins, EffectFacts facts) {
		submit(facts);
		twins.ended(facts, Ending.PERFORMED);
		twins.round();
	}

	private void submit(EffectFacts facts) {
		this.ledger.apply(new Move.Submit(facts, "attempt", null, LONG, LONG, Move.Waiting.FOR_NOTHING));
	}

	private static EffectFacts facts(String action, String target, String digest) {
		return new EffectFacts(action + target + digest, 1, action, target, null, digest, "{\"amount\":10}",
				action + "/" + target);
	}

}
