package dev.once.jdbc;

import java.time.Duration;
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
import dev.once.occurrence.InMemoryOccurrenceStore;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceStore;

/**
 * The two ports of one kind, and a way to put rows there that no move would make.
 */
interface PortsUnderTest extends AutoCloseable {

	LeaseStore leases();

	EffectLedger ledger();

	OccurrenceStore occurrences();

	void putOccurrence(OccurrenceRow row);

	/** O2: moves a job's high-water mark of the purge. */
	void purge(String job, Instant until);

	/** O5: moves a job's mark. */
	void mark(String job, Instant until);

	/** O5: a job's mark, or {@code null}. */
	Instant mark(String job);

	/** Lets some time pass. */
	void tick();

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

		private InMemoryOccurrenceStore occurrences = new InMemoryOccurrenceStore(this.clock, this.leases, this.ledger);

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
		public OccurrenceStore occurrences() {
			return this.occurrences;
		}

		@Override
		public void putOccurrence(OccurrenceRow row) {
			this.occurrences.put(row);
		}

		@Override
		public void purge(String job, Instant until) {
			this.leases.purge(job, until);
		}

		@Override
		public void mark(String job, Instant until) {
			this.leases.lookedUntil(job, until);
		}

		@Override
		public Instant mark(String job) {
			return this.leases.lookedUntil(job);
		}

		@Override
		public void tick() {
			this.clock.advance(Duration.ofMillis(1));
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
			this.occurrences = new InMemoryOccurrenceStore(this.clock, this.leases, this.ledger);
		}

		@Override
		public void close() {
			clear();
		}

	}

}
