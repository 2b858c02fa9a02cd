package dev.once.ledger;

import java.time.Duration;

import dev.once.ledger.EffectListener.Caller;
import org.jspecify.annotations.Nullable;

/**
 * Is told what became of a call for an effect. It must not throw and must not block.
 */
@FunctionalInterface
public interface CallListener {

	/**
	 * Does nothing: outside a run the caller comes back (E12).
	 */
	CallListener NOBODY = (facts, ending, again) -> {
	};

	/**
	 * A call ended.
	 * @param facts what names the effect
	 * @param ending what became of the call
	 * @param again how long until another call may come further; {@code null} where the
	 * effect is settled, or where its row, which this occurrence's run submitted, is
	 * moved first
	 */
	void ended(EffectFacts facts, Ending ending, @Nullable Duration again);

	/**
	 * Who calls.
	 */
	default Caller caller() {
		return Caller.ANYBODY;
	}

}
