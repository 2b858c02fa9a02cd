package dev.once.aop;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.once.Boundary;
import dev.once.DueTime;
import dev.once.Grain;
import dev.once.OnceOperations;
import dev.once.OnceScope;
import dev.once.Outcome;
import dev.once.Unobservable;
import dev.once.key.Identity;
import dev.once.ledger.EffectProtocol;
import dev.once.ledger.LocalBoundary;
import dev.once.occurrence.CurrentRun;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

/**
 * Carries out effects that are described by calls instead of annotations.
 */
public final class EffectOperations implements OnceOperations {

	private static final ResolvableType NOTHING = ResolvableType.forClass(Void.class);

	private final GuardedMethods methods;

	private final Collaborators collaborators;

	private final TransactionWarning transactions = new TransactionWarning();

	private final Map<Described, Action> actions = new ConcurrentHashMap<>();

	/**
	 * Creates it.
	 * @param methods knows resolvers, far sides and settings
	 * @param collaborators what calls are carried out with
	 */
	public EffectOperations(GuardedMethods methods, Collaborators collaborators) {
		this.methods = methods;
		this.collaborators = collaborators;
	}

	@Override
	public EffectCall effect(String action) {
		return new DescribedCall(action, this.collaborators.keys().identity(action));
	}

	@Override
	public NamedJob job(String name) {
		return new DescribedJob(name, this.methods, this.collaborators.runs());
	}

	@Override
	public void at(Instant due, Runnable work) {
		at(due, () -> {
			work.run();
			return null;
		});
	}

	@Override
	public <T extends @Nullable Object> T at(Instant due, Supplier<T> work) {
		return OnceScope.current().with(DueTime.of(due)).call(work);
	}

	private Outcome<@Nullable Object> perform(DescribedCall described, ResolvableType answer,
			EffectProtocol.Body<@Nullable Object> body) {
		Action action = this.actions.computeIfAbsent(new Described(described.action, described.boundary,
				described.farSide, described.unobservable, described.grain, answer), this::action);
		CurrentRun run = (OnceScope.current().run() instanceof CurrentRun current) ? current : null;
		Identity identity = described.identity();
		var call = GuardInterceptor.call(identity, action.guarded(), run, this.methods.maxValue());
		LocalBoundary local = action.local();
		if (local != null) {
			return this.collaborators.effects().performLocally(call, local, body);
		}
		this.transactions.look(described.action, "OnceOperations");
		return this.collaborators.effects().perform(call, body);
	}

	private Action action(Described described) {
		GuardedAction guarded = this.methods.programmatic(described.action(), described.boundary(), described.farSide(),
				described.unobservable(), described.grain(), described.answer());
		return new Action(guarded,
				(described.boundary() == Boundary.DATABASE) ? this.methods.local(described.action()) : null);
	}

	private record Described(String action, Boundary boundary, @Nullable String farSide, Unobservable unobservable,
			Grain grain, ResolvableType answer) {

	}

	private record Action(GuardedAction guarded, @Nullable LocalBoundary local) {

	}

	private final class DescribedCall implements EffectCall {

		private final String action;

		private final Identity.Builder identity;

		private int targets;

		private @Nullable String farSide;

		private Unobservable unobservable = Unobservable.REFUSED;

		private Boundary boundary = Boundary.EXTERNAL;

		private Grain grain = Grain.FACT;

		private DescribedCall(String action, Identity.Builder identity) {
			this.action = action;
			this.identity = identity;
		}

		@Override
		public EffectCall target(@Nullable Object value) {
			this.identity.target(nextTarget(), value);
			return this;
		}

		@Override
		public EffectCall secretTarget(@Nullable Object value) {
			this.identity.secretTarget(nextTarget(), value);
			return this;
		}

		private String nextTarget() {
			this.targets++;
			return (this.targets == 1) ? "target" : "target" + this.targets;
		}

		@Override
		public EffectCall input(String name, @Nullable Object value) {
			this.identity.input(name, value);
			return this;
		}

		@Override
		public EffectCall secretInput(String name, @Nullable Object value) {
			this.identity.secretInput(name, value);
			return this;
		}

		@Override
		public EffectCall grain(Grain grain) {
			this.grain = grain;
			return this;
		}

		private Identity identity() {
			CallTimes times = EffectOperations.this.methods.times();
			return this.identity.grain(times.grain(this.grain, this.action, EffectOperations.this.collaborators.time()))
				.build();
		}

		@Override
		public EffectCall farSide(String name) {
			this.farSide = name;
			return this;
		}

		@Override
		public EffectCall unobservable(Unobservable unobservable) {
			this.unobservable = unobservable;
			return this;
		}

		@Override
		public EffectCall boundary(Boundary boundary) {
			this.boundary = boundary;
			return this;
		}

		@Override
		public <T> AnsweringCall<T> answer(Class<T> type) {
			return answering(ResolvableType.forClass(type));
		}

		@Override
		public <T> AnsweringCall<T> answer(ParameterizedTypeReference<T> type) {
			return answering(ResolvableType.forType(type));
		}

		@SuppressWarnings("unchecked")
		private <T> AnsweringCall<T> answering(ResolvableType type) {
			return (body) -> (Outcome<@Nullable T>) EffectOperations.this.perform(this, type,
					(effect) -> GuardInterceptor.done(body.send(effect)));
		}

		@Override
		@SuppressWarnings("unchecked")
		public Outcome<@Nullable Void> perform(Body body) {
			return (Outcome<@Nullable Void>) (Outcome<?>) EffectOperations.this.perform(this, NOTHING, (effect) -> {
				body.send(effect);
				return GuardInterceptor.done(null);
			});
		}

		@Override
		public String explain() {
			return identity().explain();
		}

	}

}
