package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.OccurrenceStore.Claim;
import dev.once.occurrence.OccurrenceStore.Earlier;
import dev.once.occurrence.OccurrenceStore.End;
import dev.once.occurrence.OccurrenceStore.Ended;
import dev.once.occurrence.OccurrenceStore.Order;
import dev.once.occurrence.OccurrenceStore.Request;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What happens to an occurrence between two connections at the worst moment: a rival has
 * changed its row or its job's and not committed, and the port's statement arrives.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OccurrenceRacesContractTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private static final Hold RUN = new Hold("nightly", "context-1", "run-7", 7, Duration.ofSeconds(30));

	private static final String LATER = "timestamp with time zone '2999-01-01 00:00:00Z'";

	private static final String TAKE_OVER = "update once_job_lease set owner = 'context-2', run_id = 'run-8',"
			+ " fencing_token = 8, lease_until = " + LATER + " where job_key = 'nightly'";

	private static final String OCCURRENCE_TAKEN_OVER = "update once_occurrence set owner = 'context-2',"
			+ " run_id = 'run-8', fencing_token = 8, attempt = 2 where job_key = 'nightly'";

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private DatabasePorts ports;

	private Connection rival;

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
	void aRival() throws SQLException {
		this.ports.clear();
		this.rival = this.ports.database().dataSource().getConnection();
		this.rival.setAutoCommit(false);
	}

	@AfterEach
	void closeRival() throws SQLException {
		this.rival.rollback();
		this.rival.close();
	}

	@Test
	void theLaterOfTwoWhoTakeOverMeetsTheEarlier() throws Exception {
		putDeadRun();
		by(this.rival, TAKE_OVER);
		by(this.rival, OCCURRENCE_TAKEN_OVER);
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Known.class,
				(known) -> assertThat(known.row().runId()).isEqualTo("run-8"));
		assertThat(row().attempt()).isEqualTo(2);
	}

	@Test
	void whoseRivalRolledBackTakesOver() throws Exception {
		putDeadRun();
		by(this.rival, TAKE_OVER);
		by(this.rival, OCCURRENCE_TAKEN_OVER);
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.rollback();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Granted.class, (granted) -> {
			assertThat(granted.hold().token()).isEqualTo(8);
			assertThat(granted.row().attempt()).isEqualTo(2);
		});
	}

	@Test
	void whatARivalFinishedMeanwhileStaysFinished() throws Exception {
		putLease(7, HOUR.negated());
		by(this.rival, "update once_job_lease set fencing_token = 8 where job_key = 'nightly'");
		by(this.rival,
				"insert into once_occurrence (job_key, occurrence, due_at, state, attempt, run_id, owner, fencing_token,"
						+ " started_at, finished_at) values ('nightly', 'a', current_timestamp, 'finished', 1, 'run-8',"
						+ " 'context-2', 8, current_timestamp, current_timestamp)");
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Known.class,
				(known) -> assertThat(known.row().state()).isEqualTo(OccurrenceState.FINISHED));
		assertThat(row().runId()).isEqualTo("run-8");
		assertThat(lease().token()).isEqualTo(8);
		assertThat(lease().isHeld()).isFalse();
	}

	@Test
	void aDeadRunThatEndsAtLastIsNotTakenOver() throws Exception {
		putDeadRun();
		by(this.rival, "update once_job_lease set owner = null, run_id = null where job_key = 'nightly'");
		by(this.rival, "update once_occurrence set state = 'finished', finished_at = current_timestamp");
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOf(Claim.Known.class);
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
		assertThat(lease().token()).isEqualTo(7);
	}

	@Test
	void aClaimTakesItsTokenFromTheRowItLockedAndNotFromWhatItSawBefore() throws Exception {
		putLease(7, HOUR.negated());
		by(this.rival, "update once_job_lease set fencing_token = 40 where job_key = 'nightly'");
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Granted.class, (granted) -> {
			assertThat(granted.hold().token()).isEqualTo(41);
			assertThat(granted.row().token()).isEqualTo(41);
		});
		assertThat(lease().token()).isEqualTo(41);
	}

	@Test
	void whatWasPurgedMeanwhileIsNotNew() throws Exception {
		putLease(7, HOUR.negated());
		by(this.rival, "update once_job_lease set purged_until = " + LATER);
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOf(Claim.Purged.class);
		assertThat(this.ports.occurrences().find("nightly", "a")).isEmpty();
		assertThat(lease().isHeld()).isFalse();
	}

	@Test
	void theLaterOfTwoFirstClaimersMeetsTheEarlier() throws Exception {
		by(this.rival, "insert into once_job_lease (job_key, owner, run_id, fencing_token, lease_seconds, lease_until,"
				+ " acquired_at) values ('nightly', 'context-2', 'run-8', 1, 30, " + LATER + ", current_timestamp)");
		Future<Claim> claim = waiting(() -> claim("a"));
		this.rival.commit();
		assertThat(claim.get()).isInstanceOfSatisfying(Claim.Held.class,
				(held) -> assertThat(held.holder().runId()).isEqualTo("run-8"));
		assertThat(this.ports.occurrences().find("nightly", "a")).isEmpty();
	}

	@Test
	void aSuppressedFiringWaitsForNobody() throws Exception {
		putLease(7, HOUR);
		putRunning();
		by(this.rival, "select * from once_job_lease for update");
		by(this.rival, "select * from once_occurrence for update");
		assertThat(claim("a")).isInstanceOf(Claim.Known.class);
		assertThat(claim("b")).isInstanceOf(Claim.Held.class);
	}

	@Test
	void anEndWaitsForATakeoverUnderWayAndIsFenced() throws Exception {
		putDeadRun();
		by(this.rival, TAKE_OVER);
		by(this.rival, OCCURRENCE_TAKEN_OVER);
		Future<Ended> end = waiting(() -> end());
		this.rival.commit();
		assertThat(end.get()).isEqualTo(Ended.FENCED);
		assertThat(row().state()).isEqualTo(OccurrenceState.RUNNING);
		assertThat(row().runId()).isEqualTo("run-8");
		assertThat(lease().isHeld()).isTrue();
	}

	@Test
	void anEndWhoseRivalRolledBackIsWritten() throws Exception {
		putDeadRun();
		by(this.rival, TAKE_OVER);
		Future<Ended> end = waiting(() -> end());
		this.rival.rollback();
		assertThat(end.get()).isEqualTo(Ended.ENDED);
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
	}

	@Test
	void aRunThatIsRenewedAfterAllIsNotGivenUp() throws Exception {
		putDeadRun();
		OccurrenceRow asRead = row();
		by(this.rival, "update once_job_lease set lease_until = " + LATER);
		Future<Boolean> abandon = waiting(() -> this.ports.occurrences().abandon(asRead, "dead"));
		this.rival.commit();
		assertThat(abandon.get()).isFalse();
		assertThat(row().state()).isEqualTo(OccurrenceState.RUNNING);
		assertThat(lease().token()).isEqualTo(7);
	}

	@Test
	void ofManyWhoClaimOneOccurrenceOneIsGranted() throws Exception {
		List<Long> tokens = new ArrayList<>();
		for (int round = 0; round < 10; round++) {
			String occurrence = "o-" + round;
			List<Claim> claims = together(8, () -> claim(occurrence));
			claims.removeIf(Claim.Known.class::isInstance);
			assertThat(claims).singleElement().isInstanceOf(Claim.Granted.class);
			Hold hold = ((Claim.Granted) claims.get(0)).hold();
			tokens.add(hold.token());
			assertThat(end(hold, occurrence)).isEqualTo(Ended.ENDED);
		}
		assertThat(tokens).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
	}

	private void putDeadRun() {
		putLease(7, HOUR.negated());
		putRunning();
	}

	private void putLease(long token, Duration left) {
		Instant now = this.ports.now();
		this.ports
			.putLease(new LeaseRow("nightly", "context-1", "run-7", token, now.plus(left), now.minus(HOUR), null, now));
	}

	private void putRunning() {
		Instant now = this.ports.now();
		this.ports.putOccurrence(new OccurrenceRow("nightly", "a", now.minus(HOUR), null, OccurrenceState.RUNNING, 1,
				null, "run-7", "context-1", 7, null, now.minus(HOUR), null, null, null, now));
	}

	private Claim claim(String occurrence) {
		LeaseStore.Request lease = new LeaseStore.Request("nightly", "context-1", "run-9", Duration.ofSeconds(30),
				"billing");
		return this.ports.occurrences()
			.claim(List.of(new Request(lease, occurrence, this.ports.now().minus(HOUR), null, 3, new Again.No(), null,
					Order.ANY, null)))
			.get(0);
	}

	private Ended end() {
		return end(RUN, "a");
	}

	private Ended end(Hold hold, String occurrence) {
		return this.ports.occurrences()
			.end(List.of(new End(hold, occurrence, OccurrenceState.FINISHED, 1, null, Earlier.CLOSED, null, null)))
			.get(0);
	}

	private OccurrenceRow row() {
		return this.ports.occurrences().find("nightly", "a").orElseThrow();
	}

	private LeaseRow lease() {
		return this.ports.leases().find("nightly").orElseThrow();
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

	private <T> List<T> together(int callers, Callable<T> call) throws Exception {
		CyclicBarrier barrier = new CyclicBarrier(callers);
		List<Future<T>> futures = new ArrayList<>();
		for (int i = 0; i < callers; i++) {
			futures.add(this.threads.submit(() -> {
				barrier.await();
				return call.call();
			}));
		}
		List<T> results = new ArrayList<>();
		for (Future<T> future : futures) {
			results.add(future.get());
		}
		return results;
	}

	private static void by(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
