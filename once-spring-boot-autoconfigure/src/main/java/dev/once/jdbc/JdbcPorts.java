package dev.once.jdbc;

import dev.once.lease.LeaseStore;
import dev.once.ledger.EffectLedger;

/**
 * The ports to the lease table and the ledger, over the ledger's connections.
 */
public final class JdbcPorts {

	private final LeaseStore leases;

	private final EffectLedger ledger;

	/**
	 * Makes the ports for the kind of database that the connections lead to.
	 * @param connections the ledger's connections, which stay the caller's
	 * @param tables where the tables are
	 */
	public JdbcPorts(LedgerConnections connections, OnceTables tables) {
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
		this.ledger = new JdbcEffectLedger(calls, statements, tables, gate);
	}

	/**
	 * The port to the lease table.
	 */
	public LeaseStore leases() {
		return this.leases;
	}

	/**
	 * The port to the ledger.
	 */
	public EffectLedger ledger() {
		return this.ledger;
	}

}
