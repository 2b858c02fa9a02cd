package dev.once.actuate;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import dev.once.actuate.EffectCounts.Tally;
import dev.once.actuate.EffectCounts.Turn;
import dev.once.actuate.OnceDescriptor.ActionDescriptor;
import dev.once.actuate.OnceDescriptor.AttentionDescriptor;
import dev.once.actuate.OnceDescriptor.CountersDescriptor;
import dev.once.actuate.OnceDescriptor.EffectsDescriptor;
import dev.once.actuate.OnceDescriptor.JobDescriptor;
import dev.once.actuate.OnceDescriptor.JobOccurrencesDescriptor;
import dev.once.actuate.OnceDescriptor.OccurrencesDescriptor;
import dev.once.actuate.OnceDescriptor.ResolvedDescriptor;
import dev.once.actuate.OnceDescriptor.TurnsDescriptor;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.StoreException;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectLedger.Standing;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.EffectState;
import dev.once.ledger.Ending;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint @Endpoint} that shows jobs, the ledger's open effects and what this
 * process did. It names no effect, and reads none that is {@code done}.
 */
@Endpoint(id = "once", defaultAccess = Access.READ_ONLY)
public class OnceEndpoint {

	private static final Log logger = LogFactory.getLog(OnceEndpoint.class);

	// What the database said may name hosts and users: health shows it to whom it may
	private static final String UNREADABLE = "The ledger cannot be read; the health component 'once' tells why";

	private final LeaseStore leases;

	private final EffectLedger ledger;

	private final OccurrenceStore occurrences;

	private final EffectCounts counts;

	private final Supplier<KnownNames> names;

	/**
	 * Creates the endpoint.
	 * @param leases the lease table
	 * @param ledger the ledger
	 * @param occurrences the table of occurrences
	 * @param counts what this process did
	 * @param names gives the declared names
	 */
	public OnceEndpoint(LeaseStore leases, EffectLedger ledger, OccurrenceStore occurrences, EffectCounts counts,
			Supplier<KnownNames> names) {
		this.leases = leases;
		this.ledger = ledger;
		this.occurrences = occurrences;
		this.counts = counts;
		this.names = names;
	}

	/**
	 * Shows what Once does.
	 * @return a description; its counters even while the database cannot be read
	 */
	@ReadOperation
	public OnceDescriptor once() {
		try {
			List<JobDescriptor> jobs = jobs(this.leases.findAll());
			return new OnceDescriptor(null, jobs, effects(this.ledger.standing()),
					occurrences(this.occurrences.standing()), counters());
		}
		catch (StoreException ex) {
			logger.debug(UNREADABLE, ex);
			return new OnceDescriptor(UNREADABLE, null, null, null, counters());
		}
	}

	private List<JobDescriptor> jobs(List<LeaseRow> rows) {
		Map<String, JobDescriptor> jobs = new TreeMap<>();
		this.names.get().jobs().forEach((job) -> jobs.put(job, neverRun(job)));
		rows.forEach((row) -> jobs.put(row.job(), job(row)));
		return List.copyOf(jobs.values());
	}

	private static JobDescriptor neverRun(String job) {
		return new JobDescriptor(job, false, null, null, 0, null, null, null);
	}

	private static JobDescriptor job(LeaseRow row) {
		if (row.token() == 0) {
			// Registered: its row has times, but no run had them
			return neverRun(row.job());
		}
		return new JobDescriptor(row.job(), row.isHeld(), row.isHeld() ? row.owner() : null,
				row.isHeld() ? row.runId() : null, row.token(), row.leaseUntil(), row.acquiredAt(), row.renewedAt());
	}

	private static EffectsDescriptor effects(Standing standing) {
		return new EffectsDescriptor(standing.open().getOrDefault(EffectState.CLAIMED, 0L),
				standing.open().getOrDefault(EffectState.SUBMITTED, 0L),
				standing.open().getOrDefault(EffectState.UNKNOWN, 0L), standing.oldestUnknown(),
				standing.attention()
					.entrySet()
					.stream()
					.sorted(Map.Entry.comparingByKey())
					.map((entry) -> new AttentionDescriptor(Words.of(entry.getKey()), entry.getValue()))
					.toList());
	}

	private static OccurrencesDescriptor occurrences(OccurrenceStore.Standing standing) {
		return new OccurrencesDescriptor(standing.open(), standing.abandoned(), jobs(standing.queued()),
				jobs(standing.refused()));
	}

	private static List<JobOccurrencesDescriptor> jobs(Map<String, Long> occurrences) {
		return occurrences.entrySet()
			.stream()
			.map((entry) -> new JobOccurrencesDescriptor(entry.getKey(), entry.getValue()))
			.toList();
	}

	private CountersDescriptor counters() {
		return new CountersDescriptor(this.counts.since(),
				this.counts.endings()
					.entrySet()
					.stream()
					.map((entry) -> action(entry.getKey(), entry.getValue()))
					.toList(),
				this.counts.turns()
					.entrySet()
					.stream()
					.map((entry) -> turns(entry.getKey(), entry.getValue()))
					.toList(),
				this.counts.duplicates(), this.counts.changed(), this.counts.contradictions(),
				resolved(this.counts.resolved()));
	}

	private static ActionDescriptor action(String name, Tally<Ending> tally) {
		return new ActionDescriptor(name, tally.of(Ending.PERFORMED), tally.of(Ending.DUPLICATE),
				tally.of(Ending.IN_PROGRESS), tally.of(Ending.WAITING), tally.of(Ending.NOT_SENT),
				tally.of(Ending.REFUSED), tally.of(Ending.UNKNOWN), tally.of(Ending.FENCED));
	}

	private static TurnsDescriptor turns(String job, Tally<Turn> tally) {
		return new TurnsDescriptor(job, tally.of(Turn.SUPPRESSED), tally.of(Turn.FENCED), tally.of(Turn.REFUSED),
				tally.of(Turn.QUEUE_REFUSED), tally.of(Turn.MISSED));
	}

	private static ResolvedDescriptor resolved(Tally<Resolved> tally) {
		return new ResolvedDescriptor(tally.of(Resolved.HAPPENED), tally.of(Resolved.DID_NOT_HAPPEN),
				tally.of(Resolved.CANNOT_TELL), tally.of(Resolved.UNDETERMINED));
	}

}
