package dev.once.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.lease.LeaseStore.Request;
import dev.once.ledger.Answer;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.Timetable;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the protocol costs on PostgreSQL: statements as the driver is given them, commits
 * and writes as the server counts them.
 */
class PostgresqlStatementCountTests {

	private static final Fence RUN = new Fence("nightly", null, "run-7", 7);

	private final TestDatabase database = TestDatabases.postgresql().withTables();

	/** Calls of the driver that reach the server: what is executed, and commits. */
	private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

	private final HikariDataSource application = new HikariDataSource();

	private DatabasePorts ports;

	@BeforeEach
	void openPortsOverACountingDriver() {
		PGSimpleDataSource driver = new PGSimpleDataSource();
		driver.setUrl(this.database.url());
		driver.setUser(this.database.username());
		driver.setPassword(this.database.password());
		this.application.setDataSource(counting(driver, DataSource.class));
		this.ports = new DatabasePorts(this.database, this.application);
		Instant now = this.ports.now();
		this.ports
			.putLease(new LeaseRow("nightly", "context-1", "run-7", 7, now.plus(Duration.ofHours(1)), now, null, now));
		// opens the connections
		apply(submit("warm-up", "a"));
		this.ports.leases().renew(List.of(new Hold("nightly", "context-1", "run-7", 7, Duration.ofHours(1))));
		this.calls.clear();
	}

	@AfterEach
	void close() {
		this.ports.close();
		this.application.close();
	}

	@Test
	void anEffectInsideARunIsTwoStatementsAndTwoCommits() {
		long before = nextTransactionId();
		assertThat(apply(submit("k1", "a1"))).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		assertThat(apply(new Move.Settle("k1", 1, "a1", new Answer("paid", "text")))).isInstanceOf(Moved.Applied.class);
		assertThat(this.calls).containsExactly("executeQuery", "executeQuery");
		assertThat(nextTransactionId() - before).as("transactions that wrote").isEqualTo(2);
	}

	@Test
	void aDuplicateIsOneStatementAndWritesNothing() {
		apply(submit("k1", "a1"));
		apply(new Move.Settle("k1", 1, "a1", new Answer("paid", "text")));
		this.calls.clear();
		assertWritesNothing(() -> assertThat(apply(submit("k1", "a2"))).isInstanceOf(Moved.Met.class));
		assertThat(this.calls).containsOnly("executeQuery").hasSize(this.tries);
	}

	@Test
	void aDuplicateOfAnEffectInFlightWritesNothingEither() {
		apply(submit("k1", "a1"));
		this.calls.clear();
		assertWritesNothing(() -> assertThat(apply(submit("k1", "a2"))).isInstanceOf(Moved.Met.class));
		assertThat(this.calls).containsOnly("executeQuery").hasSize(this.tries);
	}

