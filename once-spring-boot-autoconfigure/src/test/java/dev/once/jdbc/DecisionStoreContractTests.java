package dev.once.jdbc;

import java.time.Instant;
import java.util.List;

import dev.once.OnceException;
import dev.once.approval.Decision;
import dev.once.approval.DecisionKind;
import dev.once.approval.DecisionRow;
import dev.once.approval.DecisionStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * P2: the history of decisions, on every store.
 */
abstract class DecisionStoreContractTests {

	abstract DecisionStore decisions();

	/** The store's own clock. */
	abstract Instant now();

	@Test
	void aDecisionIsRecordedWithWhoWhyAndTheStoresTime() {
		Decision asked = new Decision("d1", DecisionKind.RUN_AGAIN, "nightly",
				"2026-11-01T01:30[America/New_York]/again", "k1", 2, "amelia", "the far side was down", "started");
		Instant before = now();
		decisions().append(asked);
		assertThat(decisions().latest("nightly", 10)).singleElement().satisfies((row) -> {
			assertThat(row.decision()).isEqualTo(asked);
			assertThat(row.decidedAt()).isBetween(before, now());
		});
	}

	@Test
	void whatWasNotSaidStaysUnsaid() {
		Decision asked = Decision.ofJob("d1", DecisionKind.DRILL, "nightly", null, "amelia", " ", null);
		assertThat(asked.why()).isNull();
		decisions().append(asked);
		assertThat(decisions().latest("nightly", 10)).extracting(DecisionRow::decision).containsExactly(asked);
	}

	@Test
	void aDecisionThatIsSaidAgainStaysOneAndAsItWas() {
		decisions().append(runNow("d1", "nightly"));
		decisions().append(Decision.ofJob("d1", DecisionKind.DRILL, "nightly", null, "mallory", null, null));
		assertThat(decisions().latest("nightly", 10)).extracting(DecisionRow::decision)
			.containsExactly(runNow("d1", "nightly"));
	}

	@Test
	void theLatestOfTheJobComeFirst() {
		for (String id : List.of("d1", "d2", "d3")) {
			decisions().append(runNow(id, "nightly"));
		}
		decisions().append(runNow("d4", "weekly"));
		assertThat(decisions().latest("nightly", 2)).extracting((row) -> row.decision().id())
			.containsExactly("d3", "d2");
		assertThat(decisions().latest("unheard of", 2)).isEmpty();
	}

	@Test
	void textsAreCleanedAndCutSoThatNoneKeepsADecisionFromBeingRecorded() {
		String unclean = "a\0b\nc" + "\ud83d\ude00".repeat(2000);
		decisions().append(Decision.ofJob("d1", DecisionKind.RUN_NOW, "nightly", null, unclean, unclean, unclean));
		assertThat(decisions().latest("nightly", 1)).singleElement().satisfies((row) -> {
			assertThat(row.decision().who()).startsWith("a?b?c\ud83d\ude00").hasSize(255);
			assertThat(row.decision().why()).startsWith("a?b?c\ud83d\ude00").hasSize(1999);
			assertThat(row.decision().detail()).isEqualTo(row.decision().why());
		});
	}

	@Test
	void nobodyIsNotRecordedAsWho() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> Decision.ofJob("d1", DecisionKind.RUN_NOW, "nightly", null, " ", null, null))
			.withMessageContaining("authenticated principal");
	}

	static Decision runNow(String id, String job) {
		return Decision.ofJob(id, DecisionKind.RUN_NOW, job, "2026-11-01T00:00Z", "amelia", "why not", null);
	}

}
