package dev.once.aop;

import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.Effect;
import dev.once.Resolution;
import dev.once.ledger.FarSideDouble;
import org.jspecify.annotations.Nullable;

/**
 * A payment provider: what it was sent, and what it throws instead of an answer.
 */
class Payments {

	private final List<String> charges = new CopyOnWriteArrayList<>();

	private @Nullable Throwable failure;

	private Resolution<Receipt> resolution = Resolution.cannotTell();

	/**
	 * Takes a charge in.
	 */
	Receipt charge(String invoice, BigDecimal amount) throws Throwable {
		Effect.current().sending(FarSideDouble.REQUEST);
		this.charges.add(invoice);
		if (this.failure != null) {
			throw this.failure;
		}
		return new Receipt("receipt-" + this.charges.size(), amount);
	}

	/**
	 * Takes a charge in, where only exceptions are let through.
	 */
	Receipt take(String invoice, BigDecimal amount) throws Exception {
		try {
			return charge(invoice, amount);
		}
		catch (Error | Exception ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	void failIfAsked() {
		if (this.failure instanceof RuntimeException ex) {
			throw ex;
		}
	}

	/**
	 * What it says when it is asked about a charge.
	 */
	void finds(Resolution<Receipt> resolution) {
		this.resolution = resolution;
	}

	Resolution<Receipt> find() {
		return this.resolution;
	}

	/**
	 * What is thrown after the charge was taken in.
	 */
	void failWith(@Nullable Throwable failure) {
		this.failure = failure;
	}

	List<String> charges() {
		return List.copyOf(this.charges);
	}

	int count() {
		return this.charges.size();
	}

	record Receipt(String number, BigDecimal amount) {

	}

}
