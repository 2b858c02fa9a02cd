package dev.once.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Registration;
import dev.once.lease.LeaseStore.Release;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.lease.LeaseStore.Request;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a lease table does with each call, wherever it keeps its rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LeaseStoreContractTests {

	private static final Duration LENGTH = Duration.ofSeconds(30);

	private static final Duration HOUR = Duration.ofHours(1);

	private PortsUnderTest ports;

	abstract PortsUnderTest open();

	@BeforeAll
	void openPorts() {
		this.ports = open();
	}

	@AfterAll
	void closePorts() {
		this.ports.close();
	}

	@BeforeEach
	void noLease() {
		this.ports.clear();
	}

	@Test
	void theFirstClaimIsGrantedTheFirstToken() {
		Instant before = this.ports.now();
		assertThat(claim("nightly", "run-1")).isEqualTo(new Claim.Granted(hold("nightly", "run-1", 1)));
		LeaseRow row = row("nightly");
		assertThat(row.owner()).isEqualTo("context-1");
		assertThat(row.runId()).isEqualTo("run-1");
		assertThat(row.token()).isOne();
		assertThat(row.acquiredAt()).isBetween(before, row.readAt());
		assertThat(row.renewedAt()).isNull();
		assertThat(row.leaseUntil()).isBetween(row.acquiredAt().plus(LENGTH).minusMillis(50),
				row.acquiredAt().plus(LENGTH).plusMillis(50));
		assertThat(row.isHeld()).isTrue();
	}

	@Test
	void aClaimOfAHeldLeaseIsDeclinedAndChangesNothing() {
		claim("nightly", "run-1");
		LeaseRow held = row("nightly");
		assertThat(claim("nightly", "run-2")).isInstanceOfSatisfying(Claim.Declined.class,
				(declined) -> assertThat(without(declined.holder())).isEqualTo(without(held)));
		assertThat(without(row("nightly"))).isEqualTo(without(held));
	}

	@Test
	void itsOwnContextIsDeclinedTooWhileItsOtherRunHoldsTheLease() {
		claim("nightly", "run-1");
		assertThat(claim("nightly", "run-1")).isInstanceOf(Claim.Declined.class);
	}

	@Test
	void aLapsedLeaseIsTakenOverUnderTheNextToken() {
		this.ports.putLease(lease("nightly", "context-0", "run-0", 41, HOUR.negated()));
		assertThat(claim("nightly", "run-1")).isEqualTo(new Claim.Granted(hold("nightly", "run-1", 42)));
		LeaseRow row = row("nightly");
		assertThat(row.owner()).isEqualTo("context-1");
		assertThat(row.token()).isEqualTo(42);
		assertThat(row.acquiredAt()).isAfter(row.readAt().minus(HOUR.dividedBy(2)));
		assertThat(row.renewedAt()).isNull();
		assertThat(row.isHeld()).isTrue();
	}

	@Test
	void aReleasedLeaseKeepsItsRowAndTokenAndIsFree() {
		claim("nightly", "run-1");
		assertThat(release(hold("nightly", "run-1", 1))).isEqualTo(Release.RELEASED);
		LeaseRow row = row("nightly");
		assertThat(row.owner()).isNull();
		assertThat(row.runId()).isNull();
		assertThat(row.token()).isOne();
		assertThat(row.leaseUntil()).isBeforeOrEqualTo(row.readAt());
		assertThat(row.isHeld()).isFalse();
		assertThat(claim("nightly", "run-2")).isEqualTo(new Claim.Granted(hold("nightly", "run-2", 2)));
	}

	@Test
	void aRenewalExtendsTheLeaseOfItsRun() {
		this.ports.putLease(lease("nightly", "context-1", "run-1", 7, Duration.ofSeconds(3)));
		assertThat(renew(hold("nightly", "run-1", 7))).isEqualTo(Renewal.RENEWED);
		LeaseRow row = row("nightly");
		assertThat(row.renewedAt()).isAfter(row.acquiredAt());
		assertThat(row.leaseUntil()).isBetween(row.renewedAt().plus(LENGTH).minusMillis(50),
				row.renewedAt().plus(LENGTH).plusMillis(50));
		assertThat(row.token()).isEqualTo(7);
	}

	@Test
	void aLapsedLeaseThatNobodyTookOverIsRenewed() {
		this.ports.putLease(lease("nightly", "context-1", "run-1", 7, HOUR.negated()));
		assertThat(renew(hold("nightly", "run-1", 7))).isEqualTo(Renewal.RENEWED);
		assertThat(row("nightly").isHeld()).isTrue();
	}

	@Test
	void whoNamesAnotherTokenOrOwnerIsFencedAndTouchesNothing() {
		this.ports.putLease(lease("nightly", "context-1", "run-1", 7, HOUR));
		LeaseRow before = row("nightly");
		for (Hold stale : List.of(hold("nightly", "run-1", 6), hold("nightly", "run-1", 8),
				new Hold("nightly", "context-2", "run-1", 7, LENGTH), hold("never-claimed", "run-1", 7))) {
			assertThat(renew(stale)).isEqualTo(Renewal.FENCED);
			assertThat(release(stale)).isEqualTo(Release.FENCED);
		}
		assertThat(without(row("nightly"))).isEqualTo(without(before));
	}

	@Test
	void aRenewalAfterTheReleaseFindsNothing() {
		claim("nightly", "run-1");
		release(hold("nightly", "run-1", 1));
		assertThat(renew(hold("nightly", "run-1", 1))).isEqualTo(Renewal.FENCED);
		assertThat(release(hold("nightly", "run-1", 1))).isEqualTo(Release.FENCED);
		assertThat(row("nightly").isHeld()).isFalse();
	}

	@Test
	void releasingALapsedLeaseDoesNotMoveItsEnd() {
		this.ports.putLease(lease("nightly", "context-1", "run-1", 7, HOUR.negated()));
		Instant end = row("nightly").leaseUntil();
		release(hold("nightly", "run-1", 7));
		assertThat(row("nightly").leaseUntil()).isEqualTo(end);
	}

	@Test
	void manyAreAnsweredInTheOrderAsked() {
		this.ports.putLease(lease("b", "context-2", "run-9", 5, HOUR));
		this.ports.putLease(lease("d", "context-2", "run-9", 5, HOUR.negated()));
		List<Claim> claims = leases().claim(List.of(request("d", "r1"), request("c", "r2"), request("b", "r3"),
				request("a", "r4"), request("c", "r5")));
		assertThat(claims.get(0)).isEqualTo(new Claim.Granted(hold("d", "r1", 6)));
		assertThat(claims.get(1)).isEqualTo(new Claim.Granted(hold("c", "r2", 1)));
		assertThat(claims.get(2)).isInstanceOf(Claim.Declined.class);
		assertThat(claims.get(3)).isEqualTo(new Claim.Granted(hold("a", "r4", 1)));
		assertThat(claims.get(4)).isInstanceOf(Claim.Declined.class);
		List<Hold> holds = List.of(hold("d", "r1", 6), hold("b", "r3", 5), hold("a", "r4", 1), hold("d", "r1", 5),
				hold("c", "r2", 1));
		assertThat(leases().renew(holds)).containsExactly(Renewal.RENEWED, Renewal.FENCED, Renewal.RENEWED,
				Renewal.FENCED, Renewal.RENEWED);
		assertThat(leases().release(holds)).containsExactly(Release.RELEASED, Release.FENCED, Release.RELEASED,
				Release.FENCED, Release.RELEASED);
		assertThat(leases().findAll()).extracting(LeaseRow::job).containsExactly("a", "b", "c", "d");
		assertThat(leases().findAll()).extracting(LeaseRow::isHeld).containsExactly(false, true, false, false);
	}

	@Test
	void aRegistrationSaysWhatStoodThereBeforeAndMakesARowWhoseLeaseHasEnded() {
		Registration first = new Registration("nightly", "billing", "0 0 6 * * *", "Europe/Zurich", "c1");
		Registration second = new Registration("nightly", "billing", "0 0 7 * * *", null, null);
		assertThat(register(first)).isEmpty();
		assertThat(row("nightly").token()).isZero();
		assertThat(row("nightly").isHeld()).isFalse();
		assertThat(register(first)).contains(first);
		assertThat(register(second)).contains(first);
		assertThat(register(second)).contains(second);
		assertThat(claim("nightly", "run-1")).isEqualTo(new Claim.Granted(hold("nightly", "run-1", 1)));
	}

	@Test
	void aRegistrationLeavesARunningJobsLeaseAlone() {
		claim("nightly", "run-1");
		LeaseRow held = row("nightly");
		assertThat(register(new Registration("nightly", "billing", "fixed rate 60 s", null, null)))
			.hasValueSatisfying((before) -> assertThat(before.schedule()).isNull());
		assertThat(without(row("nightly"))).isEqualTo(without(held));
	}

	private Optional<Registration> register(Registration registration) {
		return leases().register(List.of(registration)).get(0);
	}

	@Test
	void ofNoneNothingIsAsked() {
		assertThat(leases().claim(List.of())).isEmpty();
		assertThat(leases().renew(List.of())).isEmpty();
		assertThat(leases().release(List.of())).isEmpty();
		assertThat(leases().findAll()).isEmpty();
		assertThat(leases().find("nightly")).isEmpty();
	}

	private LeaseStore leases() {
		return this.ports.leases();
	}

	private Claim claim(String job, String runId) {
		return leases().claim(List.of(request(job, runId))).get(0);
	}

	private Renewal renew(Hold hold) {
		return leases().renew(List.of(hold)).get(0);
	}

	private Release release(Hold hold) {
		return leases().release(List.of(hold)).get(0);
	}

	private LeaseRow row(String job) {
		return leases().find(job).orElseThrow();
	}

	private LeaseRow lease(String job, String owner, String runId, long token, Duration left) {
		Instant now = this.ports.now();
		return new LeaseRow(job, owner, runId, token, now.plus(left), now.minus(HOUR), null, now);
	}

	private static Request request(String job, String runId) {
		return new Request(job, "context-1", runId, LENGTH, "billing.charge()");
	}

	private static Hold hold(String job, String runId, long token) {
		return new Hold(job, "context-1", runId, token, LENGTH);
	}

	/** The row but for the time at which it was read. */
	private static LeaseRow without(LeaseRow row) {
		return new LeaseRow(row.job(), row.owner(), row.runId(), row.token(), row.leaseUntil(), row.acquiredAt(),
				row.renewedAt(), Instant.EPOCH);
	}

}
