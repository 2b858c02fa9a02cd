package dev.once.ledger;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.Effect;
import dev.once.Outcome;
import dev.once.ledger.EffectProtocol.Body;

/**
 * A far side within the process: it accepts every request that reaches it, and knows
 * under which keys.
 */
public final class FarSideDouble {

	/** The one writing request that its bodies send. */
	public static final String REQUEST = "POST https://payments.example/charges";

	private final List<String> keys = new CopyOnWriteArrayList<>();

	/**
	 * A body: sends the request and returns the receipt.
	 * @param effect the current effect
	 */
	public Outcome<String> charge(Effect effect) {
		return Outcome.done(accept(effect));
	}

	/**
	 * A body whose request is accepted, and which throws all the same.
	 * @param failure what it throws
	 */
	public Body<String> acceptsThen(Throwable failure) {
		return (effect) -> {
			accept(effect);
			throw failure;
		};
	}

	/**
	 * A body whose request is on its way out and does not arrive.
	 * @param failure what it throws
	 */
	public Body<String> unreachable(Throwable failure) {
		return (effect) -> {
			effect.sending(REQUEST);
			throw failure;
		};
	}

	/**
	 * A body that throws before it sends anything.
	 * @param failure what it throws
	 */
	public static Body<String> throwing(Throwable failure) {
		return (effect) -> {
			throw failure;
		};
	}

	/**
	 * Takes the effect's request in.
	 * @param effect the current effect
	 * @return the receipt
	 */
	public String accept(Effect effect) {
		effect.sending(REQUEST);
		this.keys.add(effect.idempotencyKey());
		return "receipt-" + this.keys.size();
	}

	/**
	 * The key of each request that it accepted, in order.
	 */
	public List<String> keys() {
		return List.copyOf(this.keys);
	}

	/**
	 * How many requests it accepted.
	 */
	public int requests() {
		return this.keys.size();
	}

}
