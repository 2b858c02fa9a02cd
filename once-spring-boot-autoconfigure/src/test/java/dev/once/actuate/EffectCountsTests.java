package dev.once.actuate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import dev.once.actuate.EffectCounts.Turn;
import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.EffectOutcome;
import dev.once.ledger.Ending;
import dev.once.test.LedgerRows;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EffectCountsTests {

	private final List<String> actions = new ArrayList<>(List.of("charge", "mail"));

	private final EffectCounts counts = new EffectCounts(() -> new Names(this.actions, List.of("nightly-billing")));

	@Test
	void declaredNamesStandAtZero() {
		assertThat(this.counts.endings()).containsOnlyKeys("charge", "mail", EffectCounts.OTHER)
			.allSatisfy((action, tally) -> assertThat(Ending.values()).allMatch((ending) -> tally.of(ending) == 0));
		assertThat(this.counts.turns()).containsOnlyKeys("nightly-billing", EffectCounts.OTHER);
	}

	@Test
	void aCallIsCountedUnderItsActionAndEnding() {
		this.counts.ended(LedgerRows.facts("charge", "inv-17"), Ending.PERFORMED);
		this.counts.ended(LedgerRows.facts("charge", "inv-18"), Ending.PERFORMED);
		this.counts.ended(LedgerRows.facts("charge", "inv-17"), Ending.DUPLICATE);
		assertThat(this.counts.endings("charge").of(Ending.PERFORMED)).isEqualTo(2);
		assertThat(this.counts.endings("charge").of(Ending.DUPLICATE)).isEqualTo(1);
		assertThat(this.counts.endings("mail").of(Ending.PERFORMED)).isZero();
	}

	@Test
	void undeclaredNamesAreCountedTogether() {
		for (int i = 0; i < 1000; i++) {
			this.counts.ended(LedgerRows.facts("action-" + i, "inv-17"), Ending.UNKNOWN);
			this.counts.fenced("job-" + i);
		}
		assertThat(this.counts.endings()).hasSize(3);
		assertThat(this.counts.endings(EffectCounts.OTHER).of(Ending.UNKNOWN)).isEqualTo(1000);
		assertThat(this.counts.turns()).hasSize(2);
		assertThat(this.counts.turns(EffectCounts.OTHER).of(Turn.FENCED)).isEqualTo(1000);
	}

	@Test
	void whatIsDeclaredLaterIsCountedByItself() {
		this.actions.add("post");
		this.counts.ended(LedgerRows.facts("post", "figure"), Ending.PERFORMED);
		assertThat(this.counts.endings("post").of(Ending.PERFORMED)).isEqualTo(1);
		assertThat(this.counts.endingsBeside(Set.of("charge", "mail"), Ending.PERFORMED)).isEqualTo(1);
	}

	@Test
	void everythingElseIsCounted() {
		EffectFacts facts = LedgerRows.facts("charge", "inv-17");
		this.counts.repeated(LedgerRows.done(facts, EffectOutcome.PERFORMED), Ending.DUPLICATE, Caller.ANYBODY);
		this.counts.changed(facts);
		this.counts.contradiction(facts, null);
		this.counts.resolved(LedgerRows.done(facts, EffectOutcome.RESOLVED), Resolved.HAPPENED);
		this.counts.suppressed("nightly-billing");
		assertThat(this.counts.duplicates()).isEqualTo(1);
		assertThat(this.counts.changed()).isEqualTo(1);
		assertThat(this.counts.contradictions()).isEqualTo(1);
		assertThat(this.counts.resolved().of(Resolved.HAPPENED)).isEqualTo(1);
		assertThat(this.counts.turns("nightly-billing").of(Turn.SUPPRESSED)).isEqualTo(1);
	}

	record Names(Collection<String> actions, Collection<String> jobs) implements KnownNames {

	}

}
