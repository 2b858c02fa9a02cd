package dev.once.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.RunFencedException;
import dev.once.lease.UnreliableLeaseStore.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * L1 to L4: which run owns a job, and how it learns that it no longer does.
 */
class LeasesTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final Duration THIRD = Duration.ofSeconds(10);

	private final SettableClock clock = new SettableClock();

	private final SettableTime time = new SettableTime(this.clock);

	private final InMemoryLeaseStore rows = new InMemoryLeaseStore(this.clock);

	private final UnreliableLeaseStore store = new UnreliableLeaseStore(this.rows);

	private final AtomicInteger ids = new AtomicInteger();

	private final List<String> suppressed = new ArrayList<>();

	private final List<String> fenced = new ArrayList<>();

	private final List<String> fencedLines = new ArrayList<>();

	private final Leases leases = leases(this.store, "context-a");

	private final Leases other = leases(this.rows, "context-b");

	@AfterEach
	void clearInterrupt() {
		Thread.interrupted();
	}

	private Leases leases(LeaseStore store, String owner) {
		LeaseListener listener = new LeaseListener() {

			@Override
			public void suppressed(String job) {
				LeasesTests.this.suppressed.add(job);
			}

			@Override
			public void fenced(String job) {
				LeasesTests.this.fenced.add(job);
			}

		};
		return new Leases(store, owner, this.time, () -> "run-" + this.ids.incrementAndGet(), listener,
				this.fencedLines::add);
	}

	/** L1. */
	@Test
	void aClaimGivesTheRunItsLeaseAndItsToken() {
		Run run = claim();
		assertThat(run.hold()).isEqualTo(new Hold("nightly", "context-a", run.hold().runId(), 1, LEASE));
		assertThat(this.leases.live()).containsExactly(run);
		assertThat(row().leaseUntil()).isEqualTo(this.clock.now().plus(LEASE));
		assertThatCode(run::stopIfFenced).doesNotThrowAnyException();
	}

	/** L1: a lease validly held. */
	@Test
	void aFiringWhileTheLeaseIsHeldIsSuppressed() {
		claim();
		assertThat(this.other.claim("nightly", LEASE, "Billing.nightly", null)).isEmpty();
		assertThat(this.leases.claim("nightly", LEASE, "Billing.nightly", null)).isEmpty();
		assertThat(this.fencedLines).isEmpty();
		assertThat(row().token()).isOne();
	}

	/** L1, I4: the current row's token + 1. */
	@Test
	void everyClaimRaisesTheToken() {
		this.leases.release(claim());
		assertThat(claim().hold().token()).isEqualTo(2);
		this.time.advance(LEASE);
		assertThat(this.other.claim("nightly", LEASE, "Billing.nightly", null)).get()
			.extracting((run) -> run.hold().token())
			.isEqualTo(3L);
	}

	/** L1, E2: it may have been committed. */
	@Test
	void aClaimThatWasCommittedAllTheSameIsReadBackByTheRunsId() {
		this.store.fail(Fault.COMMITTED);
		Run run = claim();
		assertThat(run.hold().runId()).isEqualTo(row().runId());
		assertThat(this.store.calls()).containsExactly("claim", "find");
		assertThat(this.leases.live()).containsExactly(run);
	}

	/** L1, E2: the lease of another is not taken for one's own. */
	@Test
	void aClaimThatWasNotCommittedStartsNothing() {
		this.store.fail(Fault.NOT_COMMITTED);
		assertThatExceptionOfType(StoreException.class).isThrownBy(this::claim);
		this.other.claim("nightly", LEASE, "Billing.nightly", null).orElseThrow();
		this.store.fail(Fault.NOT_COMMITTED);
		assertThatExceptionOfType(StoreException.class).isThrownBy(this::claim);
		assertThat(this.leases.live()).isEmpty();
		assertThat(row().owner()).isEqualTo("context-b");
	}

	/** L1, E2: nor is one's own that lapsed meanwhile. */
	@Test
	void aClaimThatIsReadBackAfterItsLeaseLapsedStartsNothing() {
		this.store.fail(Fault.COMMITTED);
		this.store.afterwards(() -> this.time.advance(LEASE));
		assertThatExceptionOfType(StoreException.class).isThrownBy(this::claim);
		assertThat(this.leases.live()).isEmpty();
	}

	/** L1, E2: the connections of a server that went away are found dead one by one. */
	@Test
	void aClaimIsReadBackAgainWhereTheReadingFailsToo() {
		this.store.fail(Fault.COMMITTED, Fault.NOT_COMMITTED, Fault.NOT_COMMITTED);
		Run run = claim();
		assertThat(run.hold().runId()).isEqualTo(row().runId());
		assertThat(this.store.calls()).containsExactly("claim", "find", "find", "find");
	}

	/** L1: nobody is locked out longer than the lease. */
	@Test
	void aClaimThatNobodyCanReadBackLapsesByItself() {
		this.store.fail(Fault.COMMITTED, Fault.NOT_COMMITTED, Fault.NOT_COMMITTED, Fault.NOT_COMMITTED);
		assertThatExceptionOfType(StoreException.class).isThrownBy(this::claim);
		assertThat(this.other.claim("nightly", LEASE, "Billing.nightly", null)).isEmpty();
		this.time.advance(LEASE);
		assertThat(this.other.claim("nightly", LEASE, "Billing.nightly", null)).isPresent();
	}

	/** L4. */
	@Test
	void aLeaseIsRenewedAtAThirdOfItsLength() {
		claim();
		this.time.advance(THIRD.minusNanos(1));
		this.leases.renewDue();
		assertThat(this.store.calls()).containsExactly("claim");
		this.time.advance(Duration.ofNanos(1));
		this.leases.renewDue();
		assertThat(row().leaseUntil()).isEqualTo(this.clock.now().plus(LEASE));
		assertThat(row().renewedAt()).isEqualTo(this.clock.now());
		this.leases.renewDue();
		assertThat(this.store.calls()).containsExactly("claim", "renew");
	}

	/** L5: counted from before the statement that set the lease. */
	@Test
	void theNextRenewalIsCountedFromBeforeTheStatement() {
		claim();
		this.time.advance(THIRD);
		this.store.afterwards(() -> this.time.advance(THIRD));
		this.leases.renewDue();
		this.leases.renewDue();
		assertThat(this.store.calls()).containsExactly("claim", "renew", "renew");
	}

	/** L4: one statement for all leases. */
	@Test
	void allLeasesThatAreDueAreRenewedTogether() {
		Run first = claim();
		Run second = this.leases.claim("hourly", LEASE, "Billing.hourly", null).orElseThrow();
		this.time.advance(THIRD);
		this.leases.renewDue();
		assertThat(this.store.calls()).containsExactly("claim", "claim", "renew");
		assertThat(this.leases.live()).containsExactlyInAnyOrder(first, second);
		assertThat(this.rows.find("hourly").orElseThrow().renewedAt()).isEqualTo(this.clock.now());
	}

	/** L4: retried with the next tick. */
	@Test
	void aRenewalThatFailsOrMeetsALockIsTriedAgain() {
		Run run = claim();
		this.time.advance(THIRD);
		this.store.fail(Fault.NOT_COMMITTED);
		assertThatExceptionOfType(StoreException.class).isThrownBy(this.leases::renewDue);
		this.store.fail(Fault.LOCKED);
		this.leases.renewDue();
		assertThat(run.isFenced()).isFalse();
		this.time.advance(THIRD);
		this.leases.renewDue();
		assertThat(row().leaseUntil()).isEqualTo(this.clock.now().plus(LEASE));
		assertThat(run.isFenced()).isFalse();
	}

	/** L3: a lapsed lease that nobody took is still the run's. */
	@Test
	void aLeaseThatLapsedAndWasNotTakenIsRenewed() {
		Run run = claim();
		this.time.suspend(LEASE.multipliedBy(3));
		this.leases.renewDue();
		assertThat(run.isFenced()).isFalse();
		assertThat(row().isHeld()).isTrue();
	}

	/** L3: marked and said once, and it does not retry. */
	@Test
	void aRunThatWasTakenOverIsFencedOnceAndRenewsNoMore() {
		Run run = claim();
		this.time.advance(LEASE);
		this.other.claim("nightly", LEASE, "Billing.nightly", null).orElseThrow();
		for (int i = 0; i < 3; i++) {
			this.leases.renewDue();
			this.time.advance(THIRD);
			this.leases.fence(run);
		}
		assertThat(run.isFenced()).isTrue();
		assertThat(this.fenced).containsExactly("nightly");
		assertThat(this.fencedLines).containsExactly("Run " + run.hold().runId()
				+ " of job 'nightly' has been turned away: its token 1 is no longer the job's");
		assertThat(this.store.calls()).containsExactly("claim", "renew");
		assertThatExceptionOfType(RunFencedException.class).isThrownBy(run::stopIfFenced);
		assertThat(row().owner()).isEqualTo("context-b");
	}

	/** L3: an operator's release raises the token. */
	@Test
	void aRunWhoseLeaseAnOperatorReleasedIsFenced() {
		Run run = claim();
		LeaseRow row = row();
		this.rows.put(new LeaseRow("nightly", null, null, 2, this.clock.now(), row.acquiredAt(), null, row.readAt()));
		this.time.advance(THIRD);
		this.leases.renewDue();
		assertThat(run.isFenced()).isTrue();
	}

	/** L2: the row stays, and keeps its token. */
	@Test
	void aReleaseEndsTheLeaseAndKeepsTheToken() {
		Run run = claim();
		this.time.advance(Duration.ofSeconds(3));
		this.leases.release(run);
		assertThat(row().owner()).isNull();
		assertThat(row().runId()).isNull();
		assertThat(row().token()).isOne();
		assertThat(row().leaseUntil()).isEqualTo(this.clock.now());
		assertThat(this.leases.live()).isEmpty();
		assertThat(this.other.claim("nightly", LEASE, "Billing.nightly", null)).isPresent();
	}

	/** L2, L3: a renewal already on its way finds nothing, and its run is not fenced. */
	@Test
	void aRenewalThatMeetsItsOwnRunsReleaseIsNotFenced() {
		Run run = claim();
		this.time.advance(THIRD);
		this.store.beforehand(() -> this.leases.release(run));
		this.leases.renewDue();
		assertThat(this.store.calls()).containsExactly("claim", "renew", "release");
		assertThat(row().owner()).isNull();
		assertThat(run.isFenced()).isFalse();
		assertThat(this.fencedLines).isEmpty();
		assertThat(this.fenced).isEmpty();
	}

	/** L2: tried again, and otherwise it lapses by itself. */
	@Test
	void aReleaseThatFailsIsTriedAgainAndOtherwiseLapses() {
		Run run = claim();
		this.store.fail(Fault.NOT_COMMITTED, Fault.COMMITTED);
		this.leases.release(run);
		assertThat(this.store.calls()).containsExactly("claim", "release", "release", "release");
		assertThat(row().owner()).isNull();
		Run second = claim();
		this.store.fail(Fault.NOT_COMMITTED, Fault.NOT_COMMITTED, Fault.NOT_COMMITTED);
		this.leases.release(second);
		assertThat(row().isHeld()).isTrue();
		assertThat(this.leases.live()).isEmpty();
		this.time.advance(LEASE);
		assertThat(this.other.claim("nightly", LEASE, "Billing.nightly", null)).isPresent();
	}

	/** L2: over closed connections nothing is repeated. */
	@Test
	void aReleaseOverClosedConnectionsIsNotRepeated() {
		Run run = claim();
		this.store.fail(Fault.CLOSED);
		this.leases.release(run);
		assertThat(this.store.calls()).containsExactly("claim", "release");
		assertThat(this.leases.live()).isEmpty();
	}

	/** L2: a run is often interrupted as it ends. */
	@Test
	void anInterruptedRunReleasesItsLeaseAndKeepsItsFlag() {
		Run run = claim();
		List<Boolean> flags = new ArrayList<>();
		this.store.afterwards(() -> flags.add(Thread.currentThread().isInterrupted()));
		this.store.fail(Fault.NOT_COMMITTED);
		Thread.currentThread().interrupt();
		this.leases.release(run);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(flags).containsExactly(false);
		assertThat(row().owner()).isNull();
	}

	/** L3: a fenced run's release touches no other run's lease. */
	@Test
	void aFencedRunsReleaseLeavesTheOthersLeaseAlone() {
		Run run = claim();
		this.time.advance(LEASE);
		Run taken = this.other.claim("nightly", LEASE, "Billing.nightly", null).orElseThrow();
		this.leases.release(run);
		assertThat(row().runId()).isEqualTo(taken.hold().runId());
		assertThat(row().isHeld()).isTrue();
		assertThat(this.leases.live()).isEmpty();
	}

	private Run claim() {
		return this.leases.claim("nightly", LEASE, "Billing.nightly", null).orElseThrow();
	}

	private LeaseRow row() {
		return this.rows.find("nightly").orElseThrow();
	}

}
