package dev.once.caretaker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import dev.once.lease.StoreException;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectProtocol;
import dev.once.ledger.EffectRow;
import dev.once.ledger.Resolvable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Looks after the ledger's open rows: a row past its window is marked unknown, and the
 * far side is asked about every unknown one that is due (E7). Several nodes may do it at
 * once: each asking is claimed in the row.
 */
public final class Caretaker implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Caretaker.class);

	private static final int BATCH = 100;

	/**
	 * Rows asked about at the same time, so that one slow far side does not hold up all.
	 */
	private static final int HANDS = 4;

	private final EffectLedger ledger;

	private final EffectProtocol protocol;

	private final Function<String, @Nullable Resolvable<?>> resolvables;

	private final Resolvable<?> undeclared;

	private final Rounds rounds;

	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	private final ExecutorService hands = Executors.newFixedThreadPool(HANDS,
			(work) -> Rounds.daemon(work, "once-asking"));

	private volatile @Nullable StoreException unwritable;

	/**
	 * Creates the caretaker; it works from {@link #start()} on.
	 * @param ledger the ledger
	 * @param protocol asks and records
	 * @param resolvables what it takes to resolve an action's effects, {@code null} for
	 * an action that this application does not declare
	 * @param undeclared how effects of such an action are treated
	 * @param interval the time between two rounds
	 */
	public Caretaker(EffectLedger ledger, EffectProtocol protocol,
			Function<String, @Nullable Resolvable<?>> resolvables, Resolvable<?> undeclared, Duration interval) {
		this.ledger = ledger;
		this.protocol = protocol;
		this.resolvables = resolvables;
		this.undeclared = undeclared;
		this.rounds = new Rounds("once-caretaker", "Looking after open effects", interval, this::roundOrFail);
	}

	/**
	 * Starts its thread.
	 */
	public void start() {
		this.rounds.start();
	}

	/**
	 * Makes it look now instead of at its next round.
	 */
	public void look() {
		this.rounds.look();
	}

	/**
	 * One round.
	 * @return how many of the rows that were due have been looked after
	 * @throws dev.once.lease.StoreException when the ledger cannot be read
	 */
	public int round() {
		List<EffectRow> due = this.ledger.due(BATCH);
		List<Future<Boolean>> askings = new ArrayList<>();
		for (EffectRow row : due) {
			askings.add(this.hands.submit(() -> resolve(row)));
		}
		int lookedAfter = 0;
		for (Future<Boolean> asking : askings) {
			lookedAfter += await(asking) ? 1 : 0;
		}
		return lookedAfter;
	}

	// A ledger that can be read and not written must not be asked in a circle
	private Rounds.After roundOrFail() {
		this.unwritable = null;
		int lookedAfter = round();
		StoreException unwritable = this.unwritable;
		if (unwritable != null) {
			throw unwritable;
		}
		return (lookedAfter < BATCH) ? Rounds.After.A_PAUSE : Rounds.After.NOTHING;
	}

	private boolean resolve(EffectRow row) {
		try {
			String action = row.facts().action();
			Resolvable<?> resolvable = this.resolvables.apply(action);
			if (resolvable == null) {
				if (this.reported.add(action)) {
					logger.warn("Effects of action '" + action
							+ "' are open, but no @OnceEffect or @OnceResolver of this "
							+ "application declares it: they end up with a person unless another application resolves them");
				}
				resolvable = this.undeclared;
			}
			this.protocol.resolve(row, resolvable);
			return true;
		}
		catch (StoreException ex) {
			// Not for each row: it is the ledger's trouble and not the row's
			logger.debug("Effect '" + row.facts().label() + "' could not be looked after", ex);
			this.unwritable = ex;
			return false;
		}
		catch (Throwable ex) {
			logger.warn("Asking about effect '" + row.facts().label() + "' failed and is tried again", ex);
			return false;
		}
	}

	private boolean await(Future<Boolean> asking) {
		try {
			return asking.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.rounds.close();
		this.hands.shutdownNow();
	}

}
