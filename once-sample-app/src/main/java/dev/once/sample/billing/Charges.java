package dev.once.sample.billing;

import java.math.BigDecimal;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.Outcome;

import org.springframework.stereotype.Service;

/**
 * Charges customers at the payment provider.
 */
@Service
@FarSide(name = "payments")
class Charges {

	private final PaymentsClient payments;

	Charges(PaymentsClient payments) {
		this.payments = payments;
	}

	/**
	 * Charges an invoice once, however often it is called.
	 * @param traceId differs with every call and is no part of the fact
	 */
	@OnceEffect(action = "charge")
	Outcome<Receipt> charge(@EffectTarget String invoice, @EffectInput String customer, @EffectInput BigDecimal amount,
			String traceId) {
		return Outcome.done(this.payments.charge(customer, invoice, amount));
	}

}
