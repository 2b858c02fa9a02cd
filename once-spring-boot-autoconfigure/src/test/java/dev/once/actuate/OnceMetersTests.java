package dev.once.actuate;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.once.lease.StoreException;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.EffectOutcome;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Ending;
import dev.once.test.LedgerRows;
import dev.once.test.StubLedger;
import dev.once.test.StubOccurrences;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OnceMetersTests {

	private final StubLedger ledger = new StubLedger();

	private final StubOccurrences occurrences = new StubOccurrences();

	private final StandingReader reader = new StandingReader(this.ledger, this.occurrences, Duration.ZERO,
			Duration.ofMinutes(1));

	private final EffectCounts counts = new EffectCounts(
			() -> new Names(List.of("charge", "mail"), List.of("nightly-billing")));

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final EffectFacts facts = LedgerRows.facts("charge", "inv-17");

	@BeforeEach
	void bind() {
		new OnceMeters(this.counts, this.reader).bindTo(this.registry);
	}

	@AfterEach
	void close() {
		this.reader.close();
	}

	@Test
	void everyMeterStandsAtZeroBeforeAnythingHappens() {
		for (Ending ending : Ending.values()) {
			assertThat(count("once.effects", "action", "charge", "outcome", Words.of(ending))).isZero();
			assertThat(count("once.effects", "action", "other", "outcome", Words.of(ending))).isZero();
		}
		for (Resolved how : Resolved.values()) {
			assertThat(count("once.effects.resolved", "how", Words.of(how))).isZero();
		}
		for (Attention reason : Attention.values()) {
			assertThat(gauge("once.effects.attention", "reason", Words.of(reason))).isZero();
		}
		assertThat(count("once.effects.duplicates")).isZero();
		assertThat(count("once.effects.changed")).isZero();
		assertThat(count("once.effects.contradictions")).isZero();
		assertThat(count("once.fenced", "job", "nightly-billing")).isZero();
		assertThat(count("once.job.suppressed", "job", "nightly-billing")).isZero();
		assertThat(gauge("once.effects.unknown")).isZero();
		assertThat(gauge("once.effects.unknown.age")).isZero();
	}

	@Test
	void callsAreCountedByActionAndOutcome() {
		this.counts.ended(this.facts, Ending.PERFORMED);
		this.counts.ended(this.facts, Ending.IN_PROGRESS);
		assertThat(count("once.effects", "action", "charge", "outcome", "performed")).isEqualTo(1);
		assertThat(count("once.effects", "action", "charge", "outcome", "in_progress")).isEqualTo(1);
		assertThat(count("once.effects", "action", "mail", "outcome", "performed")).isZero();
	}

	@Test
	void everyEventMovesItsOwnCounter() {
		EffectRow done = LedgerRows.done(this.facts, EffectOutcome.RESOLVED);
		this.counts.repeated(done, Ending.DUPLICATE, Caller.ANYBODY);
		this.counts.changed(this.facts);
		this.counts.resolved(done, Resolved.DID_NOT_HAPPEN);
		this.counts.contradiction(this.facts, done);
		this.counts.fenced("nightly-billing");
		this.counts.suppressed("nightly-billing");
		this.counts.suppressed("nightly-billing");
		assertThat(count("once.effects.duplicates")).isEqualTo(1);
		assertThat(count("once.effects.changed")).isEqualTo(1);
		assertThat(count("once.effects.resolved", "how", "did_not_happen")).isEqualTo(1);
		assertThat(count("once.effects.contradictions")).isEqualTo(1);
		assertThat(count("once.fenced", "job", "nightly-billing")).isEqualTo(1);
		assertThat(count("once.job.suppressed", "job", "nightly-billing")).isEqualTo(2);
	}

	@Test
	void gaugesEqualTheLedger() {
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 3L, EffectState.CLAIMED, 5L), Map.of(Attention.UNDETERMINED, 2L),
				Duration.ofSeconds(90));
		assertThat(gauge("once.effects.unknown")).isEqualTo(3);
		assertThat(this.registry.get("once.effects.unknown.age").timeGauge().value(TimeUnit.SECONDS)).isEqualTo(90);
		assertThat(gauge("once.effects.attention", "reason", "undetermined")).isEqualTo(2);
		assertThat(gauge("once.effects.attention", "reason", "refused")).isZero();
	}

	@Test
	void gaugesOfALedgerThatCannotBeReadAreNoNumber() {
		this.ledger.answers(() -> {
			throw new StoreException("no database", new IllegalStateException());
		});
		assertThat(gauge("once.effects.unknown")).isNaN();
		assertThat(gauge("once.effects.unknown.age")).isNaN();
		assertThat(gauge("once.effects.attention", "reason", "refused")).isNaN();
	}

	@Test
	void aHundredThousandEffectsMakeNoFurtherMeter() {
		int before = this.registry.getMeters().size();
		for (int i = 0; i < 100_000; i++) {
			this.counts.ended(LedgerRows.facts("action-" + i, "inv-" + i), Ending.PERFORMED);
			this.counts.suppressed("job-" + i);
			this.counts.changed(LedgerRows.facts("charge", "inv-" + i));
		}
		assertThat(this.registry.getMeters()).hasSize(before).hasSizeLessThan(100);
		assertThat(count("once.effects", "action", "other", "outcome", "performed")).isEqualTo(100_000);
		assertThat(this.registry.getMeters()).flatExtracting((meter) -> meter.getId().getTags())
			.allSatisfy((tag) -> assertThat(tag.getKey()).isIn("action", "outcome", "how", "reason", "job"))
			.allSatisfy((tag) -> assertThat(tag.getValue()).doesNotContain("inv-", "action-", "job-"));
	}

	@Test
	void everyMeterIsDescribed() {
		assertThat(this.registry.getMeters()).map(Meter::getId)
			.allSatisfy((id) -> assertThat(id.getDescription()).as(id.getName()).isNotBlank());
	}

	private double count(String name, String... tags) {
		return this.registry.get(name).tags(tags).functionCounter().count();
	}

	private double gauge(String name, String... tags) {
		for (Measurement measurement : this.registry.get(name).tags(tags).meter().measure()) {
			return measurement.getValue();
		}
		throw new AssertionError(name + " measures nothing");
	}

	record Names(Collection<String> actions, Collection<String> jobs) implements KnownNames {

	}

}
