package dev.once.ledger;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * What the protocol told its listener, in order.
 */
public final class RecordedEvents implements EffectListener {

	private final List<Ending> endings = new CopyOnWriteArrayList<>();

	private final List<EffectRow> repeated = new CopyOnWriteArrayList<>();

	private final List<EffectFacts> changed = new CopyOnWriteArrayList<>();

	private final List<Resolved> resolved = new CopyOnWriteArrayList<>();

	private final List<EffectFacts> contradictions = new CopyOnWriteArrayList<>();

	public List<Ending> endings() {
		return List.copyOf(this.endings);
	}

	public List<EffectRow> repeated() {
		return List.copyOf(this.repeated);
	}

	public List<EffectFacts> changed() {
		return List.copyOf(this.changed);
	}

	public List<Resolved> resolved() {
		return List.copyOf(this.resolved);
	}

	public List<EffectFacts> contradictions() {
		return List.copyOf(this.contradictions);
	}

	@Override
	public void ended(EffectFacts facts, Ending ending) {
		this.endings.add(ending);
	}

	@Override
	public void repeated(EffectRow row, Ending ending, Caller caller) {
		this.repeated.add(row);
	}

	@Override
	public void changed(EffectFacts facts) {
		this.changed.add(facts);
	}

	@Override
	public void resolved(EffectRow row, Resolved how) {
		this.resolved.add(how);
	}

	@Override
	public void contradiction(EffectFacts facts, @Nullable EffectRow row) {
		this.contradictions.add(facts);
	}

}
