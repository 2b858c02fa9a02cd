package dev.once.ledger;

import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import dev.once.ChangedFact;
import dev.once.EffectNotSentException;
import dev.once.OnceScope;
import dev.once.Outcome;
import dev.once.lease.Run;
import dev.once.lease.StoreException;
import dev.once.ledger.EffectRules.Step;
import dev.once.ledger.LocalTransaction.Current;
import dev.once.ledger.LocalTransaction.End;
import dev.once.ledger.LocalTransaction.NotCommittedException;
import org.jspecify.annotations.Nullable;

/**
 * T1: carries out effects that are writes to the ledger's own database. The row is
 * inserted first, so that a second copy waits on its key; then comes the work, then its
 * answer, and last, right before the commit, the fence under its lock. A row is
 * {@code submitted} until the work has returned, and nobody sees that: what throws,
 * returns no answer or is fenced takes row and work with it.
 */
final class LocalEffects {

	/** How often one call goes round when others keep moving its row. */
	private static final int ROUNDS = 6;

	private final EffectLedger ledger;

	private final SecondRequest request;

	private final EffectListener listener;

	private final CallEndings endings;

	private final EffectProtocol.Hooks hooks;

	private final Supplier<String> ids;

	LocalEffects(EffectLedger ledger, SecondRequest request, EffectListener listener, CallEndings endings,
			EffectProtocol.Hooks hooks, Supplier<String> ids) {
		this.ledger = ledger;
		this.request = request;
		this.listener = listener;
		this.endings = endings;
		this.hooks = hooks;
		this.ids = ids;
	}

	<T extends @Nullable Object> Outcome<T> perform(EffectCall<T> call, LocalBoundary boundary,
			EffectProtocol.Body<T> body) {
		Attempt<T> attempt = new Attempt<>(call, boundary.ledger(), this.ids.get());
		Outcome<T> outcome;
		try {
			outcome = boundary.transaction().run((transaction) -> perform(attempt, transaction, body));
		}
		catch (NotCommittedException ex) {
			outcome = notCommitted(attempt, ex.failure());
		}
		catch (Throwable failure) {
			attempt.ended(End.ROLLED_BACK);
			if (attempt.fenced) {
				throw Objects.requireNonNull(call.run()).fenced();
			}
			return rolledBack(call, failure);
		}
		if (attempt.unreadable != null) {
			throw attempt.unreadable;
		}
		return outcome;
	}

	private <T extends @Nullable Object> Outcome<T> perform(Attempt<T> attempt, Current transaction,
			EffectProtocol.Body<T> body) throws Throwable {
		EffectCall<T> call = attempt.call;
		Moved moved = attempt.ledger.apply(first(attempt));
		for (int round = 1; round <= ROUNDS; round++) {
			if (moved instanceof Moved.Submitted submitted) {
				return work(attempt, submitted.fact(), 1, transaction, body);
			}
			if (moved instanceof Moved.Applied applied) {
				return work(attempt, Moved.Fact.NEW, applied.row().attempt().number(), transaction, body);
			}
			if (moved instanceof Moved.Blocked blocked) {
				return attempt.met(this.endings.blocked(call, blocked.other()));
			}
			if (moved instanceof Moved.Met met) {
				Step step = EffectRules.onMeetingLocally(met.row());
				if (!(step instanceof Step.Again again)) {
					return met(attempt, step);
				}
				moved = attempt.ledger.apply(again(attempt, again.row()));
			}
			else {
				moved = attempt.ledger.apply(first(attempt));
			}
		}
		return attempt
			.met(this.endings.ended(call, Ending.IN_PROGRESS, new Outcome.InProgress<>(call.facts().label(), null)));
	}

	private static Move first(Attempt<?> attempt) {
		EffectCall<?> call = attempt.call;
		return new Move.Submit(call.facts(), attempt.id, call.fence(), call.contract().window(),
				call.contract().settleAfter(),
				(call.changedFact() == ChangedFact.WAIT) ? Move.Waiting.FOR_OPEN_FACTS : Move.Waiting.FOR_NOTHING);
	}

	// E6: what an external release left free is attempted, and never overwritten
	// otherwise
	private static Move again(Attempt<?> attempt, EffectRow row) {
		EffectCall<?> call = attempt.call;
		return new Move.Resubmit(row.facts().key(), row.facts().revision(), row.state(), row.attempt().id(), attempt.id,
				call.fence(), call.contract().window(), call.contract().settleAfter(), null);
	}

	private <T extends @Nullable Object> Outcome<T> met(Attempt<T> attempt, Step step) {
		try {
			return attempt.met(this.endings.met(attempt.call, step));
		}
		catch (RuntimeException ex) {
			// An answer that cannot be read is no reason to roll the caller back
			attempt.unreadable = ex;
			return attempt.met(new Outcome.InProgress<>(attempt.call.facts().label(), null));
		}
	}

