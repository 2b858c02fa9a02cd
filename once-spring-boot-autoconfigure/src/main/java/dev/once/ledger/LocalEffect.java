package dev.once.ledger;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;

import dev.once.Effect;
import dev.once.SecondRequestException;
import dev.once.lease.Run;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A local effect while its body runs. It has no window and sends no request: a rollback
 * would take the row away and leave what was sent.
 */
final class LocalEffect implements Effect {

	private static final Log logger = LogFactory.getLog(LocalEffect.class);

	private final EffectFacts facts;

	private final @Nullable Run run;

	private final int attempt;

	private final SecondRequest request;

	LocalEffect(EffectCall<?> call, int attempt, SecondRequest request) {
		this.facts = call.facts();
		this.run = call.run();
		this.attempt = attempt;
		this.request = request;
	}

	@Override
	public String action() {
		return this.facts.action();
	}

	@Override
	public String label() {
		return this.facts.label();
	}

	@Override
	public String idempotencyKey() {
		return this.facts.key();
	}

	@Override
	public int revision() {
		return this.facts.revision();
	}

	@Override
	public int attempt() {
		return this.attempt;
	}

	@Override
	public OptionalLong fencingToken() {
		return (this.run != null) ? OptionalLong.of(this.run.hold().token()) : OptionalLong.empty();
	}

	@Override
	public String mailMessageId() {
		return "<" + this.facts.key() + "." + this.facts.revision() + "@once.invalid>";
	}

	@Override
	public Duration timeLeft() {
		return ChronoUnit.FOREVER.getDuration();
	}

	@Override
	public boolean covers(@Nullable String host) {
		return true;
	}

	@Override
	public Sending sending(String request) {
		String message = "Effect '" + label() + "' was about to send a writing request"
				+ (request.isEmpty() ? "" : " (" + request + ")")
				+ " inside its database transaction, whose rollback cannot undo it. Give the request an @OnceEffect "
				+ "method of its own and call that after the commit, or set once.http.second-request=warn";
		if (this.request == SecondRequest.FAIL) {
			throw new SecondRequestException(message);
		}
		logger.warn(message);
		return () -> {
		};
	}

}
