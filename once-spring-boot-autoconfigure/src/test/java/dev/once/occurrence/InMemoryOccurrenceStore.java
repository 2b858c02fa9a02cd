package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import dev.once.occurrence.PassedDueTimes.Judged;
import dev.once.occurrence.PassedDueTimes.Seen;
import dev.once.occurrence.PassedDueTimes.Span;
import dev.once.occurrence.Timetable.Neighbours;
import dev.once.occurrence.Timetable.Passed;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.once.lease.Hold;
import dev.once.lease.InMemoryLeaseStore;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.SettableClock;
import dev.once.ledger.EffectOutcome;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.InMemoryEffectLedger;
import org.jspecify.annotations.Nullable;

/**
 * The occurrence table in memory: what each call expects and does, in the fewest words.
 * The databases are held to it.
 */
public final class InMemoryOccurrenceStore implements OccurrenceStore {

	private static final Duration TOLERANCE = Duration.ofSeconds(1);

	private static final Comparator<OccurrenceRow> IN_ORDER = Comparator.comparing(OccurrenceRow::dueAt)
		.thenComparing(OccurrenceRow::job)
		.thenComparing(OccurrenceRow::occurrence);

	private final Map<Id, OccurrenceRow> rows = new LinkedHashMap<>();

	private final Map<Id, Instant> putOffAt = new HashMap<>();

	private final SettableClock clock;

	private final InMemoryLeaseStore leases;

	private final InMemoryEffectLedger ledger;

	public InMemoryOccurrenceStore(SettableClock clock, InMemoryLeaseStore leases) {
		this(clock, leases, new InMemoryEffectLedger(clock, leases));
	}

	public InMemoryOccurrenceStore(SettableClock clock, InMemoryLeaseStore leases, InMemoryEffectLedger ledger) {
		this.clock = clock;
		this.leases = leases;
		this.ledger = ledger;
	}

	/**
	 * Puts a row there as it is.
	 * @param row the row
	 */
	public synchronized void put(OccurrenceRow row) {
		this.rows.put(new Id(row.job(), row.occurrence()), row);
	}

	/**
	 * Deletes all rows.
	 */
	public synchronized void clear() {
		this.rows.clear();
	}

	/**
	 * All rows, as they stand now.
	 */
	public synchronized List<OccurrenceRow> rows() {
		return this.rows.values().stream().map(this::readNow).toList();
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return requests.stream().map((request) -> together(() -> claim(request))).toList();
	}

	private Claim claim(Request request) {
		Instant now = this.clock.now();
		LeaseRow lease = this.leases.find(request.lease().job()).orElse(null);
		OccurrenceRow row = find(request.lease().job(), request.occurrence()).orElse(null);
		if (row == null && request.again() instanceof Again.AsRead asRead) {
			return new Claim.Known(asRead.row());
		}
		Claim refusal = (row != null) ? refusal(request, row, lease) : refusalOfNew(request, now);
		if (refusal != null) {
			return refusal;
		}
		if (lease != null && now.isBefore(lease.leaseUntil())) {
			return new Claim.Held(lease);
		}
		if (request.order() == Order.DUE && goesAfter(request, row)) {
			return new Claim.After();
		}
		String job = request.lease().job();
		Neighbours neighbours = request.neighbours();
		Instant mark = this.leases.lookedUntil(job);
		if (row == null && neighbours != null && neighbours.previous() != null && mark != null
				&& mark.isBefore(neighbours.previous())) {
			return new Claim.Behind();
		}
		if (neighbours != null && (mark == null || mark.isBefore(neighbours.passes()))) {
			this.leases.lookedUntil(job, neighbours.passes());
		}
		LeaseStore.Claim.Granted granted = (LeaseStore.Claim.Granted) this.leases.claim(List.of(request.lease()))
			.get(0);
		OccurrenceRow running = running(request, row, granted.hold(), now);
		put(running);
		return new Claim.Granted(granted.hold(), running);
	}

	private boolean goesAfter(Request request, @Nullable OccurrenceRow row) {
		return rows().stream()
			.filter((other) -> other.job().equals(request.lease().job())
					&& !other.occurrence().equals(request.occurrence()))
			.filter((other) -> other.state() == OccurrenceState.QUEUED || other.state() == OccurrenceState.RUNNING
					|| other.state() == OccurrenceState.OPEN && other.nextAttemptAt() != null
							&& !other.readAt().isBefore(other.nextAttemptAt()))
			.anyMatch((other) -> row == null || IN_ORDER.compare(other, row) < 0);
	}