	private <T extends @Nullable Object> Outcome<T> work(Attempt<T> attempt, Moved.Fact fact, int number,
			Current transaction, EffectProtocol.Body<T> body) throws Throwable {
		EffectCall<T> call = attempt.call;
		LocalEffect effect = new LocalEffect(call, number, this.request);
		Outcome<T> returned;
		try (OnceScope.Restore scope = OnceScope.current().with(effect).open()) {
			returned = body.perform(effect);
		}
		String label = call.facts().label();
		if (!(returned instanceof Outcome.Done<T> done)) {
			transaction.rollBack();
			attempt.ended(End.ROLLED_BACK);
			return (returned != null) ? returned : new Outcome.NotSent<>(label, null);
		}
		if (transaction.isRollbackOnly()) {
			transaction.rollBack();
			attempt.ended(End.ROLLED_BACK);
			return new Outcome.NotSent<>(label, new EffectNotSentException(
					"Effect '" + label + "' was not done: its transaction was marked to be " + "rolled back"));
		}
		Moved settled = attempt.ledger.apply(new Move.Settle(call.facts().key(), call.facts().revision(), attempt.id,
				EffectProtocol.written(call.answers(), done.answer())));
		if (!(settled instanceof Moved.Applied)) {
			throw new IllegalStateException("The row of effect '" + label + "' is gone from its own transaction: "
					+ "its method must not commit, roll back or change Once's tables");
		}
		attempt.fact = fact;
		attempt.answer = new Outcome.Done<>(done.answer(), false, call.facts().revision());
		transaction.add(attempt);
		return attempt.answer;
	}

	private <T extends @Nullable Object> Outcome<T> rolledBack(EffectCall<T> call, Throwable failure) {
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure instanceof InterruptedException) {
			Thread.currentThread().interrupt();
		}
		return new Outcome.NotSent<>(call.facts().label(), failure);
	}

	/**
	 * E2: the row tells whether a commit that failed took effect, read on a connection of
	 * the ledger's own.
	 */
	private <T extends @Nullable Object> Outcome<T> notCommitted(Attempt<T> attempt, Throwable failure) {
		if (attempt.met != null) {
			return attempt.met;
		}
		EffectFacts facts = attempt.call.facts();
		try {
			EffectRow row = this.ledger.readBack(facts.key(), facts.revision()).orElse(null);
			boolean mine = row != null && row.isAttempt(attempt.id) && row.state() == EffectState.DONE;
			attempt.ended(mine ? End.COMMITTED : End.ROLLED_BACK);
			return mine ? Objects.requireNonNull(attempt.answer) : rolledBack(attempt.call, failure);
		}
		catch (StoreException ex) {
			failure.addSuppressed(ex);
			attempt.ended(End.UNKNOWN);
			return new Outcome.Unresolved<>(facts.label(), null, failure, false);
		}
	}

	/**
	 * One try, and its part in the transaction. What became of the call is told once.
	 */
	private final class Attempt<T extends @Nullable Object> implements LocalTransaction.Part {

		private final EffectCall<T> call;

		private final LocalLedger ledger;

		private final String id;

		private Moved.Fact fact = Moved.Fact.NEW;

		private Outcome.@Nullable Done<T> answer;

		private @Nullable Outcome<T> met;

		private @Nullable RuntimeException unreadable;

		private boolean fenced;

		private boolean told;

		private Attempt(EffectCall<T> call, LocalLedger ledger, String id) {
			this.call = call;
			this.ledger = ledger;
			this.id = id;
		}

		/** It did nothing new, and that has been told. */
		private Outcome<T> met(Outcome<T> outcome) {
			this.told = true;
			this.met = outcome;
			return outcome;
		}

		// I3: the lock keeps the token the job's until the commit
		@Override
		public void beforeCommit(Set<Fence> checked) {
			Fence fence = this.call.fence();
			if (fence == null || checked.contains(fence)) {
				return;
			}
			if (this.ledger.fencing(fence) == LocalLedger.Fencing.FENCED) {
				Run run = Objects.requireNonNull(this.call.run());
				this.fenced = true;
				LocalEffects.this.hooks.fenced(run);
				throw run.fenced();
			}
			checked.add(fence);
		}

		// I8: nothing is counted that is not committed
		@Override
		public void ended(End end) {
			if (this.told) {
				return;
			}
			this.told = true;
			if (end == End.COMMITTED && this.fact == Moved.Fact.CHANGED) {
				LocalEffects.this.listener.changed(this.call.facts());
			}
			LocalEffects.this.endings.tell(this.call, switch (end) {
				case COMMITTED -> Ending.PERFORMED;
				case ROLLED_BACK -> this.fenced ? Ending.FENCED : Ending.NOT_SENT;
				case UNKNOWN -> Ending.UNKNOWN;
			}, (end == End.COMMITTED) ? null : this.call.contract().backoff());
		}

	}

}
