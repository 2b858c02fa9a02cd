package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.once.lease.InMemoryLeaseStore;
import dev.once.lease.SettableClock;

/**
 * The ledger in memory: {@link MoveSemantics} over a map. The databases are held to it.
 */
public final class InMemoryEffectLedger implements EffectLedger {

	private final Map<Id, EffectRow> rows = new LinkedHashMap<>();

	private final Map<Id, Instant> changed = new HashMap<>();

	private final SettableClock clock;

	private final InMemoryLeaseStore leases;

	public InMemoryEffectLedger(SettableClock clock, InMemoryLeaseStore leases) {
		this.clock = clock;
		this.leases = leases;
	}

	/**
	 * Puts a row there as it is.
	 * @param row the row
	 */
	public synchronized void put(EffectRow row) {
		Id id = new Id(row.facts().key(), row.facts().revision());
		this.rows.put(id, row);
		this.changed.put(id, this.clock.now());
	}

	/**
	 * When a row was last changed.
	 * @param row the row
	 */
	public synchronized Instant changedAt(EffectRow row) {
		return this.changed.get(new Id(row.facts().key(), row.facts().revision()));
	}

	/**
	 * All rows, as they stand now.
	 */
	public synchronized Stream<EffectRow> rows() {
		Instant now = this.clock.now();
		return this.rows.values().stream().map((row) -> MoveSemantics.readAt(row, now)).toList().stream();
	}

	@Override
	public synchronized List<Moved> apply(List<? extends Move> moves) {
		return moves.stream().map(this::apply).toList();
	}

	@Override
	public synchronized Moved apply(Move move) {
		Id id = new Id(move.key(), move.revision());
		MoveSemantics.Around around = new MoveSemantics.Around(this.leases.tokens(), this.rows.values());
		MoveSemantics.Result result = MoveSemantics.apply(this.rows.get(id), around, move, this.clock.now());
		if (result.row() != null && result.row() != this.rows.get(id)) {
			put(result.row());
		}
		return result.moved();
	}

	@Override
	public List<Moved> extend(List<Move.Extend> extensions) {
		return apply(extensions);
	}

	@Override
	public Optional<EffectRow> readBack(String key, int revision) {
		return find(key, revision);
	}

	@Override
	public synchronized Optional<EffectRow> find(String key, int revision) {
		return Optional.ofNullable(this.rows.get(new Id(key, revision)))
			.map((row) -> MoveSemantics.readAt(row, this.clock.now()));
	}

	@Override
	public synchronized List<EffectRow> due(int limit) {
		Instant now = this.clock.now();
		return rows()
			.filter((row) -> row.state() == EffectState.SUBMITTED && row.windowEnded()
					|| row.state() == EffectState.UNKNOWN && row.attention() == null
							&& (row.nextResolveAt() == null || !now.isBefore(row.nextResolveAt())))
			.sorted(Comparator.comparing((EffectRow row) -> row.attempt().submittedAt())
				.thenComparing((row) -> row.facts().key())
				.thenComparing((row) -> row.facts().revision()))
			.limit(limit)
			.toList();
	}

	@Override
	public synchronized List<Twin> twins(EffectFacts facts) {
		return rows()
			.filter((row) -> row.facts().target().equals(facts.target())
					&& row.facts().inputDigest().equals(facts.inputDigest())
					&& !row.facts().action().equals(facts.action()))
			.collect(Collectors.toMap((row) -> row.facts().action(), (row) -> row.facts().label(),
					(some, other) -> (some.compareTo(other) < 0) ? some : other))
			.entrySet()
			.stream()
			.map((entry) -> new Twin(entry.getKey(), entry.getValue()))
			.toList();
	}

	@Override
	public synchronized Standing standing() {
		Map<EffectState, Long> open = new EnumMap<>(EffectState.class);
		Map<Attention, Long> attention = new EnumMap<>(Attention.class);
		this.rows.values().forEach((row) -> {
			if (row.state() != EffectState.DONE) {
				open.merge(row.state(), 1L, Long::sum);
			}
			if (row.attention() != null) {
				attention.merge(row.attention(), 1L, Long::sum);
			}
		});
		Duration oldestUnknown = this.rows.values()
			.stream()
			.filter((row) -> row.state() == EffectState.UNKNOWN)
			.map((row) -> Duration.between(row.attempt().submittedAt(), this.clock.now()))
			.max(Comparator.naturalOrder())
			.orElse(null);
		return new Standing(open, attention, oldestUnknown);
	}

	private record Id(String key, int revision) {

	}

}
