package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.lease.LeaseStore.Request;
import dev.once.ledger.Answer;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import dev.once.ledger.LocalLedger;
import dev.once.ledger.LocalLedger.Fencing;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What happens between two connections at the worst moment: a rival has changed a row and
 * not committed, and the port's statement arrives.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LedgerRacesContractTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Fence RUN = new Fence("nightly", null, "run-7", 7);

	private static final Hold HOLD = new Hold("nightly", "context-1", "run-7", 7, Duration.ofSeconds(30));

	private static final String TAKE_OVER = "update once_job_lease set owner = 'context-2', run_id = 'run-8',"
			+ " fencing_token = 8, lease_until = timestamp with time zone '2999-01-01 00:00:00Z'"
			+ " where job_key = 'nightly'";

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private DatabasePorts ports;

	private Connection rival;

	private Connection secondRival;

	abstract TestDatabase newDatabase();

	/** How many sessions wait for a lock. */
	abstract String countOfWaiting();

	@BeforeAll
	void openPorts() {
		this.ports = new DatabasePorts(newDatabase().withTables());
	}

	@AfterAll
	void closePorts() {
		this.threads.shutdownNow();
		this.ports.close();
	}

	@BeforeEach
	void aLeaseAndTwoRivals() throws SQLException {
		this.ports.clear();
		this.ports.putLease(lease("nightly", 7, HOUR));
		this.rival = rival();
		this.secondRival = rival();
	}

	private Connection rival() throws SQLException {
		Connection connection = this.ports.database().dataSource().getConnection();
		connection.setAutoCommit(false);
		return connection;
	}

	@AfterEach
	void closeRivals() throws SQLException {
		for (Connection connection : List.of(this.rival, this.secondRival)) {
			connection.rollback();
			connection.close();
		}
	}

	// L1

	@Test
	void theLaterOfTwoClaimersOfALapsedLeaseIsDeclined() throws Exception {
		this.ports.putLease(lease("lapsed", 7, HOUR.negated()));
		by(this.rival, TAKE_OVER.replace("nightly", "lapsed"));
		Future<Claim> claim = waiting(() -> claim("lapsed", "run-9"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Declined.class, (declined) -> {
			assertThat(declined.holder().runId()).isEqualTo("run-8");
			assertThat(declined.holder().token()).isEqualTo(8);
		});
	}

	@Test
	void aClaimTakesItsTokenFromTheRowItLockedAndNotFromWhatItSawBefore() throws Exception {
		this.ports.putLease(lease("lapsed", 7, HOUR.negated()));
		by(this.rival, "update once_job_lease set fencing_token = 40 where job_key = 'lapsed'");
		Future<Claim> claim = waiting(() -> claim("lapsed", "run-9"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Granted.class,
				(granted) -> assertThat(granted.hold().token()).isEqualTo(41));
	}

	@Test
	void theLaterOfTwoFirstClaimersIsDeclined() throws Exception {
		by(this.rival,
				"insert into once_job_lease (job_key, owner, run_id, fencing_token, lease_seconds, lease_until,"
						+ " acquired_at) values ('new', 'context-2', 'run-8', 1, 30,"
						+ " timestamp with time zone '2999-01-01 00:00:00Z', current_timestamp)");
		Future<Claim> claim = waiting(() -> claim("new", "run-9"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Declined.class,
				(declined) -> assertThat(declined.holder().runId()).isEqualTo("run-8"));
	}

	@Test
	void aClaimerWhoseRivalRolledBackIsGranted() throws Exception {
		this.ports.putLease(lease("lapsed", 7, HOUR.negated()));
		by(this.rival, TAKE_OVER.replace("nightly", "lapsed"));
		Future<Claim> claim = waiting(() -> claim("lapsed", "run-9"));
		this.rival.rollback();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Granted.class,
				(granted) -> assertThat(granted.hold().token()).isEqualTo(8));
	}

	@Test
	void aClaimOfAHeldLeaseWaitsForNobody() throws Exception {
		by(this.rival, "select * from once_job_lease where job_key = 'nightly' for update");
		assertThat(claim("nightly", "run-9")).isInstanceOf(Claim.Declined.class);
	}

	@Test
	void ofManyClaimersOneIsGrantedAndEachTokenIsNew() throws Exception {
		List<Long> tokens = new ArrayList<>();
		for (int round = 0; round < 10; round++) {
			by(this.rival, "update once_job_lease set lease_until = current_timestamp - interval '1' hour");
			this.rival.commit();
			List<Claim> claims = together(8, (i) -> claim("nightly", "run-" + i));
			claims.removeIf(Claim.Declined.class::isInstance);
			assertThat(claims).hasSize(1);
			tokens.add(((Claim.Granted) claims.get(0)).hold().token());
		}
		assertThat(tokens).doesNotHaveDuplicates().isSorted();
	}

	// E1

	@Test
	void aSubmitWaitsForATakeoverUnderWayAndIsFenced() throws Exception {
		by(this.rival, TAKE_OVER);
		Future<Moved> submit = waiting(() -> apply(submit("k1", "a1")));
		this.rival.commit();
		assertThat(submit.get()).isEqualTo(new Moved.Fenced());
		assertThat(this.ports.effects()).isEmpty();
	}

	@Test
	void aSubmitWhoseRivalRolledBackIsMade() throws Exception {
		by(this.rival, TAKE_OVER);
		Future<Moved> submit = waiting(() -> apply(submit("k1", "a1")));
		this.rival.rollback();
		assertThat(submit.get()).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
	}

	@Test
	void manySubmitsWaitForATakeoverUnderWayAndAreFenced() throws Exception {
		by(this.rival, TAKE_OVER);
		Future<List<Moved>> submits = waiting(
				() -> this.ports.ledger().apply(List.of(submit("k1", "a1"), submit("k2", "a2"))));
		this.rival.commit();
		assertThat(submits.get()).containsExactly(new Moved.Fenced(), new Moved.Fenced());
		assertThat(this.ports.effects()).isEmpty();
	}

	@Test
	void noTakeoverSlipsBetweenCheckAndWriteOfASubmit() throws Exception {
		by(this.rival, insertOf("k1"));
		Future<Moved> submit = waiting(() -> apply(submit("k1", "a1")));
		Future<?> takeover = waiting(() -> by(this.secondRival, TAKE_OVER));
		this.rival.rollback();
		assertThat(submit.get()).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		takeover.get();
	}

	@Test
	void aFurtherAttemptWaitsForATakeoverUnderWayAndIsFenced() throws Exception {
		apply(submit("k1", "a1"));
		apply(new Move.Release("k1", 1, "a1", null, null));
		by(this.rival, TAKE_OVER);
		Future<Moved> resubmit = waiting(() -> apply(resubmit("k1", "a1", "a2")));
		this.rival.commit();
		assertThat(resubmit.get()).isEqualTo(new Moved.Fenced());
		assertThat(row("k1").state()).isEqualTo(EffectState.CLAIMED);
	}

	@Test
	void noTakeoverSlipsBetweenCheckAndWriteOfAFurtherAttempt() throws Exception {
		apply(submit("k1", "a1"));
		apply(new Move.Release("k1", 1, "a1", null, null));
		by(this.rival, "update once_effect_ledger set detail = 'seen'");
		Future<Moved> resubmit = waiting(() -> apply(resubmit("k1", "a1", "a2")));
		Future<?> takeover = waiting(() -> by(this.secondRival, TAKE_OVER));
		this.rival.commit();
		assertThat(resubmit.get()).isInstanceOf(Moved.Applied.class);
		takeover.get();
	}

	@Test
	void ofTwoFurtherAttemptsTheLaterMeetsTheEarlier() throws Exception {
		apply(submit("k1", "a1"));
		apply(new Move.Release("k1", 1, "a1", null, null));
		by(this.rival, "update once_effect_ledger set state = 'submitted', attempt = 2, attempt_id = 'a2'");
		Future<Moved> resubmit = waiting(() -> apply(resubmit("k1", "a1", "a3")));
		this.rival.commit();
		assertThat(resubmit.get()).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().attempt().id()).isEqualTo("a2"));
	}

	@Test
	void ofManyFurtherAttemptsOneIsMade() throws Exception {
		for (int round = 0; round < 10; round++) {
			String key = "k" + round;
			apply(submit(key, "a1"));
			apply(new Move.Release(key, 1, "a1", null, null));
			List<Moved> moved = together(6, (i) -> apply(resubmit(key, "a1", "b" + i)));
			assertThat(moved).filteredOn(Moved.Applied.class::isInstance).hasSize(1);
			assertThat(row(key).attempt().number()).isEqualTo(2);
		}
	}

	@Test
	void aSubmitWaitsForARivalOfItsKeyAndMeetsIt() throws Exception {
		by(this.rival, insertOf("k1"));
		Future<Moved> submit = waiting(() -> apply(submit("k1", "a1")));
		this.rival.commit();
		assertThat(submit.get()).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().attempt().id()).isEqualTo("rival"));
	}

	@Test
	void oneOfManySubmitsWaitsForARivalOfItsKeyAndMeetsIt() throws Exception {
		by(this.rival, insertOf("k2"));
		Future<List<Moved>> submits = waiting(
				() -> this.ports.ledger().apply(List.of(submit("k1", "a1"), submit("k2", "a2"), submit("k3", "a3"))));
		this.rival.commit();
		assertThat(submits.get().get(0)).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		assertThat(submits.get().get(1)).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().attempt().id()).isEqualTo("rival"));
		assertThat(submits.get().get(2)).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
	}

	@Test
	void ofManySubmitsOfAKeyOneIsMade() throws Exception {
		for (int round = 0; round < 10; round++) {
			String key = "k" + round;
			List<Moved> moved = together(8, (i) -> apply(submit(key, "a" + i)));
			assertThat(moved).filteredOn(Moved.Submitted.class::isInstance).hasSize(1);
			assertThat(moved).filteredOn(Moved.Met.class::isInstance).hasSize(7);
		}
	}

	@Test
	void callsOfManyRowsInOppositeOrderDoNotWaitForEachOther() throws Exception {
		for (int round = 0; round < 10; round++) {
			String prefix = "r" + round + "-";
			List<Integer> numbers = List.of(1, 2, 3, 4, 5, 6, 7, 8);
			List<Move> submits = new ArrayList<>(numbers.stream().map((i) -> (Move) submit(prefix + i, "a")).toList());
			List<Move> settles = new ArrayList<>(
					numbers.stream().map((i) -> (Move) new Move.Settle(prefix + i, 1, "a", Answer.notKept())).toList());
			together(4, (i) -> this.ports.ledger().apply(inOrder(submits, i)));
			List<List<Moved>> settled = together(4, (i) -> this.ports.ledger().apply(inOrder(settles, i)));
			assertThat(settled.stream().flatMap(List::stream)).filteredOn(Moved.Applied.class::isInstance).hasSize(8);
		}
	}

	private static List<Move> inOrder(List<Move> moves, int caller) {
		List<Move> ordered = new ArrayList<>(moves);
		if (caller % 2 == 1) {
			Collections.reverse(ordered);
		}
		return ordered;
	}

	// T1

	@Test
	void aLocalSubmitWaitsForARivalOfItsKeyAndMeetsIt() throws Exception {
		by(this.rival, insertOf("k1"));
		Future<Moved> submit = waiting(() -> locally((ledger) -> ledger.apply(submit("k1", "a1"))));
		this.rival.commit();
		assertThat(submit.get()).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().attempt().id()).isEqualTo("rival"));
	}

	@Test
	void aLocalSubmitWhoseRivalRolledBackIsMade() throws Exception {
		by(this.rival, insertOf("k1"));
		Future<Moved> submit = waiting(() -> locally((ledger) -> ledger.apply(submit("k1", "a1"))));
		this.rival.rollback();
		assertThat(submit.get()).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
	}

	@Test
	void aLocalFenceWaitsForATakeoverUnderWayAndIsFenced() throws Exception {
		by(this.rival, TAKE_OVER);
		Future<Fencing> fencing = waiting(() -> locally((ledger) -> ledger.fencing(RUN)));
		this.rival.commit();
		assertThat(fencing.get()).isEqualTo(Fencing.FENCED);
	}

	@Test
	void noTakeoverSlipsBetweenALocalFenceAndItsCommit() throws Exception {
		Future<?> takeover = locally((ledger) -> {
			assertThat(ledger.fencing(RUN)).isEqualTo(Fencing.PRESENT);
			return waiting(() -> by(this.rival, TAKE_OVER));
		});
		takeover.get();
	}

	@Test
	void aLocalSubmitTellsWhatItMetAndDoesNotLookAtTheFence() {
		Move.Submit fenced = new Move.Submit(submit("k1", "a1").facts(), "a1", new Fence("nightly", null, "run-6", 6),
				HOUR, HOUR, Move.Waiting.FOR_OPEN_FACTS);
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(fenced)))
			.isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		assertThat(row("k1").attempt().fence()).isEqualTo(fenced.fence());
		EffectFacts other = new EffectFacts("k2", 1, "charge", fenced.facts().target(), null, "d2", null, "charge/inv");
		Move.Submit changed = new Move.Submit(other, "a2", null, HOUR, HOUR, Move.Waiting.FOR_OPEN_FACTS);
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(changed))).isInstanceOfSatisfying(Moved.Blocked.class,
				(blocked) -> assertThat(blocked.other().facts().key()).isEqualTo("k1"));
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(settle("k1", "a1", "done"))))
			.isInstanceOf(Moved.Applied.class);
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(changed)))
			.isEqualTo(new Moved.Submitted(Moved.Fact.CHANGED));
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(submit("k1", "a3"))))
			.isInstanceOfSatisfying(Moved.Met.class, (met) -> assertThat(met.row().answer()).isNotNull());
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(settle("k1", "a1", "again"))))
			.isInstanceOf(Moved.Met.class);
		assertThat(this.<Moved>locally((ledger) -> ledger.apply(resubmit("k3", "a1", "a2"))))
			.isEqualTo(new Moved.Absent());
	}

	private <T> T locally(Function<LocalLedger, T> work) {
		DataSource dataSource = this.ports.database().dataSource();
		LocalLedger ledger = new JdbcPorts(this.ports.connections(), OnceTables.defaults()).local(dataSource);
		return new TransactionTemplate(new JdbcTransactionManager(dataSource)).execute((status) -> work.apply(ledger));
	}

	// E4

	@Test
	void anAnswerDoesNotSettleARowThatAnotherAttemptTookOver() throws Exception {
		apply(submit("k1", "a1"));
		by(this.rival, "update once_effect_ledger set attempt = 2, attempt_id = 'a2'");
		Future<Moved> settle = waiting(() -> apply(settle("k1", "a1", "late")));
		this.rival.commit();
		assertThat(settle.get()).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().attempt().id()).isEqualTo("a2"));
		assertThat(row("k1").state()).isEqualTo(EffectState.SUBMITTED);
	}

	@Test
	void anAnswerDoesNotReplaceARecordedOne() throws Exception {
		apply(submit("k1", "a1"));
		by(this.rival, "update once_effect_ledger set state = 'done', outcome = 'resolved', response = 'first',"
				+ " response_type = 'text'");
		Future<Moved> settle = waiting(() -> apply(settle("k1", "a1", "second")));
		this.rival.commit();
		assertThat(settle.get()).isInstanceOf(Moved.Met.class);
		assertThat(row("k1").answer()).isEqualTo(new Answer("first", "text"));
	}

	@Test
	void manyAnswersSettleOnlyTheRowsThatAreStillTheirs() throws Exception {
		apply(submit("k1", "a1"));
		apply(submit("k2", "a2"));
		by(this.rival, "update once_effect_ledger set attempt = 2, attempt_id = 'b1' where effect_key = 'k1'");
		Future<List<Moved>> settles = waiting(
				() -> this.ports.ledger().apply(List.of(settle("k2", "a2", "two"), settle("k1", "a1", "one"))));
		this.rival.commit();
		assertThat(settles.get().get(0)).isInstanceOf(Moved.Applied.class);
		assertThat(settles.get().get(1)).isInstanceOf(Moved.Met.class);
		assertThat(row("k1").state()).isEqualTo(EffectState.SUBMITTED);
	}

	// E5

	@Test
	void aReleaseDoesNotFreeARowThatAnotherAttemptTookOver() throws Exception {
		apply(submit("k1", "a1"));
		by(this.rival, "update once_effect_ledger set attempt = 2, attempt_id = 'a2'");
		Future<Moved> release = waiting(() -> apply(new Move.Release("k1", 1, "a1", null, "late")));
		this.rival.commit();
		assertThat(release.get()).isInstanceOf(Moved.Met.class);
		assertThat(row("k1").state()).isEqualTo(EffectState.SUBMITTED);
	}

	// E7

	@Test
	void ofTwoResolversTheLaterChangesNothing() throws Exception {
		Instant askedAt = unknownAndSettled("k1");
		by(this.rival, "update once_effect_ledger set state = 'claimed'");
		Future<Moved> second = waiting(() -> apply(new Move.DidNotHappen("k1", 1, "a1", askedAt, null)));
		this.rival.commit();
		assertThat(second.get()).isInstanceOf(Moved.Met.class);
	}

	@Test
	void aResolverDoesNotFreeAnAttemptThatItWasNotAskedAbout() throws Exception {
		Instant askedAt = unknownAndSettled("k1");
		by(this.rival, "update once_effect_ledger set attempt = 2, attempt_id = 'a2'");
		Future<Moved> late = waiting(() -> apply(new Move.DidNotHappen("k1", 1, "a1", askedAt, null)));
		this.rival.commit();
		assertThat(late.get()).isInstanceOf(Moved.Met.class);
		assertThat(row("k1").state()).isEqualTo(EffectState.UNKNOWN);
	}

	@Test
	void ofManyResolversOneWins() throws Exception {
		for (int round = 0; round < 10; round++) {
			String key = "k" + round;
			Instant askedAt = unknownAndSettled(key);
			List<Moved> moved = together(6,
					(i) -> apply((i % 2 == 0) ? new Move.DidNotHappen(key, 1, "a1", askedAt, null)
							: new Move.Happened(key, 1, "a1", new Answer("found", "text"))));
			assertThat(moved).filteredOn(Moved.Applied.class::isInstance).hasSize(1);
		}
	}

	@Test
	void ofManyWhoWouldAskOneAsks() throws Exception {
		apply(submit("k1", "a1"));
		apply(new Move.Lose("k1", 1, "a1", null));
		List<Moved> moved = together(6, (i) -> apply(new Move.Ask("k1", 1, "a1", HOUR)));
		assertThat(moved).filteredOn(Moved.Applied.class::isInstance).hasSize(1);
	}

	@Test
	void anExtensionDoesNotReviveAnAttemptThatIsBeingAskedAbout() throws Exception {
		apply(submit("k1", "a1"));
		by(this.rival, "update once_effect_ledger set state = 'unknown'");
		List<Move.Extend> extension = List.of(new Move.Extend("k1", 1, "a1", HOUR, HOUR.multipliedBy(2)));
		assertThat(this.ports.ledger().extend(extension).get(0)).isInstanceOf(Moved.Met.class);
		this.rival.commit();
		assertThat(this.ports.ledger().extend(extension).get(0)).isInstanceOf(Moved.Met.class);
		assertThat(row("k1").state()).isEqualTo(EffectState.UNKNOWN);
	}

	// E2

	@Test
	void readingBackWaitsForASubmitThatIsStillCommitting() throws Exception {
		by(this.rival, insertOf("k1"));
		Future<EffectRow> readBack = waiting(() -> this.ports.ledger().readBack("k1", 1).orElse(null));
		this.rival.commit();
		assertThat(readBack.get().attempt().id()).isEqualTo("rival");
	}

	@Test
	void readingBackASubmitThatIsRolledBackFindsNothingAndLeavesNothing() throws Exception {
		by(this.rival, insertOf("k1"));
		Future<EffectRow> readBack = waiting(() -> this.ports.ledger().readBack("k1", 1).orElse(null));
		this.rival.rollback();
		assertThat(readBack.get()).isNull();
		assertThat(this.ports.effects()).isEmpty();
	}

	@Test
	void readingBackWaitsForASettleThatIsStillCommitting() throws Exception {
		apply(submit("k1", "a1"));
		by(this.rival, "update once_effect_ledger set state = 'done', outcome = 'performed'");
		Future<EffectRow> readBack = waiting(() -> this.ports.ledger().readBack("k1", 1).orElse(null));
		this.rival.commit();
		assertThat(readBack.get().state()).isEqualTo(EffectState.DONE);
	}

	// L3, L4

	@Test
	void aRenewalSkipsALockedRowAndComesBackToIt() throws Exception {
		this.ports.putLease(lease("weekly", 3, HOUR));
		Hold weekly = new Hold("weekly", "context-1", "run-3", 3, Duration.ofSeconds(30));
		by(this.rival, "select * from once_job_lease where job_key = 'nightly' for update");
		assertThat(this.ports.leases().renew(List.of(HOLD, weekly))).containsExactly(Renewal.BUSY, Renewal.RENEWED);
		this.rival.commit();
		assertThat(this.ports.leases().renew(List.of(HOLD, weekly))).containsExactly(Renewal.RENEWED, Renewal.RENEWED);
	}

	@Test
	void aRenewalThatMeetsATakeoverIsBusyAndThenFenced() throws Exception {
		by(this.rival, TAKE_OVER);
		assertThat(this.ports.leases().renew(List.of(HOLD))).containsExactly(Renewal.BUSY);
		this.rival.commit();
		assertThat(this.ports.leases().renew(List.of(HOLD))).containsExactly(Renewal.FENCED);
	}

	@Test
	void everyRenewalComesThroughBesideSixteenSubmittersOfItsJob() throws Exception {
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger submitted = new AtomicInteger();
		List<Future<?>> submitters = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			String prefix = "s" + i + "-";
			submitters.add(this.threads.submit(() -> {
				for (int n = 0; !over.get(); n++) {
					assertThat(apply(submit(prefix + n, "a"))).isInstanceOf(Moved.Submitted.class);
					submitted.incrementAndGet();
				}
				return null;
			}));
		}
		List<Renewal> renewals = new ArrayList<>();
		ScheduledExecutorService renewer = Executors.newSingleThreadScheduledExecutor();
		try {
			await().until(() -> submitted.get() > 16);
			ScheduledFuture<?> renewing = renewer.scheduleAtFixedRate(() -> {
				if (renewals.size() < 60) {
					renewals.addAll(this.ports.leases().renew(List.of(HOLD)));
				}
			}, 0, 100, TimeUnit.MILLISECONDS);
			await().atMost(Duration.ofSeconds(60)).until(() -> renewals.size() >= 60 || renewing.isDone());
		}
		finally {
			over.set(true);
			renewer.shutdown();
		}
		for (Future<?> submitter : submitters) {
			submitter.get();
		}
		assertThat(renewals).hasSize(60).containsOnly(Renewal.RENEWED);
	}

	/** Starts a call and returns when it waits for a lock, or has wrongly ended. */
	private <T> Future<T> waiting(Callable<T> call) {
		int before = sessionsWaiting();
		Future<T> future = this.threads.submit(call);
		await().pollInterval(Duration.ofMillis(10)).until(() -> future.isDone() || sessionsWaiting() > before);
		assertThat(future).as("what must wait").isNotDone();
		return future;
	}

	private int sessionsWaiting() {
		return this.ports.jdbc().sql(countOfWaiting()).query(Integer.class).single();
	}

	private <T> List<T> together(int callers, Numbered<T> call) throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(callers);
		List<Future<T>> futures = new ArrayList<>();
		for (int i = 0; i < callers; i++) {
			int caller = i;
			futures.add(this.threads.submit(() -> {
				barrier.await();
				return call.by(caller);
			}));
		}
		List<T> results = new ArrayList<>();
		for (Future<T> future : futures) {
			results.add(future.get());
		}
		return results;
	}

	private static Void by(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
		return null;
	}

	private Claim claim(String job, String runId) {
		return this.ports.leases()
			.claim(List.of(new Request(job, "context-1", runId, Duration.ofSeconds(30), "billing.charge()")))
			.get(0);
	}

	private Moved apply(Move move) {
		return this.ports.ledger().apply(move);
	}

	private EffectRow row(String key) {
		return this.ports.ledger().find(key, 1).orElseThrow();
	}

	private Instant unknownAndSettled(String key) {
		apply(submit(key, "a1"));
		apply(new Move.Lose(key, 1, "a1", null));
		return row(key).attempt().settledAt().plusSeconds(1);
	}

	private LeaseRow lease(String job, long token, Duration left) {
		Instant now = this.ports.now();
		return new LeaseRow(job, "context-1", "run-" + token, token, now.plus(left), now.minus(HOUR), null, now);
	}

	private static Move.Submit submit(String key, String attemptId) {
		EffectFacts facts = new EffectFacts(key, 1, "charge", "inv-" + key, null, "d", null, "charge/inv");
		return new Move.Submit(facts, attemptId, RUN, HOUR, HOUR, Move.Waiting.FOR_OPEN_FACTS);
	}

	private static Move resubmit(String key, String seen, String attemptId) {
		return new Move.Resubmit(key, 1, EffectState.CLAIMED, seen, attemptId, RUN, HOUR, HOUR, null);
	}

	private static Move settle(String key, String attemptId, String answer) {
		return new Move.Settle(key, 1, attemptId, new Answer(answer, "text"));
	}

	private static String insertOf(String key) {
		return "insert into once_effect_ledger (effect_key, revision, action, target, input_digest, label, attempt,"
				+ " attempt_id, state, first_submitted_at, submitted_at, window_until, settle_after, created_at,"
				+ " updated_at) values ('" + key + "', 1, 'charge', 'other', 'd', 'l', 1, 'rival', 'submitted',"
				+ " current_timestamp, current_timestamp, current_timestamp, 0, current_timestamp, current_timestamp)";
	}

	@FunctionalInterface
	private interface Numbered<T> {

		T by(int caller) throws Exception;

	}

}