	private @Nullable Claim refusalOfNew(Request request, Instant now) {
		Instant purgedUntil = this.leases.purgedUntil(request.lease().job());
		if (purgedUntil != null && !request.dueAt().isAfter(purgedUntil)) {
			return new Claim.Purged(purgedUntil);
		}
		return request.dueAt().isAfter(now.plus(TOLERANCE)) ? new Claim.Early(Duration.between(now, request.dueAt()))
				: null;
	}

	private static @Nullable Claim refusal(Request request, OccurrenceRow row, @Nullable LeaseRow lease) {
		Again again = request.again();
		boolean another = again instanceof Again.AsRead asRead && asRead.row().token() != row.token();
		boolean timer = again instanceof Again.No;
		boolean person = again instanceof Again.ByPerson;
		boolean known = another || switch (row.state()) {
			case FINISHED -> true;
			case ABANDONED -> !person;
			case RUNNING -> isLive(row, lease);
			case OPEN -> timer || again instanceof Again.Asked || again instanceof Again.WhenDue
					&& row.nextAttemptAt() != null && row.readAt().isBefore(row.nextAttemptAt());
			case QUEUED -> false;
			case REFUSED -> timer || again instanceof Again.AsRead;
			case MISSED -> again instanceof Again.AsRead;
		};
		if (known) {
			return new Claim.Known(row);
		}
		return (row.state() == OccurrenceState.RUNNING && row.attempt() >= request.attempts() && !person)
				? new Claim.Spent(row) : null;
	}

	private static boolean isLive(OccurrenceRow row, @Nullable LeaseRow lease) {
		return lease != null && row.readAt().isBefore(lease.leaseUntil()) && lease.token() == row.token();
	}

	private static OccurrenceRow running(Request request, @Nullable OccurrenceRow before, Hold hold, Instant now) {
		if (before == null) {
			return new OccurrenceRow(hold.job(), request.occurrence(), request.dueAt(), request.zone(),
					OccurrenceState.RUNNING, 1, null, hold.runId(), hold.owner(), hold.token(), request.arguments(),
					now, null, null, null, now);
		}
		int attempt = switch (before.state()) {
			case RUNNING -> before.attempt() + 1;
			case OPEN -> before.attempt();
			default -> 1;
		};
		return new OccurrenceRow(before.job(), before.occurrence(), before.dueAt(), before.zone(),
				OccurrenceState.RUNNING, attempt, null, hold.runId(), hold.owner(), hold.token(), before.arguments(),
				now, null, null, null, now);
	}

	@Override
	public List<Ended> end(List<End> ends) {
		return ends.stream().map((end) -> together(() -> end(end))).toList();
	}

	private Ended end(End end) {
		Hold hold = end.hold();
		OccurrenceRow row = find(hold.job(), end.occurrence()).orElse(null);
		boolean own = row != null && hold.runId().equals(row.runId()) && row.token() == hold.token();
		if (own && row.state() != OccurrenceState.RUNNING) {
			return (row.state() == end.state()) ? Ended.ENDED : Ended.FENCED;
		}
		if (!own || this.leases.release(List.of(hold)).get(0) == LeaseStore.Release.FENCED) {
			return Ended.FENCED;
		}
		Instant now = this.clock.now();
		put(ended(row, end.state(), end.attempt(), (end.nextAttemptIn() != null) ? now.plus(end.nextAttemptIn()) : null,
				end.counts(), end.detail(), now));
		this.rows()
			.stream()
			.filter((earlier) -> isClosedBy(row, end.earlier(), earlier))
			.forEach((earlier) -> close(earlier, row, end.earlier()));
		return Ended.ENDED;
	}

	private boolean isClosedBy(OccurrenceRow row, Earlier how, OccurrenceRow earlier) {
		boolean closes = switch (how) {
			case CLOSED -> openEffects(earlier).noneMatch((effect) -> effect.facts().grain() != null);
			case REPLACED -> earlier.detail() == null && openEffects(earlier).findAny().isEmpty();
			case KEPT -> false;
		};
		return closes && earlier.job().equals(row.job()) && earlier.state() == OccurrenceState.OPEN
				&& earlier.dueAt().isBefore(row.dueAt());
	}

	private Stream<EffectRow> openEffects(OccurrenceRow row) {
		return effects(row).filter((effect) -> effect.state() != EffectState.DONE);
	}

	private void close(OccurrenceRow earlier, OccurrenceRow by, Earlier how) {
		put(new OccurrenceRow(earlier.job(), earlier.occurrence(), earlier.dueAt(), earlier.zone(),
				OccurrenceState.FINISHED, earlier.attempt(), null, earlier.runId(), earlier.owner(), earlier.token(),
				earlier.arguments(), earlier.startedAt(), earlier.endedAt(), earlier.counts(),
				"closed by " + by.occurrence() + ", which was due later and "
						+ ((how == Earlier.REPLACED) ? "waits for the same" : "has finished"),
				this.clock.now()));
	}

