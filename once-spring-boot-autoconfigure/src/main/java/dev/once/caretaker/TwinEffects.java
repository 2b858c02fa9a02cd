package dev.once.caretaker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectLedger.Twin;
import dev.once.ledger.EffectListener;
import dev.once.ledger.Ending;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Looks whether what was done was also done under another action's name: two names for
 * one fact are two effects. It is told of once for each pair of names.
 */
public final class TwinEffects implements EffectListener, AutoCloseable {

	private static final Log logger = LogFactory.getLog(TwinEffects.class);

	/** What comes faster is not looked at: a pair shows itself again. */
	private static final int MOST = 100;

	private static final String NO_INPUTS = "{}";

	private final EffectLedger ledger;

	private final Map<String, Set<String>> distinct;

	private final Rounds rounds;

	private final BlockingQueue<EffectFacts> performed = new ArrayBlockingQueue<>(MOST);

	private final Set<Set<String>> told = new HashSet<>();

	/**
	 * Creates it; it works from {@link #start()} on.
	 * @param ledger the ledger
	 * @param distinct for each action those of which somebody said that they are others
	 * @param interval the time between two looks
	 */
	public TwinEffects(EffectLedger ledger, Map<String, Set<String>> distinct, Duration interval) {
		this.ledger = ledger;
		this.distinct = Map.copyOf(distinct);
		this.rounds = new Rounds("once-twins", "Looking for effects under two names", interval, () -> {
			round();
			return Rounds.After.A_PAUSE;
		});
	}

	/**
	 * Starts its thread.
	 */
	public void start() {
		this.rounds.start();
	}

	// Without inputs, actions on one target are nothing special
	@Override
	public void ended(EffectFacts facts, Ending ending) {
		if (ending == Ending.PERFORMED && !NO_INPUTS.equals(facts.inputs())) {
			this.performed.offer(facts);
		}
	}

	/**
	 * One look.
	 * @throws dev.once.lease.StoreException when the ledger cannot be read
	 */
	void round() {
		List<EffectFacts> performed = new ArrayList<>();
		this.performed.drainTo(performed);
		for (EffectFacts facts : performed) {
			this.ledger.twins(facts).forEach((twin) -> tell(facts, twin));
		}
	}

	private void tell(EffectFacts facts, Twin twin) {
		if (isDistinct(facts.action(), twin.action()) || isDistinct(twin.action(), facts.action())
				|| !this.told.add(Set.of(facts.action(), twin.action()))) {
			return;
		}
		logger.warn("Effect '" + facts.label() + "' has the same target and the same inputs as '" + twin.label()
				+ "' of action '" + twin.action() + "', which this or another application carried out on this ledger. "
				+ "If action '" + facts.action() + "' and '" + twin.action()
				+ "' are one, what is done under both names "
				+ "is done twice: give them one name. If they are two, set once.effects." + facts.action()
				+ ".distinct-from=" + twin.action());
	}

	private boolean isDistinct(String action, String other) {
		return this.distinct.getOrDefault(action, Set.of()).contains(other);
	}

	@Override
	public void close() {
		this.rounds.close();
	}

}