	@Test
	void aHundredDuplicatesAreOneStatementAndWriteNothing() {
		List<Move> submits = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			submits.add(submit("k" + i, "a1"));
		}
		this.ports.ledger().apply(submits);
		assertThat(this.calls).containsExactly("executeQuery");
		this.calls.clear();
		assertWritesNothing(
				() -> assertThat(this.ports.ledger().apply(submits)).hasOnlyElementsOfType(Moved.Met.class));
		assertThat(this.calls).containsOnly("executeQuery").hasSize(this.tries);
	}

	@Test
	void aFurtherAttemptThatMeetsAnotherIsOneStatementAndWritesNothing() {
		apply(submit("k1", "a1"));
		this.calls.clear();
		assertWritesNothing(() -> assertThat(apply(new Move.Resubmit("k1", 1, EffectState.CLAIMED, "a0", "a2", RUN,
				Duration.ofSeconds(30), Duration.ofMinutes(1), null)))
			.isInstanceOf(Moved.Met.class));
		assertThat(this.calls).containsOnly("executeQuery").hasSize(this.tries);
	}

	@Test
	void aSuppressedFiringIsOneStatementAndWritesNothing() {
		Request request = new Request("nightly", "context-2", "run-8", Duration.ofSeconds(30), "billing.charge()");
		assertWritesNothing(() -> assertThat(this.ports.leases().claim(List.of(request))).singleElement()
			.isInstanceOf(Claim.Declined.class));
		assertThat(this.calls).containsOnly("executeQuery").hasSize(this.tries);
	}

	@Test
	void aSuppressedFiringOfAnOccurrenceIsOneStatementAndWritesAndLocksNothing() {
		granted(occurrence("held", "a"));
		end(granted(occurrence("finished", "a")));
		List<String> locks = lockMarks();
		for (OccurrenceStore.Request request : List.of(occurrence("held", "a"), occurrence("held", "b"),
				occurrence("finished", "a"))) {
			this.calls.clear();
			assertWritesNothing(() -> assertThat(claim(request)).isInstanceOfAny(OccurrenceStore.Claim.Known.class,
					OccurrenceStore.Claim.Held.class));
			assertThat(this.calls).containsOnly("executeQuery").hasSize(this.tries);
		}
		assertThat(lockMarks()).isEqualTo(locks);
	}

	/** Who locks a row writes so into it. */
	private List<String> lockMarks() {
		return this.database.jdbc()
			.sql("select concat(job_key, ' ', xmin, ' ', xmax) from once_job_lease union all"
					+ " select concat(job_key, ' ', xmin, ' ', xmax) from once_occurrence order by 1")
			.query(String.class)
			.list();
	}

	@Test
	void anOccurrenceIsClaimedWithItsLeaseInOneStatementAndEndedInAnother() {
		end(granted(occurrence("daily", "a")));
		this.calls.clear();
		long before = nextTransactionId();
		Hold hold = granted(occurrence("daily", "b"));
		assertThat(this.calls).containsExactly("executeQuery");
		assertThat(nextTransactionId() - before).as("transactions that wrote").isEqualTo(1);
		end(hold, "b");
		assertThat(this.calls).containsExactly("executeQuery", "executeQuery");
		assertThat(nextTransactionId() - before).as("transactions that wrote").isEqualTo(2);
		assertThat(this.ports.occurrences().find("daily", "b").orElseThrow().state())
			.isEqualTo(OccurrenceState.FINISHED);
		assertThat(this.ports.leases().find("daily").orElseThrow().isHeld()).isFalse();
	}

	private OccurrenceStore.Claim claim(OccurrenceStore.Request request) {
		return this.ports.occurrences().claim(List.of(request)).get(0);
	}

	private Hold granted(OccurrenceStore.Request request) {
		return ((OccurrenceStore.Claim.Granted) claim(request)).hold();
	}

	private void end(Hold hold) {
		end(hold, "a");
	}

	private void end(Hold hold, String occurrence) {
		assertThat(this.ports.occurrences()
			.end(List.of(new OccurrenceStore.End(hold, occurrence, OccurrenceState.FINISHED, 1, null,
					OccurrenceStore.Earlier.CLOSED, null, null))))
			.containsExactly(OccurrenceStore.Ended.ENDED);
	}

	private OccurrenceStore.Request occurrence(String job, String occurrence) {
		return new OccurrenceStore.Request(
				new Request(job, "context-1", "run-" + occurrence, Duration.ofSeconds(30), "billing"), occurrence,
				Instant.EPOCH, null, 3, new OccurrenceStore.Again.No(), null, OccurrenceStore.Order.DUE,
				new Timetable.Neighbours(Instant.EPOCH.minusSeconds(60), Instant.EPOCH));
	}

	@Test
	void allLeasesAndAllWindowsAreOneStatementEach() {
		List<Hold> holds = new ArrayList<>();
		List<Move.Extend> extensions = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			Request request = new Request("job-" + i, "context-1", "run-1", Duration.ofSeconds(30), "billing.charge()");
			holds.add(((Claim.Granted) this.ports.leases().claim(List.of(request)).get(0)).hold());
			apply(submit("k" + i, "a1"));
			extensions.add(new Move.Extend("k" + i, 1, "a1", Duration.ofMinutes(1), Duration.ofMinutes(10)));
		}
		this.calls.clear();
		assertThat(this.ports.leases().renew(holds)).hasSize(20).containsOnly(Renewal.RENEWED);
		assertThat(this.calls).containsExactly("executeQuery");
		this.calls.clear();
		assertThat(this.ports.ledger().extend(extensions)).hasSize(20).hasOnlyElementsOfType(Moved.Applied.class);
		assertThat(this.calls).containsExactly("executeQuery");
	}

	private int tries;

	/** The server writes by itself now and then, but not each time. */
	private void assertWritesNothing(Runnable call) {
		long written = 1;
		for (this.tries = 0; this.tries < 5 && written > 0; this.tries++) {
			long transactions = nextTransactionId();
			long log = logPosition();
			call.run();
			written = logPosition() - log;
			assertThat(nextTransactionId()).as("transactions that wrote").isEqualTo(transactions);
		}
		assertThat(written).as("bytes written to the log").isZero();
	}

	private long nextTransactionId() {
		return this.database.jdbc()
			.sql("select cast(cast(pg_snapshot_xmax(pg_current_snapshot()) as text) as bigint)")
			.query(Long.class)
			.single();
	}

	private long logPosition() {
		return this.database.jdbc()
			.sql("select cast(pg_current_wal_insert_lsn() - '0/0' as bigint)")
			.query(Long.class)
			.single();
	}

	private Moved apply(Move move) {
		return this.ports.ledger().apply(move);
	}

	private static Move.Submit submit(String key, String attemptId) {
		EffectFacts facts = new EffectFacts(key, 1, "charge", "inv-" + key, null, "d", null, "charge/inv");
		return new Move.Submit(facts, attemptId, RUN, Duration.ofSeconds(30), Duration.ofMinutes(1),
				Move.Waiting.FOR_OPEN_FACTS);
	}

	/**
	 * Stands before the driver, and before the connections and statements that it gives.
	 */
	private <T> T counting(Object driver, Class<T> type) {
		return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> {
					String name = method.getName();
					if (name.startsWith("execute") || name.equals("commit") || name.equals("rollback")) {
						this.calls.add(name);
					}
					try {
						Object result = method.invoke(driver, arguments);
						boolean statement = result instanceof Statement
								&& Statement.class.isAssignableFrom(method.getReturnType());
						return (result instanceof Connection || statement) ? counting(result, method.getReturnType())
								: result;
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				}));
	}

}
