package dev.once.jdbc;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.once.approval.DecisionStore;
import dev.once.lease.LeaseStore;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.OccurrenceStore.Claim;
import dev.once.occurrence.OccurrenceStore.Earlier;
import dev.once.occurrence.OccurrenceStore.End;
import dev.once.occurrence.OccurrenceStore.Ended;
import dev.once.occurrence.OccurrenceStore.Request;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two tenants with a database each, and a job of the same name in both.
 */
class RoutedOccurrenceStoreTests {

	private static final String DIED = "update once_job_lease set lease_until = acquired_at";

	private final TestDatabase home = TestDatabases.h2().withTables();

	private final TestDatabase other = TestDatabases.h2().withTables();

	private String tenant = "home";

	private LedgerConnections connections;

	private AbstractRoutingDataSource routing;

	private OccurrenceStore occurrences;

	@BeforeEach
	void route() {
		this.routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return RoutedOccurrenceStoreTests.this.tenant;
			}

		};
		this.routing.setTargetDataSources(Map.of("home", this.home.dataSource(), "other", this.other.dataSource()));
		this.routing.afterPropertiesSet();
		this.connections = LedgerConnections.of(this.routing, 4);
		this.occurrences = new JdbcPorts(this.connections, OnceTables.defaults()).occurrences();
	}

	@AfterEach
	void close() {
		this.connections.close();
		this.home.close();
		this.other.close();
	}

	@Test
	void aRunEndsWhereItWasClaimed() {
		this.tenant = "other";
		Claim.Granted granted = claim("run-1", new Again.No());
		this.tenant = "home";
		assertThat(this.occurrences
			.end(List.of(new End(granted.hold(), "a", OccurrenceState.FINISHED, 1, null, Earlier.CLOSED, null, null))))
			.containsExactly(Ended.ENDED);
		assertThat(rows(this.other, "once_occurrence where state = 'finished'")).isOne();
		assertThat(rows(this.other, "once_job_lease where owner is null")).isOne();
		assertThat(rows(this.home, "once_occurrence")).isZero();
	}

	@Test
	void whatDiedComesBackWhereItWasAndIsFoundThere() {
		for (String tenant : List.of("home", "other")) {
			this.tenant = tenant;
			claim("run-of-" + tenant, new Again.No());
		}
		this.tenant = "home";
		this.other.jdbc().sql(DIED).update();
		List<OccurrenceRow> dead = this.occurrences.comingBack(Set.of("nightly"), 10);
		assertThat(dead).extracting(OccurrenceRow::runId).containsExactly("run-of-other");
		Claim.Granted granted = claim("run-2", new Again.AsRead(dead.get(0)));
		assertThat(granted.row().attempt()).isEqualTo(2);
		assertThat(rows(this.other, "once_occurrence where run_id = 'run-2'")).isOne();
		assertThat(rows(this.home, "once_occurrence where run_id = 'run-of-home' and attempt = 1")).isOne();
	}

	/** Two looks read one row, and either has let go of it before the other claims. */
	@Test
	void whatWasReadTwiceIsRememberedThoughOneReadingIsForgotten() throws SQLException {
		RoutedDatabases databases = RoutedDatabases.of(this.routing);
		try {
			String held = remember(databases);
			String again = remember(databases);
			assertThat(again).isSameAs(held);
			WeakReference<String> other = new WeakReference<>(String.join("-", "run", "2"));
			databases.remember(Objects.requireNonNull(other.get()), databases.home());
			await().until(() -> {
				System.gc();
				return other.get() == null;
			});
			assertThat(databases.remembered("run-2")).isNull();
			assertThat(databases.remembered("run-1")).isSameAs(databases.home());
			Reference.reachabilityFence(again);
		}
		finally {
			databases.close();
		}
	}

	private static String remember(RoutedDatabases databases) {
		return databases.remember(String.join("-", "run", "1"), databases.home());
	}

	@Test
	void aRunThatCameBackIsFoundWhereItIs() {
		this.tenant = "other";
		claim("run-1", new Again.No());
		this.other.jdbc().sql(DIED).update();
		this.tenant = "home";
		Claim.Granted granted = claim("run-2",
				new Again.AsRead(this.occurrences.comingBack(Set.of("nightly"), 10).get(0)));
		assertThat(this.occurrences.find("nightly", "a"))
			.hasValueSatisfying((row) -> assertThat(row.runId()).isEqualTo(granted.hold().runId()).isEqualTo("run-2"));
	}

	@Test
	void whatIsGivenUpIsGivenUpWhereItIsAndCountedEverywhere() {
		for (String tenant : List.of("home", "other")) {
			this.tenant = tenant;
			claim("run-of-" + tenant, new Again.No());
		}
		this.tenant = "home";
		List.of(this.home, this.other).forEach((database) -> database.jdbc().sql(DIED).update());
		for (OccurrenceRow dead : this.occurrences.comingBack(Set.of("nightly"), 10)) {
			assertThat(this.occurrences.abandon(dead, "died")).isTrue();
		}
		assertThat(rows(this.other, "once_occurrence where state = 'abandoned'")).isOne();
		assertThat(this.occurrences.standing()).isEqualTo(new OccurrenceStore.Standing(0, 2, Map.of(), Map.of()));
	}

	/** O6: its zone came with newer time zone data, on another node. */
	@Test
	void whatThisNodeCannotReadKeepsNothingElseFromComingBack() {
		claim("run-1", new Again.No());
		this.home.jdbc().sql("update once_occurrence set zone = 'Mars/Olympus_Mons'").update();
		claim("weekly", "run-2", new Again.No());
		this.home.jdbc().sql(DIED).update();
		assertThat(this.occurrences.comingBack(Set.of("nightly", "weekly"), 10)).extracting(OccurrenceRow::job)
			.containsExactly("weekly");
	}

	@Test
	void aPageHasTheLatestOfAllDatabases() {
		for (String tenant : List.of("home", "other")) {
			this.tenant = tenant;
			claim("run-of-" + tenant, new Again.No());
		}
		this.home.jdbc().sql("update once_occurrence set due_at = dateadd(hour, 1, due_at)").update();
		assertThat(this.occurrences.list("nightly", null, 10)).extracting(OccurrenceRow::runId)
			.containsExactly("run-of-home", "run-of-other");
		assertThat(this.occurrences.list("nightly", OccurrenceState.RUNNING, 1)).extracting(OccurrenceRow::runId)
			.containsExactly("run-of-home");
	}

	@Test
	void aDecisionIsAtHomeWhoeverDecides() {
		DecisionStore decisions = new JdbcPorts(this.connections, OnceTables.defaults()).decisions();
		this.tenant = "other";
		decisions.append(DecisionStoreContractTests.runNow("d1", "nightly"));
		assertThat(rows(this.home, "once_decision")).isOne();
		assertThat(decisions.latest("nightly", 1)).hasSize(1);
	}

	private Claim.Granted claim(String runId, Again again) {
		return claim("nightly", runId, again);
	}

	private Claim.Granted claim(String job, String runId, Again again) {
		LeaseStore.Request lease = new LeaseStore.Request(job, "context-1", runId, Duration.ofSeconds(30), "billing");
		return (Claim.Granted) this.occurrences
			.claim(List
				.of(new Request(lease, "a", Instant.EPOCH, null, 3, again, null, OccurrenceStore.Order.ANY, null)))
			.get(0);
	}

	private static int rows(TestDatabase database, String table) {
		return database.jdbc().sql("select count(*) from " + table).query(Integer.class).single();
	}

}
