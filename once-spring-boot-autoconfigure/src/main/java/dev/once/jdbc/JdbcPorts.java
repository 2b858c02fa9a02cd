package dev.once.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import javax.sql.DataSource;

import dev.once.approval.DecisionStore;
import dev.once.lease.LeaseStore;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.LocalLedger;
import dev.once.occurrence.OccurrenceStore;

/**
 * The ports to the tables of leases, occurrences, effects and decisions, over the
 * ledger's connections.
 */
public final class JdbcPorts {

	private final LeaseStore leases;

	private final OccurrenceStore occurrences;

	private final EffectLedger ledger;

	private final DecisionStore decisions;

	private final Function<DataSource, LocalLedger> local;

	/**
	 * Makes the ports for the kind of database that the connections lead to.
	 * @param connections the ledger's connections, which stay the caller's
	 * @param tables where the tables are
	 */
	public JdbcPorts(LedgerConnections connections, OnceTables tables) {
		RoutedDatabases routed = connections.routed();
		if (routed != null) {
			Map<LedgerConnections, JdbcPorts> each = new ConcurrentHashMap<>();
			Function<LedgerConnections, JdbcPorts> ports = (place) -> each.computeIfAbsent(place,
					(key) -> new JdbcPorts(key, tables));
			this.leases = new RoutedLeaseStore(routed, ports.andThen(JdbcPorts::leases));
			this.occurrences = new RoutedOccurrenceStore(routed, ports.andThen(JdbcPorts::occurrences));
			this.ledger = new RoutedEffectLedger(routed, ports.andThen(JdbcPorts::ledger),
					ports.andThen(JdbcPorts::leases));
			// P2: who decides has no tenant
			this.decisions = ports.apply(routed.home()).decisions();
			this.local = (dataSource) -> {
				throw new LedgerUnusableException(
						"The data source of Once routes, so that an effect's transaction may be"
								+ " in another database than its run's lease: Boundary.DATABASE needs a data source that is the"
								+ " same for all threads. Mark one with @OnceDataSource, or take the boundary from the effect",
						null);
			};
			return;
		}
		Statements statements = switch (connections.database()) {
			case POSTGRESQL -> new PostgresqlStatements();
			case H2 -> new H2Statements();
		};
		RenewalGate gate = switch (connections.database()) {
			case POSTGRESQL -> RenewalGate.OPEN;
			case H2 -> new FairGate();
		};
		StoreCalls calls = new StoreCalls(connections);
		this.leases = new JdbcLeaseStore(calls, statements, tables, gate);
		this.occurrences = new JdbcOccurrenceStore(calls, switch (connections.database()) {
			case POSTGRESQL -> new PostgresqlOccurrences(tables);
			case H2 -> new H2Occurrences(tables);
		});
		this.ledger = new JdbcEffectLedger(calls, statements, tables, gate);
		this.decisions = new JdbcDecisionStore(calls, statements, tables);
		this.local = (dataSource) -> new JdbcLocalLedger(dataSource, statements, tables);
	}

	/**
	 * The port to the lease table.
	 */
	public LeaseStore leases() {
		return this.leases;
	}

	/**
	 * The port to the occurrence table.
	 */
	public OccurrenceStore occurrences() {
		return this.occurrences;
	}

	/**
	 * The port to the ledger.
	 */
	public EffectLedger ledger() {
		return this.ledger;
	}

	/**
	 * The port to the table of decisions.
	 */
	public DecisionStore decisions() {
		return this.decisions;
	}

	/**
	 * The port to the ledger inside the application's transactions (T1).
	 * @param dataSource the data source to which those bind their connections, of the
	 * same database as the ledger's connections
	 * @return the port
	 */
	public LocalLedger local(DataSource dataSource) {
		return this.local.apply(dataSource);
	}

}
