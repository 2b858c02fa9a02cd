package dev.once.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.once.lease.LeaseListener;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.StoreException;
import dev.once.lease.TimeSource;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectState;
import dev.once.test.StubLeaseStore;
import dev.once.occurrence.OccurrenceStore;
import dev.once.test.StubLedger;
import dev.once.test.StubOccurrences;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;

class OnceHealthIndicatorTests {

	private final StubLedger ledger = new StubLedger();

	private final StubOccurrences occurrences = new StubOccurrences();

	private final StandingReader reader = new StandingReader(this.ledger, this.occurrences, Duration.ZERO,
			Duration.ofMinutes(1));

	private final Leases leases = new Leases(new StubLeaseStore(), "owner-1", TimeSource.SYSTEM, () -> "run-1",
			new LeaseListener() {
			}, (line) -> {
			});

	private final Renewer renewer = new Renewer(List.of(), Duration.ofMinutes(1));

	private Optional<String> obstacle = Optional.empty();

	private final OnceHealthIndicator indicator = new OnceHealthIndicator(() -> this.obstacle, this.leases,
			this.renewer, this.reader);

	@AfterEach
	void close() {
		this.renewer.close();
		this.reader.close();
	}

	@Test
	void aLedgerThatCanBeWrittenIsUp() {
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(health().getDetails()).containsExactly(Map.entry("unknown", 0L));
	}

	@Test
	void aLedgerThatCannotBeWrittenIsDownAndSaysWhy() {
		this.obstacle = Optional.of("the database is a standby");
		assertThat(health().getStatus()).isEqualTo(Status.DOWN);
		assertThat(health().getDetails()).containsEntry("ledger", "It cannot be written: the database is a standby");
	}

	@Test
	void leasesThatNobodyRenewsAreDown() {
		this.leases.claim("nightly-billing", Duration.ofSeconds(30), "billing.charge()", null);
		assertThat(health().getStatus()).isEqualTo(Status.DOWN);
		assertThat(health().getDetails()).containsKey("renewal");
		this.renewer.ensureRunning();
		assertThat(health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void aRenewerThatHasNothingToRenewNeedNotRun() {
		assertThat(this.renewer.isRunning()).isFalse();
		assertThat(health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void whatNeedsAPersonIsAStatusOfItsOwn() {
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 2L), Map.of(Attention.UNDETERMINED, 2L, Attention.REFUSED, 0L),
				Duration.ofMinutes(5));
		assertThat(health().getStatus()).isEqualTo(OnceHealthIndicator.ATTENTION);
		assertThat(health().getDetails()).containsEntry("unknown", 2L)
			.containsEntry("oldestUnknown", Duration.ofMinutes(5))
			.containsEntry("attention", Map.of("undetermined", 2L));
	}

	/** O6. */
	@Test
	void anAbandonedOccurrenceNeedsAPersonToo() {
		this.occurrences.with(new OccurrenceStore.Standing(3, 1, Map.of(), Map.of()));
		assertThat(health().getStatus()).isEqualTo(OnceHealthIndicator.ATTENTION);
		assertThat(health().getDetails()).containsEntry("abandonedOccurrences", 1L);
	}

	@Test
	void unknownEffectsThatAreBeingAskedAboutNeedNobody() {
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 2L), Map.of(), Duration.ofMinutes(5));
		assertThat(health().getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void aLedgerThatCanBeWrittenButIsSlowToReadIsNotDown() {
		this.ledger.answers(() -> {
			throw new StoreException("too slow", new IllegalStateException());
		});
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(health().getDetails()).containsEntry("ledger", "It could not be read in time");
	}

	private Health health() {
		return this.indicator.health();
	}

}
