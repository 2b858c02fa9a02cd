package dev.once.ledger;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.lease.StoreException;

/**
 * A ledger whose moves fail on demand, before or after they are committed, and which
 * tells what it was asked.
 */
public final class UnreliableLedger implements EffectLedger {

	private final EffectLedger ledger;

	private final List<Move> moves = new CopyOnWriteArrayList<>();

	private final Map<Class<? extends Move>, Deque<Fault>> faults = new HashMap<>();

	private final Map<Class<? extends Move>, Deque<Runnable>> befores = new HashMap<>();

	private final Map<Class<? extends Move>, Deque<Runnable>> afters = new HashMap<>();

	private int failingReadBacks;

	private volatile boolean down;

	public UnreliableLedger(EffectLedger ledger) {
		this.ledger = ledger;
	}

	/**
	 * Lets the next moves of a kind fail, one fault for each.
	 * @param kind the kind of move
	 * @param next the faults, in order
	 */
	public synchronized void fail(Class<? extends Move> kind, Fault... next) {
		queue(this.faults, kind).addAll(List.of(next));
	}

	/**
	 * Lets the next read-backs fail.
	 * @param times how many
	 */
	public synchronized void failReadBacks(int times) {
		this.failingReadBacks = times;
	}

	/**
	 * Does something right before the next move of a kind, as another process would.
	 * @param kind the kind of move
	 * @param event what happens
	 */
	public synchronized void before(Class<? extends Move> kind, Runnable event) {
		queue(this.befores, kind).add(event);
	}

	/**
	 * Does something right after the next move of a kind, before it is answered.
	 * @param kind the kind of move
	 * @param event what happens
	 */
	public synchronized void after(Class<? extends Move> kind, Runnable event) {
		queue(this.afters, kind).add(event);
	}

	/**
	 * Lets everything fail from now on.
	 */
	public void goDown() {
		this.down = true;
	}

	/**
	 * Lets everything succeed again.
	 */
	public void comeBack() {
		this.down = false;
	}

	/**
	 * Every move that was asked for, in order.
	 */
	public List<Move> moves() {
		return List.copyOf(this.moves);
	}

	/**
	 * The moves of one kind that were asked for, in order.
	 * @param <M> the kind
	 * @param kind the kind
	 */
	public <M extends Move> List<M> moves(Class<M> kind) {
		return this.moves.stream().filter(kind::isInstance).map(kind::cast).toList();
	}

	/**
	 * Forgets what was asked so far.
	 */
	public void forgetMoves() {
		this.moves.clear();
	}

	@Override
	public List<Moved> apply(List<? extends Move> moves) {
		List<Moved> answers = new ArrayList<>();
		moves.forEach((move) -> answers.add(apply(move)));
		return answers;
	}

	@Override
	public Moved apply(Move move) {
		this.moves.add(move);
		run(this.befores, move);
		refuseWhenDown();
		Fault fault = nextFault(move);
		if (fault == Fault.CLOSED) {
			throw new StoreException.Closed("closed", new IllegalStateException("closed"));
		}
		if (fault == Fault.NOT_COMMITTED) {
			throw failure();
		}
		if (fault == Fault.UNREACHED) {
			throw new StoreException.Unreached("no connection", new IllegalStateException("pool busy"));
		}
		if (fault == Fault.UNSTORABLE) {
			throw new StoreException.Unstorable("The database refuses a value", new IllegalStateException("22001"));
		}
		if (fault == Fault.SKIPPED) {
			return new Moved.Met(this.ledger.find(move.key(), move.revision()).orElseThrow());
		}
		Moved moved = this.ledger.apply(move);
		run(this.afters, move);
		if (fault == Fault.COMMITTED) {
			throw failure();
		}
		return moved;
	}

	@Override
	public List<Moved> extend(List<Move.Extend> extensions) {
		return apply(extensions);
	}

	@Override
	public Optional<EffectRow> readBack(String key, int revision) {
		refuseWhenDown();
		synchronized (this) {
			if (this.failingReadBacks > 0) {
				this.failingReadBacks--;
				throw failure();
			}
		}
		return this.ledger.readBack(key, revision);
	}

	@Override
	public Optional<EffectRow> find(String key, int revision) {
		return this.ledger.find(key, revision);
	}

	@Override
	public List<EffectRow> due(int limit) {
		refuseWhenDown();
		return this.ledger.due(limit);
	}

	@Override
	public List<Twin> twins(EffectFacts facts) {
		return this.ledger.twins(facts);
	}

	@Override
	public Standing standing() {
		return this.ledger.standing();
	}

	private void refuseWhenDown() {
		if (this.down) {
			throw failure();
		}
	}

	private synchronized Fault nextFault(Move move) {
		return queue(this.faults, move.getClass()).poll();
	}

	private void run(Map<Class<? extends Move>, Deque<Runnable>> events, Move move) {
		Runnable event;
		synchronized (this) {
			event = queue(events, move.getClass()).poll();
		}
		if (event != null) {
			event.run();
		}
	}

	private static <V> Deque<V> queue(Map<Class<? extends Move>, Deque<V>> queues, Class<? extends Move> kind) {
		return queues.computeIfAbsent(kind, (key) -> new ArrayDeque<>());
	}

	private static StoreException failure() {
		return new StoreException("connection lost", new IllegalStateException("connection lost"));
	}

	/**
	 * How a move fails.
	 */
	public enum Fault {

		/**
		 * It is not committed, and nobody is told so.
		 */
		NOT_COMMITTED,

		/**
		 * It is committed, and nobody is told so.
		 */
		COMMITTED,

		/**
		 * Another transaction has the row locked, and the move skips it.
		 */
		SKIPPED,

		/**
		 * The database refuses a value that it is given.
		 */
		UNSTORABLE,

		/**
		 * There is no connection to be had, so that nothing is carried out.
		 */
		UNREACHED,

		/**
		 * The connections are closed.
		 */
		CLOSED

	}

}
