package dev.once.aop;

import java.lang.reflect.Array;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import dev.once.AnswerUnreadableException;
import dev.once.EffectUnsettledException;
import dev.once.JobOutcome;
import dev.once.OnceScope;
import dev.once.Outcome;
import dev.once.aop.ReturnForm.As;
import dev.once.aop.ReturnForm.When;
import dev.once.key.Identity;
import dev.once.lease.StoreException;
import dev.once.ledger.CallListener;
import dev.once.ledger.EffectCall;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectProtocol;
import dev.once.ledger.LocalBoundary;
import dev.once.occurrence.CurrentRun;
import dev.once.occurrence.Runs;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Carries a guarded method's call out: as a run, as an effect, or as an effect in a run
 * of its own.
 */
final class GuardInterceptor implements MethodInterceptor {

	private final GuardedMethods methods;

	private final Supplier<Collaborators> supplier;

	private final TransactionWarning transactions = new TransactionWarning();

	private volatile @Nullable Collaborators collaborators;

	GuardInterceptor(GuardedMethods methods, Supplier<Collaborators> supplier) {
		this.methods = methods;
		this.supplier = supplier;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Guard guard = this.methods.guard(invocation.getMethod(), (target != null) ? target.getClass() : null);
		if (guard.job() == null && guard.effect() == null) {
			return invocation.proceed();
		}
		// Where two proxies stand before a bean, the inner one guards it
		if (target != null && GuardAdvisor.standsBefore(target)) {
			return invocation.proceed();
		}
		Guard.Job job = guard.job();
		return (job != null) ? job(job, invocation, () -> body(guard, invocation)) : body(guard, invocation);
	}

	private @Nullable Object body(Guard guard, MethodInvocation invocation) throws Throwable {
		Guard.Effect effect = guard.effect();
		return (effect != null) ? effect(effect, invocation) : invocation.proceed();
	}

	private Collaborators collaborators() {
		Collaborators collaborators = this.collaborators;
		if (collaborators == null) {
			collaborators = this.supplier.get();
			this.collaborators = collaborators;
		}
		return collaborators;
	}

	// Jobs

	private @Nullable Object job(Guard.Job job, MethodInvocation invocation, Runs.Body body) throws Throwable {
		JobOutcome<@Nullable Object> outcome = new JobCalls(this.methods, collaborators()).call(job,
				invocation.getArguments(), body);
		Class<?> returned = invocation.getMethod().getReturnType();
		boolean nothing = returned == void.class || returned == Void.class || isTimer(job);
		// What is refused is refused loudly, whoever calls
		boolean quiet = !(outcome instanceof JobOutcome.Ran || outcome instanceof JobOutcome.Refused);
		return (nothing && quiet) ? nothing(returned) : outcome.orElseThrow();
	}

	/**
	 * Whether a timer calls, which drops what the method returns. A due time that
	 * somebody says otherwise has no zone.
	 */
	private static boolean isTimer(Guard.Job job) {
		OnceScope scope = OnceScope.current();
		return !job.schedules().isEmpty() && scope.run() == null && scope.due() != null && scope.due().zone() != null;
	}

	private static @Nullable Object nothing(Class<?> returned) {
		return (returned.isPrimitive() && returned != void.class) ? Array.get(Array.newInstance(returned, 1), 0) : null;
	}

	// Effects

	private @Nullable Object effect(Guard.Effect effect, MethodInvocation invocation) throws Throwable {
		ReturnForm form = effect.form();
		CurrentRun run = (OnceScope.current().run() instanceof CurrentRun current) ? current : null;
		LocalBoundary local = effect.local();
		if (local == null) {
			this.transactions.look(effect.parts().action(), effect.site());
		}
		if (form.when() == When.LATER) {
			return later(effect, invocation, run);
		}
		EffectCall<@Nullable Object> call = call(effect, invocation, run);
		EffectProtocol.Body<@Nullable Object> body = (attempt) -> outcome(form, invocation.proceed());
		Outcome<@Nullable Object> outcome = (local != null)
				? collaborators().effects().performLocally(call, local, body)
				: collaborators().effects().perform(call, body);
		return (form.as() == As.OUTCOME) ? outcome : answer(effect, outcome, run);
	}

