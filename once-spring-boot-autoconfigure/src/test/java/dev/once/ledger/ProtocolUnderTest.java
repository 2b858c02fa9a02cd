package dev.once.ledger;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.lease.InMemoryLeaseStore;
import dev.once.lease.LeaseListener;
import dev.once.lease.Leases;
import dev.once.lease.Run;
import dev.once.lease.SettableClock;
import dev.once.lease.SettableTime;
import dev.once.ledger.EffectProtocol.Hooks;
import dev.once.ledger.EffectProtocol.Settings;
import dev.once.ledger.EffectRules.ResolveSchedule;
import dev.once.occurrence.InMemoryOccurrenceStore;

/**
 * The protocol's production classes over a ledger and leases in memory, at a time that
 * stands still until it is moved.
 */
public final class ProtocolUnderTest implements AutoCloseable {

	/** The length of every lease. */
	public static final Duration LEASE = Duration.ofSeconds(30);

	private static final ResolveSchedule SCHEDULE = new ResolveSchedule(8, Duration.ofSeconds(10),
			Duration.ofMinutes(10));

	private final SettableClock clock = new SettableClock();

	private final SettableTime time = new SettableTime(this.clock);

	private final InMemoryLeaseStore leaseStore = new InMemoryLeaseStore(this.clock);

	private final InMemoryEffectLedger rows = new InMemoryEffectLedger(this.clock, this.leaseStore);

	private final InMemoryOccurrenceStore occurrences = new InMemoryOccurrenceStore(this.clock, this.leaseStore,
			this.rows);

	private final UnreliableLedger ledger = new UnreliableLedger(this.rows);

	private final RecordedEvents events = new RecordedEvents();

	private final AtomicInteger ids = new AtomicInteger();

	private final AtomicInteger suppressed = new AtomicInteger();

	private final List<String> fencedLines = new CopyOnWriteArrayList<>();

	private final Leases leases = leases("context-a");

	private final AtomicInteger submitsAnnounced = new AtomicInteger();

	private final AtomicInteger lost = new AtomicInteger();

	private final EffectProtocol protocol;

	public ProtocolUnderTest() {
		this(SecondRequest.FAIL, List.of(), Duration.ofSeconds(10));
	}

	public ProtocolUnderTest(SecondRequest secondRequest, List<FailureClassifier> classifiers,
			Duration resolverTimeout) {
		Hooks hooks = new Hooks() {

			@Override
			public void beforeSubmit() {
				ProtocolUnderTest.this.submitsAnnounced.incrementAndGet();
			}

			@Override
			public void fenced(Run run) {
				ProtocolUnderTest.this.leases.fence(run);
			}

			@Override
			public void lost() {
				ProtocolUnderTest.this.lost.incrementAndGet();
			}

		};
		this.protocol = new EffectProtocol(this.ledger, new Failures(classifiers),
				new Settings(secondRequest, SCHEDULE, resolverTimeout), this.events, hooks, this.time, this::nextId);
	}

	private String nextId() {
		return "id-" + this.ids.incrementAndGet();
	}

	/**
	 * The leases of an application context over the same table.
	 * @param owner the context's id
	 */
	public Leases leases(String owner) {
		return new Leases(this.leaseStore, owner, this.time, this::nextId, new LeaseListener() {

			@Override
			public void suppressed(String job) {
				ProtocolUnderTest.this.suppressed.incrementAndGet();
			}

		}, this.fencedLines::add);
	}

	/**
	 * The table of leases.
	 */
	public InMemoryLeaseStore leaseStore() {
		return this.leaseStore;
	}

	/**
	 * The table of occurrences.
	 */
	public InMemoryOccurrenceStore occurrences() {
		return this.occurrences;
	}

	/**
	 * Begins a run of the job {@code nightly}.
	 */
	public Run run() {
		return this.leases.claim("nightly", LEASE, "Billing.nightly", null).orElseThrow();
	}

	/**
	 * Lets the lease lapse and another context take the job {@code nightly} over.
	 */
	public Run takenOver() {
		this.time.advance(LEASE);
		return leases("context-b").claim("nightly", LEASE, "Billing.nightly", null).orElseThrow();
	}

	/**
	 * A call that charges 10.00 for an invoice.
	 * @param invoice the effect's target
	 */
	public TestCall charge(String invoice) {
		return new TestCall(this.protocol, invoice);
	}

	/**
	 * The row of a call's effect.
	 * @param call the call
	 */
	public EffectRow row(TestCall call) {
		return this.rows.find(call.key(), 1).orElseThrow();
	}

	/**
	 * Whether a call's effect has a row.
	 * @param call the call
	 */
	public boolean hasRow(TestCall call) {
		return this.rows.find(call.key(), 1).isPresent();
	}

	/**
	 * Looks after the rows that are due, as the caretaker does.
	 * @param resolvable what it takes to resolve them
	 */
	public void resolveDue(Resolvable<?> resolvable) {
		this.rows.due(100).forEach((row) -> this.protocol.resolve(row, resolvable));
	}

	public EffectProtocol protocol() {
		return this.protocol;
	}

	public Leases leases() {
		return this.leases;
	}

	public SettableTime time() {
		return this.time;
	}

	public SettableClock clock() {
		return this.clock;
	}

	/**
	 * The ledger as the protocol sees it.
	 */
	public UnreliableLedger ledger() {
		return this.ledger;
	}

	/**
	 * The ledger behind it, as another process sees it.
	 */
	public InMemoryEffectLedger rows() {
		return this.rows;
	}

	public RecordedEvents events() {
		return this.events;
	}

	/**
	 * Lines of the logger {@code once.fenced}.
	 */
	public List<String> fencedLines() {
		return List.copyOf(this.fencedLines);
	}

	/**
	 * How many firings were told to be suppressed.
	 */
	public int suppressed() {
		return this.suppressed.get();
	}

	/**
	 * How often the protocol announced a submit.
	 */
	public int submitsAnnounced() {
		return this.submitsAnnounced.get();
	}

	/**
	 * How often the protocol asked the caretaker to look soon.
	 */
	public int lost() {
		return this.lost.get();
	}

	@Override
	public void close() {
		this.protocol.close();
	}

}
