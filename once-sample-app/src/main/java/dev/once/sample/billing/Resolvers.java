package dev.once.sample.billing;

import java.util.Optional;

import dev.once.OnceResolver;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Asks the providers what became of an effect whose answer was lost. They stand apart
 * from the effects only so that {@code sample.resolver=false} can show life without them.
 */
@Component
@ConditionalOnBooleanProperty(name = "sample.resolver", matchIfMissing = true)
class Resolvers {

	private final PaymentsClient payments;

	private final MailClient mails;

	private final FiguresClient board;

	Resolvers(PaymentsClient payments, MailClient mails, FiguresClient board) {
		this.payments = payments;
		this.mails = mails;
		this.board = board;
	}

	@OnceResolver("charge")
	Resolution<Receipt> findPayment(UnresolvedEffect effect) {
		return said(this.payments.findByKey(effect.idempotencyKey()));
	}

	@OnceResolver("mail-receipt")
	Resolution<Receipt> findMail(UnresolvedEffect effect) {
		return said(this.mails.findByKey(effect.idempotencyKey()));
	}

	@OnceResolver("post-figure")
	Resolution<Receipt> findFigure(UnresolvedEffect effect) {
		return said(this.board.findByKey(effect.idempotencyKey()));
	}

	private static Resolution<Receipt> said(Optional<Receipt> found) {
		return found.map(Resolution::happened).orElseGet(Resolution::didNotHappen);
	}

}
