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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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

	private final Duration interval;

	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	private final Semaphore wake = new Semaphore(0);

	private final ExecutorService hands = Executors.newFixedThreadPool(HANDS, (work) -> daemon(work, "once-asking"));

	private @Nullable Thread thread;

	private boolean failing;

	private volatile @Nullable StoreException unwritable;

	private volatile boolean closed;

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
		this.interval = interval;
	}

	/**
	 * Starts its thread.
	 */
	public synchronized void start() {
		if (this.thread == null && !this.closed) {
			this.thread = daemon(this::run, "once-caretaker");
			this.thread.start();
		}
	}

	/**
	 * Makes it look now instead of at its next round.
	 */
	public void look() {
		if (this.wake.availablePermits() == 0) {
			this.wake.release();
		}
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

	private void run() {
		while (!this.closed) {
			int lookedAfter = 0;
			try {
				this.unwritable = null;
				lookedAfter = round();
				StoreException unwritable = this.unwritable;
				if (unwritable != null) {
					failed(unwritable);
				}
				else {
					recovered();
				}
			}
			catch (Throwable ex) {
				failed(ex);
			}
			// A ledger that can be read and not written must not be asked in a circle
			if (lookedAfter < BATCH) {
				sleep();
			}
		}
	}

	// A database that is away is told of once, not every second
	private void failed(Throwable failure) {
		String message = "Looking after open effects failed and is tried again every " + this.interval.toMillis()
				+ " ms";
		if (this.closed || this.failing) {
			logger.debug(message, failure);
		}
		else {
			logger.warn(message, failure);
		}
		this.failing = true;
	}

	private void recovered() {
		if (this.failing) {
			logger.info("Open effects are looked after again");
		}
		this.failing = false;
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

	private void sleep() {
		try {
			if (this.wake.tryAcquire(this.interval.toMillis(), TimeUnit.MILLISECONDS)) {
				this.wake.drainPermits();
			}
		}
		catch (InterruptedException ex) {
			// Only closing ends the caretaking
		}
	}

	private static Thread daemon(Runnable work, String name) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public synchronized void close() {
		this.closed = true;
		this.hands.shutdownNow();
		if (this.thread != null) {
			this.thread.interrupt();
		}
	}

}
