package dev.once.ledger;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.AnswerUnreadableException;
import dev.once.ChangedFact;
import dev.once.EffectResolver;
import dev.once.Outcome;
import dev.once.lease.Run;
import dev.once.ledger.EffectProtocol.AsyncBody;
import dev.once.ledger.EffectProtocol.Body;
import org.jspecify.annotations.Nullable;

/**
 * A call that charges an invoice, put together step by step.
 */
public final class TestCall {

	/** Answers are texts, stored as they are. */
	public static final AnswerFormat<String> TEXT = new AnswerFormat<>() {

		@Override
		public Answer write(String answer) {
			return new Answer(answer, "text");
		}

		@Override
		public String read(Answer answer) {
			if (answer.type().equals(Answer.NOT_KEPT)) {
				throw new AnswerUnreadableException("The answer was not kept", null);
			}
			return Objects.requireNonNull(answer.value());
		}

	};

	private final EffectProtocol protocol;

	private final String target;

	private final List<Ending> endings = new CopyOnWriteArrayList<>();

	private String amount = "10.00";

	private FarSideContract contract = Contracts.PAYMENTS;

	private @Nullable Run run;

	private @Nullable EffectResolver<String> resolver;

	private AnswerFormat<String> answers = TEXT;

	private ChangedFact changedFact = ChangedFact.WAIT;

	private boolean askFirst;

	TestCall(EffectProtocol protocol, String target) {
		this.protocol = protocol;
		this.target = target;
	}

	public TestCall amount(String amount) {
		this.amount = amount;
		return this;
	}

	public TestCall under(FarSideContract contract) {
		this.contract = contract;
		return this;
	}

	public TestCall inside(Run run) {
		this.run = run;
		return this;
	}

	public TestCall resolvedBy(EffectResolver<String> resolver) {
		this.resolver = resolver;
		return this;
	}

	public TestCall answeredIn(AnswerFormat<String> answers) {
		this.answers = answers;
		return this;
	}

	public TestCall proceedingOnAChangedFact() {
		this.changedFact = ChangedFact.PROCEED;
		return this;
	}

	public TestCall askingFirst() {
		this.askFirst = true;
		return this;
	}

	public EffectFacts facts() {
		String label = "charge/" + this.target;
		return new EffectFacts(key(), 1, "charge", this.target, null, Integer.toHexString(this.amount.hashCode()),
				"{\"amount\":" + this.amount + "}", label);
	}

	public String key() {
		return String.format("%016x%016x", (long) this.target.hashCode(), (long) this.amount.hashCode());
	}

	public EffectCall<String> call() {
		return new EffectCall<>(facts(), this.contract, this.run, this.resolver, this.answers, this.changedFact,
				this.askFirst, (facts, ending, again) -> this.endings.add(ending));
	}

	public Outcome<String> perform(Body<String> body) {
		return this.protocol.perform(call(), body);
	}

	public CompletableFuture<Outcome<String>> performAsync(AsyncBody<String> body) {
		return this.protocol.performAsync(call(), body);
	}

	/**
	 * What became of it, each time it was performed.
	 */
	public List<Ending> endings() {
		return List.copyOf(this.endings);
	}

}