	private static OccurrenceRow ended(OccurrenceRow row, OccurrenceState state, int attempt,
			@Nullable Instant nextAttemptAt, @Nullable String counts, @Nullable String detail, Instant now) {
		return new OccurrenceRow(row.job(), row.occurrence(), row.dueAt(), row.zone(), state, attempt, nextAttemptAt,
				row.runId(), row.owner(), row.token(), row.arguments(), row.startedAt(), now, counts, detail, now);
	}

	@Override
	public boolean abandon(OccurrenceRow row, String detail) {
		return together(() -> {
			OccurrenceRow present = find(row.job(), row.occurrence()).orElse(null);
			if (present == null || present.state() != row.state() || present.attempt() != row.attempt()
					|| present.token() != row.token()) {
				return false;
			}
			boolean unfinished = switch (present.state()) {
				case RUNNING -> !isLive(present, this.leases.find(row.job()).orElse(null));
				case OPEN -> true;
				case FINISHED, ABANDONED, QUEUED, REFUSED, MISSED -> false;
			};
			if (unfinished) {
				Instant end = (present.endedAt() != null) ? present.endedAt() : this.clock.now();
				fence(present);
				put(ended(present, OccurrenceState.ABANDONED, present.attempt(), null, present.counts(), detail, end));
			}
			return unfinished;
		});
	}

	private void fence(OccurrenceRow dead) {
		this.leases.find(dead.job())
			.filter((lease) -> dead.state() == OccurrenceState.RUNNING && lease.token() == dead.token())
			.ifPresent((lease) -> this.leases.put(new LeaseRow(lease.job(), null, null, lease.token() + 1,
					lease.leaseUntil(), lease.acquiredAt(), lease.renewedAt(), lease.readAt())));
	}

	@Override
	public PutOffAnswer putOff(PutOff putOff) {
		return together(() -> {
			OccurrenceRow known = find(putOff.job(), putOff.occurrence()).orElse(null);
			if (known != null) {
				return new PutOffAnswer.Known(known);
			}
			if (putOff.state() == OccurrenceState.QUEUED && waiting(putOff.job()) >= putOff.depth()) {
				return new PutOffAnswer.Full();
			}
			Instant now = this.clock.now();
			put(putOff.job(), putOff.occurrence(), (putOff.dueAt() != null) ? putOff.dueAt() : now, putOff.zone(),
					putOff.state(), putOff.arguments(), putOff.detail());
			return new PutOffAnswer.Noted();
		});
	}

	private void put(String job, String occurrence, Instant dueAt, @Nullable ZoneId zone, OccurrenceState state,
			@Nullable String arguments, @Nullable String detail) {
		Instant now = this.clock.now();
		put(new OccurrenceRow(job, occurrence, dueAt, zone, state, 0, null, null, null, 0, arguments, null, null, null,
				detail, now));
		this.putOffAt.put(new Id(job, occurrence), now);
	}

	private long waiting(String job) {
		return rows().stream().filter((row) -> row.job().equals(job) && row.state() == OccurrenceState.QUEUED).count();
	}

	@Override
	public Judged look(String job, PassedDueTimes dueTimes) {
		return together(() -> {
			Instant mark = this.leases.lookedUntil(job);
			LeaseRow lease = this.leases.find(job).orElse(null);
			if (mark == null || lease == null) {
				return Judged.NOTHING;
			}
			Instant now = this.clock.now();
			Passed passed = dueTimes.since(mark, now);
			if (passed.points().isEmpty()) {
				return Judged.NOTHING;
			}
			List<Span> live = new ArrayList<>(List.of(new Span(lease.acquiredAt(), lease.leaseUntil())));
			rows().stream()
				.filter((row) -> row.job().equals(job) && row.startedAt() != null && row.endedAt() != null)
				.forEach((row) -> live.add(new Span(row.startedAt(), row.endedAt())));
			Set<String> known = passed.points()
				.stream()
				.map(DuePoint::name)
				.filter((name) -> find(job, name).isPresent())
				.collect(Collectors.toSet());
			Judged judged = dueTimes.judge(passed, new Seen(mark, now, known, live, waiting(job)));
			judged.rows()
				.forEach((note) -> put(job, note.point().name(), note.point().dueAt(), note.point().zone(),
						note.state(), null, note.detail()));
			this.leases.lookedUntil(job, judged.mark());
			return judged;
		});
	}