	/**
	 * The caller's future is its own: cancelling it cancels neither the body nor the
	 * settle.
	 */
	private CompletableFuture<@Nullable Object> later(Guard.Effect effect, MethodInvocation invocation,
			@Nullable CurrentRun run) {
		ReturnForm form = effect.form();
		CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
		CompletableFuture<Outcome<@Nullable Object>> settled;
		try {
			settled = collaborators().effects()
				.performAsync(call(effect, invocation, run), (attempt) -> outcomes(form, invocation.proceed()));
		}
		catch (RuntimeException ex) {
			result.completeExceptionally(ex);
			return result;
		}
		settled.whenComplete((outcome, failure) -> {
			try {
				if (failure != null) {
					throw unwrap(failure);
				}
				result.complete((form.as() == As.OUTCOME) ? outcome : answer(effect, outcome, run));
			}
			catch (Throwable ex) {
				result.completeExceptionally(ex);
			}
		});
		return result;
	}

	private EffectCall<@Nullable Object> call(Guard.Effect effect, MethodInvocation invocation,
			@Nullable CurrentRun run) {
		KeyParts parts = effect.parts();
		String grain = this.methods.times().grain(parts.grain(), parts.action(), collaborators().time());
		Identity identity = parts.identity(collaborators().keys(), invocation.getArguments(), grain);
		return call(identity, effect.action(), run, this.methods.maxValue());
	}

	static EffectCall<@Nullable Object> call(Identity identity, GuardedAction action, @Nullable CurrentRun run,
			int maxValue) {
		EffectFacts facts = new EffectFacts(identity.key(), 1, identity.action(), identity.target(), identity.grain(),
				identity.inputDigest(), identity.inputs(maxValue), identity.label());
		return new EffectCall<>(facts, action.contract(), (run != null) ? run.run() : null, action.resolver(),
				action.answers(), action.terms().changedFact(), action.terms().askFirst(),
				(run != null) ? run.meeting(facts) : CallListener.NOBODY);
	}

	@SuppressWarnings("NullAway") // The type's argument says that there may be none
	static Outcome<@Nullable Object> done(@Nullable Object answer) {
		return Outcome.done(answer);
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // The protocol judges a null
	private static Outcome<@Nullable Object> outcome(ReturnForm form, @Nullable Object returned) {
		return (form.as() == As.OUTCOME) ? (Outcome<@Nullable Object>) returned : done(returned);
	}

	@SuppressWarnings("unchecked")
	private static CompletionStage<Outcome<@Nullable Object>> outcomes(ReturnForm form, @Nullable Object returned) {
		if (returned == null) {
			throw new IllegalStateException("The method returned null instead of a future");
		}
		return (form.as() == As.OUTCOME) ? (CompletionStage<Outcome<@Nullable Object>>) returned
				: ((CompletionStage<@Nullable Object>) returned).thenApply(GuardInterceptor::done);
	}

	/**
	 * What a caller gets that asked for the answer itself.
	 */
	private static @Nullable Object answer(Guard.Effect effect, Outcome<@Nullable Object> outcome,
			@Nullable CurrentRun run) throws Throwable {
		if (outcome instanceof Outcome.Done<@Nullable Object> done) {
			if (done.answer() == null && effect.form().primitive()) {
				throw new AnswerUnreadableException("The effect of action '" + effect.parts().action()
						+ "' is done, but no answer was recorded for it", null);
			}
			return done.answer();
		}
		Throwable cause = cause(outcome);
		if (cause != null && !(cause instanceof StoreException)) {
			// A first failure: the body's own exception
			if (run != null && effect.local() == null) {
				// A local effect leaves no row that counts its attempts: the run's are
				// used up
				run.passes(cause);
			}
			throw cause;
		}
		try {
			return outcome.orElseThrow();
		}
		catch (EffectUnsettledException ex) {
			if (run != null && effect.form().isNothing()) {
				// The run has counted it, and the next run comes back to it
				return null;
			}
			throw ex;
		}
	}

	private static @Nullable Throwable cause(Outcome<?> outcome) {
		if (outcome instanceof Outcome.Unresolved<?> unresolved) {
			return unresolved.cause();
		}
		if (outcome instanceof Outcome.Refused<?> refused) {
			return refused.cause();
		}
		return (outcome instanceof Outcome.NotSent<?> notSent) ? notSent.cause() : null;
	}

	private static Throwable unwrap(Throwable failure) {
		return (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause() : failure;
	}

}
