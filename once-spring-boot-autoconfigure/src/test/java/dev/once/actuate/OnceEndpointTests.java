package dev.once.actuate;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.once.actuate.OnceDescriptor.AttentionDescriptor;
import dev.once.actuate.OnceDescriptor.OccurrencesDescriptor;
import dev.once.actuate.OnceDescriptor.JobDescriptor;
import dev.once.lease.LeaseRow;
import dev.once.lease.StoreException;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectState;
import dev.once.ledger.Ending;
import dev.once.test.LedgerRows;
import dev.once.test.StubLeaseStore;
import dev.once.occurrence.OccurrenceStore;
import dev.once.test.StubLedger;
import dev.once.test.StubOccurrences;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class OnceEndpointTests {

	private final StubLeaseStore leases = new StubLeaseStore();

	private final StubLedger ledger = new StubLedger();

	private final StubOccurrences occurrences = new StubOccurrences();

	private final KnownNames names = new Names(List.of("charge"), List.of("digest", "nightly-billing"));

	private final EffectCounts counts = new EffectCounts(() -> this.names);

	private final OnceEndpoint endpoint = new OnceEndpoint(this.leases, this.ledger, this.occurrences, this.counts,
			() -> this.names);

	@Test
	void aHeldLeaseShowsItsRun() {
		LeaseRow row = StubLeaseStore.held("nightly-billing", 17);
		this.leases.shows(row);
		assertThat(this.endpoint.once().jobs()).contains(new JobDescriptor("nightly-billing", true, "owner-1", "run-1",
				17, row.leaseUntil(), row.acquiredAt(), row.renewedAt()));
	}

	@Test
	void aLeaseThatHasEndedShowsNoRunButItsToken() {
		this.leases.shows(StubLeaseStore.released("nightly-billing", 17));
		assertThat(this.endpoint.once().jobs()).filteredOn((job) -> job.name().equals("nightly-billing"))
			.singleElement()
			.satisfies((job) -> assertThat(job.held()).isFalse())
			.satisfies((job) -> assertThat(job.owner()).isNull())
			.satisfies((job) -> assertThat(job.token()).isEqualTo(17));
	}

	@Test
	void declaredJobsWithoutALeaseAndLeasesOfOtherApplicationsAreShownInOrder() {
		this.leases.shows(StubLeaseStore.held("nightly-billing", 17));
		this.leases.shows(StubLeaseStore.held("cleanup", 2));
		assertThat(this.endpoint.once().jobs()).extracting(JobDescriptor::name)
			.containsExactly("cleanup", "digest", "nightly-billing");
	}

	@Test
	void openEffectsAreCountedByStateAndAttention() {
		this.ledger.holds(Map.of(EffectState.CLAIMED, 1L, EffectState.SUBMITTED, 2L, EffectState.UNKNOWN, 3L),
				Map.of(Attention.REFUSED, 1L, Attention.UNDETERMINED, 2L), Duration.ofMinutes(4));
		this.occurrences.with(new OccurrenceStore.Standing(2, 1, Map.of("export", 3L), Map.of("nightly-billing", 4L)));
		assertThat(this.endpoint.once().occurrences()).isEqualTo(
				new OccurrencesDescriptor(2, 1, List.of(new OnceDescriptor.JobOccurrencesDescriptor("export", 3)),
						List.of(new OnceDescriptor.JobOccurrencesDescriptor("nightly-billing", 4))));
		assertThat(this.endpoint.once().effects()).satisfies((effects) -> {
			assertThat(effects.claimed()).isEqualTo(1);
			assertThat(effects.submitted()).isEqualTo(2);
			assertThat(effects.unknown()).isEqualTo(3);
			assertThat(effects.oldestUnknown()).isEqualTo(Duration.ofMinutes(4));
			assertThat(effects.attention()).containsExactly(new AttentionDescriptor("undetermined", 2),
					new AttentionDescriptor("refused", 1));
		});
	}

	@Test
	void countersAreThoseOfThisProcess() {
		this.counts.ended(LedgerRows.facts("charge", "inv-17"), Ending.PERFORMED);
		this.counts.ended(LedgerRows.facts("charge", "inv-17"), Ending.NOT_SENT);
		this.counts.fenced("digest");
		OnceDescriptor.CountersDescriptor counters = this.endpoint.once().counters();
		assertThat(counters.actions()).first()
			.isEqualTo(new OnceDescriptor.ActionDescriptor("charge", 1, 0, 0, 0, 1, 0, 0, 0));
		assertThat(counters.jobs()).contains(new OnceDescriptor.TurnsDescriptor("digest", 0, 1, 0, 0, 0));
		assertThat(counters.since()).isNotNull();
	}

	@Test
	void countersAreShownWhenTheLedgerCannotBeRead() {
		this.ledger.answers(() -> {
			throw new StoreException("no database", new IllegalStateException());
		});
		OnceDescriptor shown = this.endpoint.once();
		assertThat(shown.problem()).contains("cannot be read").doesNotContain("no database");
		assertThat(shown.jobs()).isNull();
		assertThat(shown.effects()).isNull();
		assertThat(shown.occurrences()).isNull();
		assertThat(shown.counters().actions()).isNotEmpty();
	}

	record Names(Collection<String> actions, Collection<String> jobs) implements KnownNames {

	}

}
