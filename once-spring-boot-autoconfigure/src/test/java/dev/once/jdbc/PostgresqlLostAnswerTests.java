package dev.once.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.approval.DecisionStore;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Request;
import dev.once.lease.StoreException;
import dev.once.ledger.Answer;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import dev.once.test.SwallowingProxy;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * E2: the answer to a statement is lost on its way, and with it to its commit. What came
 * of it is read back.
 */
class PostgresqlLostAnswerTests {

	private static final Predicate<String> INSERT = (sql) -> sql.contains("insert into once_effect_ledger")
			&& !sql.contains("'probe'");

	private static final Predicate<String> UPDATE = (sql) -> sql.contains("update once_effect_ledger");

	private static final Predicate<String> DECISION = (sql) -> sql.contains("insert into once_decision");

	private final TestDatabase database = TestDatabases.postgresql().withTables();

	private final SwallowingProxy proxy = this.database.proxy();

	private final HikariDataSource throughProxy = this.database.newDataSource(this.proxy);

	private DatabasePorts ports;

	@BeforeEach
	void openPortsThroughProxy() {
		this.ports = new DatabasePorts(this.database, this.throughProxy);
	}

	@AfterEach
	void close() {
		this.ports.close();
		this.proxy.close();
	}

	@Test
	void aSubmitWhoseAnswerIsLostIsReadBackAsCommitted() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo(INSERT);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> apply(submit("k1", "a1")))
			.withMessageContaining("Submit of effect k1");
		swallowed.get(5, TimeUnit.SECONDS);
		EffectRow row = readBack("k1");
		assertThat(row.isAttempt("a1")).isTrue();
		assertThat(row.state()).isEqualTo(EffectState.SUBMITTED);
		assertThat(apply(submit("k1", "a2"))).isInstanceOf(Moved.Met.class);
	}

	@Test
	void aSubmitThatIsLostOnItsWayIsReadBackAsAbsent() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallow(INSERT);
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> apply(submit("k1", "a1")));
		swallowed.get(5, TimeUnit.SECONDS);
		assertThat(this.ports.ledger().readBack("k1", 1)).isEmpty();
		assertThat(apply(submit("k1", "a2"))).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
	}

	@Test
	void manySubmitsWhoseAnswerIsLostAreReadBackAsCommitted() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo(INSERT);
		assertThatExceptionOfType(StoreException.class)
			.isThrownBy(() -> this.ports.ledger().apply(List.of(submit("k1", "a1"), submit("k2", "a2"))));
		swallowed.get(5, TimeUnit.SECONDS);
		assertThat(readBack("k1").isAttempt("a1")).isTrue();
		assertThat(readBack("k2").isAttempt("a2")).isTrue();
	}

	@Test
	void aSettleWhoseAnswerIsLostIsReadBackAsDone() throws Exception {
		apply(submit("k1", "a1"));
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo(UPDATE);
		Move settle = new Move.Settle("k1", 1, "a1", new Answer("paid", "text"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> apply(settle));
		swallowed.get(5, TimeUnit.SECONDS);
		EffectRow row = readBack("k1");
		assertThat(row.state()).isEqualTo(EffectState.DONE);
		assertThat(row.answer()).isEqualTo(new Answer("paid", "text"));
		assertThat(apply(settle)).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().isAttempt("a1")).isTrue());
	}

	@Test
	void aSettleThatIsLostOnItsWayIsReadBackAsSubmittedAndCanBeRepeated() throws Exception {
		apply(submit("k1", "a1"));
		CompletableFuture<String> swallowed = this.proxy.swallow(UPDATE);
		Move settle = new Move.Settle("k1", 1, "a1", new Answer("paid", "text"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> apply(settle));
		swallowed.get(5, TimeUnit.SECONDS);
		assertThat(readBack("k1").state()).isEqualTo(EffectState.SUBMITTED);
		assertThat(apply(settle)).isInstanceOf(Moved.Applied.class);
	}

	@Test
	void aClaimWhoseAnswerIsLostIsSeenAsItsOwnRunsLease() throws Exception {
		CompletableFuture<String> swallowed = this.proxy
			.swallowAnswerTo((sql) -> sql.contains("insert into once_job_lease"));
		List<Request> request = List
			.of(new Request("nightly", "context-1", "run-1", Duration.ofSeconds(30), "billing.charge()"));
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> this.ports.leases().claim(request));
		swallowed.get(5, TimeUnit.SECONDS);
		assertThat(this.ports.leases().claim(request)).singleElement()
			.isInstanceOfSatisfying(Claim.Declined.class, (declined) -> {
				LeaseRow holder = declined.holder();
				assertThat(holder.runId()).isEqualTo("run-1");
				assertThat(holder.token()).isOne();
			});
	}

	@Test
	void aDecisionWhoseAnswerIsLostIsWrittenAgainAndStaysOne() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallowAnswerTo(DECISION);
		decisions().append(DecisionStoreContractTests.runNow("d1", "nightly"));
		swallowed.get(5, TimeUnit.SECONDS);
		assertThat(decisions().latest("nightly", 10)).hasSize(1);
	}

	@Test
	void aDecisionThatIsLostOnItsWayIsWrittenAgain() throws Exception {
		CompletableFuture<String> swallowed = this.proxy.swallow(DECISION);
		decisions().append(DecisionStoreContractTests.runNow("d1", "nightly"));
		swallowed.get(5, TimeUnit.SECONDS);
		assertThat(decisions().latest("nightly", 10)).hasSize(1);
	}

	private DecisionStore decisions() {
		return new JdbcPorts(this.ports.connections(), OnceTables.defaults()).decisions();
	}

	@Test
	void onClosedConnectionsNoRepetitionCanSucceed() {
		this.ports.close();
		assertThatExceptionOfType(StoreException.Closed.class).isThrownBy(() -> apply(submit("k1", "a1")));
		assertThatExceptionOfType(StoreException.Closed.class).isThrownBy(() -> this.ports.leases().find("nightly"));
	}

	private Moved apply(Move move) {
		return this.ports.ledger().apply(move);
	}

	private EffectRow readBack(String key) {
		return this.ports.ledger().readBack(key, 1).orElseThrow();
	}

	private static Move.Submit submit(String key, String attemptId) {
		EffectFacts facts = new EffectFacts(key, 1, "charge", "inv-" + key, null, "d", null, "charge/inv");
		return new Move.Submit(facts, attemptId, null, Duration.ofSeconds(30), Duration.ofMinutes(1),
				Move.Waiting.FOR_OPEN_FACTS);
	}

}
