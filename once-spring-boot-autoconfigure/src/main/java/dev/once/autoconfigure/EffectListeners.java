package dev.once.autoconfigure;

import java.util.List;
import java.util.function.Consumer;

import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener;
import dev.once.ledger.EffectRow;
import dev.once.ledger.Ending;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Tells several listeners. One that throws is left behind: the effect's own course does
 * not depend on who listens.
 */
record EffectListeners(List<EffectListener> listeners) implements EffectListener {

	private static final Log logger = LogFactory.getLog(EffectListeners.class);

	@Override
	public void ended(EffectFacts facts, Ending ending) {
		tell((listener) -> listener.ended(facts, ending));
	}

	@Override
	public void repeated(EffectRow row, Ending ending, Caller caller) {
		tell((listener) -> listener.repeated(row, ending, caller));
	}

	@Override
	public void changed(EffectFacts facts) {
		tell((listener) -> listener.changed(facts));
	}

	@Override
	public void resolved(EffectRow row, Resolved how) {
		tell((listener) -> listener.resolved(row, how));
	}

	@Override
	public void contradiction(EffectFacts facts, @Nullable EffectRow row) {
		tell((listener) -> listener.contradiction(facts, row));
	}

	private void tell(Consumer<EffectListener> news) {
		for (EffectListener listener : this.listeners) {
			try {
				news.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.warn("A listener failed and is passed over: " + listener.getClass().getName(), ex);
			}
		}
	}

}
