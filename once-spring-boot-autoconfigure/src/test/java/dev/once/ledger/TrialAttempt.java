package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.once.ChangedFact;
import dev.once.Effect;
import dev.once.OnceScope;
import dev.once.lease.Deadline;
import dev.once.lease.TimeSource;
import dev.once.ledger.EffectRules.Earlier;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of the protocol's own, without a ledger: what its score and a failure lead
 * to.
 */
public final class TrialAttempt {

	private final HandClock clock = new HandClock();

	private final FarSideContract contract;

	private final LiveAttempt<String> attempt;

	private TrialAttempt(FarSideContract contract, SecondRequest secondRequest) {
		this.contract = contract;
		EffectFacts facts = new EffectFacts("0123456789abcdef0123456789abcdef", 1, "charge", "inv-17", null, "d", null,
				"charge/inv-17");
		EffectCall<String> call = new EffectCall<>(facts, contract, null, null, new NoAnswer(), ChangedFact.PROCEED,
				false, CallListener.NOBODY);
		this.attempt = new LiveAttempt<>(call, "a-1", 1, 0, Earlier.SETTLED, secondRequest, this.clock,
				Deadline.startingNow(this.clock, contract.window()),
				Deadline.startingNow(this.clock, contract.maxWindow()));
	}

	public static TrialAttempt atAnyHost() {
		return new TrialAttempt(contract(Set.of()), SecondRequest.FAIL);
	}

	public static TrialAttempt at(String host) {
		return new TrialAttempt(contract(Set.of(host)), SecondRequest.FAIL);
	}

	private static FarSideContract contract(Set<String> hosts) {
		return new FarSideContract("payments", hosts, Duration.ofSeconds(30), Duration.ofMinutes(10),
				Duration.ofMinutes(1), null, null, FarSideContract.RefusalKey.SAME, Set.of(), Set.of(), 4,
				Duration.ofSeconds(60));
	}

	public Effect effect() {
		return this.attempt;
	}

	/**
	 * Makes the attempt the thread's.
	 */
	public OnceScope.Restore enter() {
		return new OnceScope(null, this.attempt, null).open();
	}

	/**
	 * How many writing requests have an open fate.
	 */
	public int open() {
		EffectRules.Attempted attempted = this.attempt.attempted();
		return attempted.openBeforeLast() + (attempted.lastOpen() ? 1 : 0);
	}

	public boolean missedDeadline() {
		return this.attempt.missedDeadline();
	}

	public void windowEnds() {
		this.clock.nanos += Duration.ofHours(1).toNanos();
	}

	/**
	 * What becomes of the row when the body throws.
	 */
	public Verdict whenThrown(Throwable failure, List<FailureClassifier> classifiers) {
		Failure proven = new Failures(classifiers).classify(failure, this.contract);
		Move move = EffectRules.onBodyEnd(this.attempt.attempted(),
				this.attempt.failed(proven, Failures.describe(failure)), this.contract);
		if (move instanceof Move.Release) {
			return new Verdict(Kind.NOT_SENT, null);
		}
		if (move instanceof Move.Refuse refuse) {
			return (refuse.attention() != null) ? new Verdict(Kind.REFUSED_FOR_GOOD, null)
					: new Verdict(Kind.REFUSED, refuse.nextAttemptIn());
		}
		return new Verdict(Kind.UNKNOWN, null);
	}

	/**
	 * What becomes of a row.
	 */
	public enum Kind {

		NOT_SENT, REFUSED, REFUSED_FOR_GOOD, UNKNOWN

	}

	/**
	 * What becomes of a row, and how long the next attempt waits.
	 */
	public record Verdict(Kind kind, @Nullable Duration nextAttemptIn) {

	}

	private static final class HandClock implements TimeSource {

		private volatile long nanos;

		@Override
		public long nanoTime() {
			return this.nanos;
		}

		@Override
		public Instant now() {
			return Instant.EPOCH.plusNanos(this.nanos);
		}

		@Override
		public void pause(Duration duration) {
			this.nanos += duration.toNanos();
		}

	}

	private static final class NoAnswer implements AnswerFormat<String> {

		@Override
		public Answer write(String answer) {
			return Answer.notKept();
		}

		@Override
		public String read(Answer answer) {
			throw new UnsupportedOperationException();
		}

	}

}
