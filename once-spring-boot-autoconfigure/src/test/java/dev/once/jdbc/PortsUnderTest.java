package dev.once.jdbc;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import dev.once.lease.InMemoryLeaseStore;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.SettableClock;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.InMemoryEffectLedger;

/**
 * The two ports of one kind, and a way to put rows there that no move would make.
 */
interface PortsUnderTest extends AutoCloseable {

	LeaseStore leases();

	EffectLedger ledger();

	void putEffects(List<EffectRow> rows);

	/** All rows, in no order. */
	Stream<EffectRow> effects();

	void putLease(LeaseRow row);

	Instant now();

	void clear();

	@Override
	void close();

	static InMemoryPorts inMemory() {
		return new InMemoryPorts();
	}

	/**
	 * The ports in memory.
	 */
	final class InMemoryPorts implements PortsUnderTest {

		private final SettableClock clock = new SettableClock();

		private InMemoryLeaseStore leases = new InMemoryLeaseStore(this.clock);

		private InMemoryEffectLedger ledger = new InMemoryEffectLedger(this.clock, this.leases);

		SettableClock clock() {
			return this.clock;
		}

		@Override
		public LeaseStore leases() {
			return this.leases;
		}

		@Override
		public EffectLedger ledger() {
			return this.ledger;
		}

		@Override
		public void putEffects(List<EffectRow> rows) {
			rows.forEach(this.ledger::put);
		}

		@Override
		public Stream<EffectRow> effects() {
			return this.ledger.rows();
		}

		@Override
		public void putLease(LeaseRow row) {
			this.leases.put(row);
		}

		@Override
		public Instant now() {
			return this.clock.now();
		}

		@Override
		public void clear() {
			this.leases = new InMemoryLeaseStore(this.clock);
			this.ledger = new InMemoryEffectLedger(this.clock, this.leases);
		}

		@Override
		public void close() {
			clear();
		}

	}

}
