package dev.once.sample.billing;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.Outcome;

import org.springframework.stereotype.Service;

/**
 * Mails receipts.
 */
@Service
@FarSide(name = "mail")
class Receipts {

	private final MailClient mails;

	Receipts(MailClient mails) {
		this.mails = mails;
	}

	@OnceEffect(action = "mail-receipt")
	Outcome<Receipt> mail(@EffectTarget String invoice, @EffectInput String to, String receipt) {
		return Outcome.done(this.mails.send(invoice, to, "Receipt for " + invoice, "Paid: " + receipt));
	}

}
