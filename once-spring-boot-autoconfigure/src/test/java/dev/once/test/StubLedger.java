package dev.once.test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;

/**
 * A ledger that only tells what it holds, as a test says.
 */
public final class StubLedger implements EffectLedger {

	private final AtomicInteger reads = new AtomicInteger();

	private volatile Supplier<Standing> standing = () -> new Standing(Map.of(), Map.of(), null);

	/**
	 * Lets it hold rows.
	 * @param open rows by state
	 * @param attention rows by attention
	 * @param oldestUnknown age of the oldest unknown one, or null
	 */
	public void holds(Map<EffectState, Long> open, Map<Attention, Long> attention, Duration oldestUnknown) {
		answers(() -> new Standing(open, attention, oldestUnknown));
	}

	/**
	 * Lets it answer.
	 * @param standing gives each answer, or throws
	 */
	public void answers(Supplier<Standing> standing) {
		this.standing = standing;
	}

	/**
	 * How often it was asked what it holds.
	 * @return a number that only rises
	 */
	public int reads() {
		return this.reads.get();
	}

	@Override
	public List<Twin> twins(EffectFacts facts) {
		return List.of();
	}

	@Override
	public Standing standing() {
		this.reads.incrementAndGet();
		return this.standing.get();
	}

	@Override
	public List<Moved> apply(List<? extends Move> moves) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<Moved> extend(List<Move.Extend> extensions) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<EffectRow> readBack(String key, int revision) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<EffectRow> find(String key, int revision) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<EffectRow> due(int limit) {
		throw new UnsupportedOperationException();
	}

}