	@Override
	public synchronized Optional<OccurrenceRow> find(String job, String occurrence) {
		return Optional.ofNullable(this.rows.get(new Id(job, occurrence))).map(this::readNow);
	}

	@Override
	public List<OccurrenceRow> comingBack(Collection<String> jobs, int limit) {
		return together(() -> jobs.stream()
			.filter(this::isFree)
			.flatMap((job) -> rows().stream()
				.filter((row) -> row.job().equals(job) && comesBack(row))
				.sorted(IN_ORDER)
				.limit(limit))
			.sorted(IN_ORDER)
			.toList());
	}

	private boolean isFree(String job) {
		return this.leases.find(job).map((lease) -> !lease.readAt().isBefore(lease.leaseUntil())).orElse(true);
	}

	private boolean comesBack(OccurrenceRow row) {
		if (row.state() != OccurrenceState.OPEN) {
			return row.state() == OccurrenceState.RUNNING || row.state() == OccurrenceState.QUEUED;
		}
		if (row.nextAttemptAt() != null && !row.readAt().isBefore(row.nextAttemptAt())) {
			return true;
		}
		if (effects(row)
			.anyMatch((effect) -> effect.state() == EffectState.SUBMITTED || effect.state() == EffectState.UNKNOWN)) {
			return false;
		}
		return row.nextAttemptAt() == null && effects(row).allMatch((effect) -> isDoneOrFree(effect))
				|| effects(row).anyMatch((effect) -> isDoneOrFree(effect) && hasMovedSince(effect, row));
	}

	private static boolean isDoneOrFree(EffectRow effect) {
		return effect.state() == EffectState.DONE || effect.state() == EffectState.CLAIMED && effect.attention() == null
				&& (effect.nextAttemptAt() == null || !effect.readAt().isBefore(effect.nextAttemptAt()));
	}

	private boolean hasMovedSince(EffectRow effect, OccurrenceRow row) {
		Instant changed = this.ledger.changedAt(effect);
		if (effect.state() == EffectState.CLAIMED && effect.nextAttemptAt() != null) {
			changed = effect.nextAttemptAt();
		}
		boolean byAnother = (effect.state() == EffectState.DONE) ? effect.outcome() != EffectOutcome.PERFORMED
				: !effect.attempt().fence().runId().equals(row.runId());
		return changed.isAfter(byAnother ? row.startedAt() : row.endedAt());
	}

	private Stream<EffectRow> effects(OccurrenceRow row) {
		return this.ledger.rows()
			.filter((effect) -> effect.attempt().fence() != null && effect.attempt().fence().job().equals(row.job())
					&& row.occurrence().equals(effect.attempt().fence().occurrence()));
	}

	@Override
	public Standing standing() {
		return together(() -> new Standing(count(OccurrenceState.OPEN), count(OccurrenceState.ABANDONED),
				byJob((row) -> row.state() == OccurrenceState.QUEUED),
				byJob((row) -> row.state() == OccurrenceState.REFUSED && rows().stream()
					.noneMatch((later) -> later.job().equals(row.job()) && later.state() == OccurrenceState.FINISHED
							&& later.startedAt().isAfter(this.putOffAt.get(new Id(row.job(), row.occurrence())))))));
	}

	private long count(OccurrenceState state) {
		return rows().stream().filter((row) -> row.state() == state).count();
	}

	private Map<String, Long> byJob(Predicate<OccurrenceRow> which) {
		return rows().stream().filter(which).collect(Collectors.groupingBy(OccurrenceRow::job, Collectors.counting()));
	}

	@Override
	public List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit) {
		return rows().stream()
			.filter((row) -> row.job().equals(job) && (state == null || row.state() == state))
			.sorted(Comparator.comparing(OccurrenceRow::dueAt).thenComparing(OccurrenceRow::occurrence).reversed())
			.limit(limit)
			.toList();
	}

	private OccurrenceRow readNow(OccurrenceRow row) {
		return new OccurrenceRow(row.job(), row.occurrence(), row.dueAt(), row.zone(), row.state(), row.attempt(),
				row.nextAttemptAt(), row.runId(), row.owner(), row.token(), row.arguments(), row.startedAt(),
				row.endedAt(), row.counts(), row.detail(), this.clock.now());
	}

	/**
	 * One transaction over all tables. The ledger takes its own lock before the leases'.
	 */
	private synchronized <T> T together(Supplier<T> transaction) {
		synchronized (this.ledger) {
			synchronized (this.leases) {
				return transaction.get();
			}
		}
	}

	private record Id(String job, String occurrence) {

	}

}
