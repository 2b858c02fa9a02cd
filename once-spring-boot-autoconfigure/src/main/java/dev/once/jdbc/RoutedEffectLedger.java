package dev.once.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.StoreException;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers in the databases behind a data source that routes. An attempt begins in the
 * database that its thread means, and whatever follows goes to the same one.
 */
final class RoutedEffectLedger implements EffectLedger {

	private static final Log logger = LogFactory.getLog(RoutedEffectLedger.class);

	private final RoutedDatabases databases;

	private final Function<LedgerConnections, EffectLedger> ledgers;

	private final Function<LedgerConnections, LeaseStore> leases;

	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	RoutedEffectLedger(RoutedDatabases databases, Function<LedgerConnections, EffectLedger> ledgers,
			Function<LedgerConnections, LeaseStore> leases) {
		this.databases = databases;
		this.ledgers = ledgers;
		this.leases = leases;
	}

	@Override
	public List<Moved> apply(List<? extends Move> moves) {
		return moves.stream().map(this::apply).toList();
	}

	@Override
	public Moved apply(Move move) {
		if (move instanceof Move.Submit submit) {
			return begin(submit.attemptId(), submit.fence(), submit, new Move.Submit(submit.facts(), submit.attemptId(),
					null, submit.window(), submit.settleAfter(), submit.waiting()));
		}
		if (move instanceof Move.Resubmit again) {
			return begin(again.attemptId(), again.fence(), again,
					new Move.Resubmit(again.key(), again.revision(), again.seenState(), again.seenAttemptId(),
							again.attemptId(), null, again.window(), again.settleAfter(), again.remembers()));
		}
		LedgerConnections place = place(move);
		return remembering(this.ledgers.apply(place).apply(move), place);
	}

	/**
	 * E1: the token is checked under the lock of the lease's row, which the effect's own
	 * database alone can take. Elsewhere it is read beforehand, and the row is its own
	 * lease.
	 */
	private Moved begin(String attemptId, @Nullable Fence fence, Move fenced, Move unfenced) {
		LedgerConnections here = current(fenced);
		this.databases.remember(attemptId, here);
		LedgerConnections home = (fence != null) ? this.databases.remembered(fence.runId()) : null;
		if (fence == null || home == null || home == here) {
			return remembering(this.ledgers.apply(here).apply(fenced), here);
		}
		if (this.reported.add(fence.job())) {
			logger.warn("Job '" + fence.job() + "' holds its lease in database '" + home.name()
					+ "' and has effects in others: there its token is read before an effect starts, not locked, so that"
					+ " a run that loses its lease within that moment may still start one. Each effect happens once all"
					+ " the same: its own row guards it");
		}
		Optional<LeaseRow> lease = this.leases.apply(home).find(fence.job());
		if (lease.isEmpty() || lease.get().token() != fence.token()) {
			return new Moved.Fenced();
		}
		return remembering(this.ledgers.apply(here).apply(unfenced), here);
	}

	/** A row that was met is asked about where it is, from a thread without a tenant. */
	private Moved remembering(Moved moved, LedgerConnections place) {
		if (moved instanceof Moved.Met met) {
			remember(met.row(), place);
		}
		return moved;
	}

	private EffectRow remember(EffectRow row, LedgerConnections place) {
		this.databases.remember(row.attempt().id(), place);
		return row;
	}

	private LedgerConnections place(Move move) {
		String attemptId = attemptId(move);
		LedgerConnections place = (attemptId != null) ? this.databases.remembered(attemptId) : null;
		return (place != null) ? place : current(move);
	}

	private LedgerConnections current(Move move) {
		return current("the " + move.getClass().getSimpleName() + " of effect " + move.key());
	}

	private LedgerConnections current(String what) {
		try {
			return this.databases.current();
		}
		catch (NoConnectionException ex) {
			throw new StoreException.Unreached("The data source routes, and names no database for " + what + ": "
					+ ex.getMessage() + ". Set the tenant before the effect is called", ex);
		}
	}

	private static @Nullable String attemptId(Move move) {
		if (move instanceof Move.Settle settle) {
			return settle.attemptId();
		}
		if (move instanceof Move.Release release) {
			return release.attemptId();
		}
		if (move instanceof Move.Refuse refuse) {
			return refuse.attemptId();
		}
		if (move instanceof Move.Lose lose) {
			return lose.attemptId();
		}
		if (move instanceof Move.Ask ask) {
			return ask.attemptId();
		}
		if (move instanceof Move.Happened happened) {
			return happened.attemptId();
		}
		if (move instanceof Move.DidNotHappen didNot) {
			return didNot.attemptId();
		}
		if (move instanceof Move.KeepUnknown keep) {
			return keep.attemptId();
		}
		return (move instanceof Move.Extend extend) ? extend.attemptId() : null;
	}

	@Override
	public List<Moved> extend(List<Move.Extend> extensions) {
		Moved[] answers = new Moved[extensions.size()];
		Arrays.fill(answers, new Moved.Absent());
		ByPlace.of(extensions, this::place).eachOrAllFail((place, part) -> {
			List<Moved> moved = this.ledgers.apply(place).extend(part.items());
			for (int i = 0; i < moved.size(); i++) {
				answers[part.positions().get(i)] = moved.get(i);
			}
		});
		return List.of(answers);
	}

	// E2: on the thread of the submit that failed
	@Override
	public Optional<EffectRow> readBack(String key, int revision) {
		LedgerConnections here = current("effect " + key);
		return this.ledgers.apply(here).readBack(key, revision).map((row) -> remember(row, here));
	}

	@Override
	public Optional<EffectRow> find(String key, int revision) {
		LedgerConnections here = current("effect " + key);
		return this.ledgers.apply(here).find(key, revision).map((row) -> remember(row, here));
	}

	@Override
	public List<EffectRow> due(int limit) {
		List<EffectRow> due = new ArrayList<>();
		List<LedgerConnections> all = this.databases.all();
		// One with much to do must not keep the others waiting
		int share = Math.max(1, limit / all.size());
		ByPlace.of(all, Function.identity())
			.eachOrAllFail((place,
					part) -> this.ledgers.apply(place).due(share).forEach((row) -> due.add(remember(row, place))));
		return due;
	}

	@Override
	public List<Twin> twins(EffectFacts facts) {
		return this.databases.all()
			.stream()
			.flatMap((place) -> this.ledgers.apply(place).twins(facts).stream())
			.toList();
	}

	@Override
	public Standing standing() {
		Map<EffectState, Long> open = new EnumMap<>(EffectState.class);
		Map<Attention, Long> attention = new EnumMap<>(Attention.class);
		List<Duration> ages = new ArrayList<>();
		for (LedgerConnections place : this.databases.all()) {
			Standing standing = this.ledgers.apply(place).standing();
			standing.open().forEach((state, rows) -> open.merge(state, rows, Long::sum));
			standing.attention().forEach((reason, rows) -> attention.merge(reason, rows, Long::sum));
			if (standing.oldestUnknown() != null) {
				ages.add(standing.oldestUnknown());
			}
		}
		return new Standing(open, attention, ages.stream().max(Comparator.naturalOrder()).orElse(null));
	}

}
