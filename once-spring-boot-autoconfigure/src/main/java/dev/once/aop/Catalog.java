package dev.once.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.Boundary;
import dev.once.FarSide;
import dev.once.Grain;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.aop.MarkedClass.Mark;
import dev.once.ledger.AnswerFormat;
import dev.once.ledger.FarSideContract;
import dev.once.ledger.LocalBoundary;
import dev.once.occurrence.Schedule;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/**
 * Everything that is guarded, read and checked as a whole.
 */
final class Catalog {

	private final GuardSettings settings;

	private final BeanFactory beans;

	private final BoundaryRules boundaries;

	private final CallTimes times;

	private final StringValueResolver values;

	private final Map<String, Declared> farSides = new TreeMap<>();

	private final Map<String, ResolverMethod> resolvers = new TreeMap<>();

	private final Set<String> resolvable = new HashSet<>();

	private final Map<String, Guard.Job> jobs = new TreeMap<>();

	private final Map<String, Spelling> spellings = new HashMap<>();

	private final Map<String, List<Guard.Effect>> effects = new TreeMap<>();

	private final Map<String, GuardedAction> actions = new TreeMap<>();

	private final Map<Method, Map<Class<?>, Guard>> guards = new HashMap<>();

	private Catalog(GuardSettings settings, BeanFactory beans) {
		this.settings = settings;
		this.beans = beans;
		this.boundaries = new BoundaryRules(beans);
		this.times = new CallTimes(settings.zone(), settings.directDue());
		this.values = (beans instanceof ConfigurableBeanFactory configurable) ? new EmbeddedValueResolver(configurable)
				: (text) -> text;
	}

	/**
	 * Reads what is marked, to its end whatever is wrong.
	 * @param beans the marked beans
	 * @param settings the settings
	 * @param factory gives the beans whose resolvers are asked
	 * @param problems takes what cannot be guarded as it is declared; the catalog is of
	 * no use then
	 */
	static Catalog of(Collection<MarkedBean> beans, GuardSettings settings, BeanFactory factory, Problems problems) {
		Catalog catalog = new Catalog(settings, factory);
		List<Entry> entries = new ArrayList<>();
		beans.stream().sorted(Comparator.comparing(MarkedBean::toString)).forEach((bean) -> {
			MarkedClass marked = bean.marked();
			problems.gather(() -> SiteRules.checkClass(bean));
			problems.gather(() -> catalog.addFarSide(marked.farSide(), bean.toString()));
			marked.marks()
				.values()
				.stream()
				.sorted(Comparator.comparing((mark) -> mark.method().toString()))
				.forEach((mark) -> entries.add(new Entry(new Site(bean.name(), marked.type(), mark.method()), mark)));
		});
		entries.forEach(
				(entry) -> problems.gather(() -> catalog.addFarSide(entry.mark().farSide(), entry.site().toString())));
		entries.forEach((entry) -> problems.gather(() -> catalog.addResolver(entry)));
		entries.forEach((entry) -> catalog.addGuard(entry, problems));
		catalog.resolvers.values().forEach((resolver) -> problems.gather(() -> catalog.addResolverAlone(resolver)));
		return catalog;
	}

	private void addFarSide(@Nullable FarSide farSide, String where) {
		if (farSide == null) {
			return;
		}
		SiteRules.checkName("far side", farSide.name(), where);
		Declared other = this.farSides.putIfAbsent(farSide.name(), new Declared(farSide, where));
		if (other != null && !other.farSide().equals(farSide)) {
			throw new InvalidGuardException(where,
					"its far side '" + farSide.name() + "' is declared otherwise too: " + other.where(),
					"State one contract in one @FarSide, and name it elsewhere with farSide = \"" + farSide.name()
							+ "\"");
		}
	}

	private void addResolver(Entry entry) {
		if (entry.mark().resolver() == null) {
			return;
		}
		// Known even if it is refused: its effects are not unobservable for that
		this.resolvable.add(entry.mark().resolver().value());
		ResolverMethod resolver = ResolverMethod.of(entry.site(), entry.mark().resolver().value(),
				entry.mark().farSide());
		ResolverMethod other = this.resolvers.putIfAbsent(resolver.action(), resolver);
		if (other != null && !other.site().isSameIn(entry.site())) {
			throw new InvalidGuardException(entry.site().toString(),
					"action '" + resolver.action() + "' has another resolver: " + other.site(),
					"Keep one of them; effects of two far sides are two actions");
		}
	}

	private void addGuard(Entry entry, Problems problems) {
		Mark mark = entry.mark();
		if (!mark.isGuarded()) {
			return;
		}
		problems.gather(() -> SiteRules.checkReachable(entry.site()));
		problems.gather(() -> SiteRules.checkNoCallback(entry.site()));
		AtomicReference<Guard.@Nullable Job> job = new AtomicReference<>();
		AtomicReference<Guard.@Nullable Effect> effect = new AtomicReference<>();
		problems.gather(() -> job.set(job(entry)));
		OnceEffect declared = mark.effect();
		if (declared != null) {
			problems.gather(() -> effect.set(effect(entry, declared)));
		}
		this.guards.computeIfAbsent(mark.method(), (method) -> new HashMap<>())
			.put(entry.site().type(), new Guard(job.get(), effect.get()));
	}

	private Guard.@Nullable Job job(Entry entry) {
		Mark mark = entry.mark();
		String name;
		if (mark.job() != null) {
			name = mark.job().name();
		}
		else if (Schedules.isScheduled(mark.method()) && mark.effect() != null) {
			name = mark.effect().action();
		}
		else {
			return null;
		}
		SiteRules.checkName("job", name, entry.site());
		SiteRules.checkOneName(entry.site());
		ReturnForm.checkJob(mark.method(), entry.site().toString());
		SiteRules.checkNotAsync(entry.site());
		String where = entry.site().toString();
		List<Schedule> schedules = Schedules.of(mark.method(), this.values);
		OccurrenceRule rule = JobRules.occurrences(name, mark.job(), mark.method(), schedules, where);
		RecordedArguments arguments = (rule.namesDirectCalls() && mark.method().getParameterCount() > 0)
				? RecordedArguments.of(name, mark.method(), entry.site().type(), where) : null;
		Grain grain = (mark.job() != null) ? mark.job().grain() : Grain.OCCURRENCE;
		JobTerms terms = this.settings.job(name, mark.job(), where);
		Guard.Job job = new Guard.Job(name, entry.site(), terms,
				JobRules.policy(name, terms, rule, schedules, this.settings.zone(), grain, where), schedules, grain,
				rule, arguments);
		checkSpelling("job", name, entry.site(), this.spellings);
		Guard.Job other = this.jobs.putIfAbsent(name, job);
		if (other != null && !other.site().isSameIn(entry.site())) {
			throw new InvalidGuardException(entry.site().toString(),
					"job '" + name + "' is declared twice, also by " + other.site(),
					"Name each job once; two beans of one class need two names");
		}
		return job;
	}

	// A person reads two such names as one
	private static void checkSpelling(String kind, String name, Site site, Map<String, Spelling> spellings) {
		Spelling other = spellings.putIfAbsent(kind + " " + name.replace("-", ""), new Spelling(name, site));
		if (other != null && !other.name().equals(name)) {
			throw new InvalidGuardException(
					site.toString(), kind + " '" + name + "' differs only in dashes from " + kind + " '" + other.name()
							+ "' of " + other.site(),
					"Spell both the same if they are one, and name them apart if they are two");
		}
	}

	private Guard.Effect effect(Entry entry, OnceEffect declared) {
		Mark mark = entry.mark();
		Site site = entry.site();
		String where = site.toString();
		String action = declared.action();
		SiteRules.checkName("action", action, where);
		checkSpelling("action", action, site, this.spellings);
		ReturnForm form = ReturnForm.ofEffect(mark.method(), site.type(), where);
		KeyParts parts = KeyParts.of(declared, mark.method(), site.type(), where);
		if (parts.hasSecret() && !this.settings.hasKeySecret()) {
			throw new InvalidGuardException(where,
					"a part of its key is secret, and there is no secret to hash it with",
					"Set once.key.secret to 16 random bytes or more, the same on every node");
		}
		EffectTerms terms = this.settings.effect(action, declared);
		Boundary boundary = declared.boundary();
		GuardedAction guarded = action(action, boundary, terms, contract(action, terms, mark.farSide()), form.answer(),
				where);
		List<Guard.Effect> others = this.effects.computeIfAbsent(action, (name) -> new ArrayList<>());
		for (Guard.Effect other : others) {
			checkAgree(site, guarded, declared.grain(), other);
		}
		GuardedAction shared = others.isEmpty() ? guarded : others.get(0).action();
		Guard.Effect effect = new Guard.Effect(site, parts, form, shared,
				(boundary == Boundary.DATABASE) ? this.boundaries.of(site, form) : null);
		others.add(effect);
		this.actions.put(action, shared);
		return effect;
	}

	/**
	 * Two methods of one bean may be two ways to the same effect. Two beans would take
	 * each other's effects for repeats.
	 */
	private static void checkAgree(Site site, GuardedAction action, Grain grain, Guard.Effect other) {
		String name = other.parts().action();
		if (!site.bean().equals(other.site().bean())) {
			throw new InvalidGuardException(site.toString(),
					"action '" + name + "' is declared by another bean too (" + other.site()
							+ "), so that the effects of one would be taken for repeats of the other's",
					"Name two actions, or make it one bean with what tells them apart in the target");
		}
		if (action.boundary() != other.action().boundary() || !action.contract().equals(other.action().contract())
				|| !action.terms().equals(other.action().terms())
				|| !boxed(action.answer()).equals(boxed(other.action().answer())) || grain != other.parts().grain()) {
			throw new InvalidGuardException(site.toString(),
					"action '" + name + "' is declared with other terms too: " + other.site(),
					"Give both the same far side, grain, settings and answer, or name two actions");
		}
	}

	private static String boxed(ResolvableType type) {
		Class<?> raw = type.resolve(Object.class);
		return raw.isPrimitive() ? ClassUtils.resolvePrimitiveIfNecessary(raw).getName() : type.toString();
	}

	private GuardedAction action(String action, Boundary boundary, EffectTerms terms, FarSideContract contract,
			ResolvableType answer, String where) {
		ResolverMethod resolver = this.resolvers.get(action);
		if (boundary == Boundary.DATABASE) {
			BoundaryRules.check(action, terms, resolver, where);
			return new GuardedAction(boundary, terms, contract, null, answer, answers(action, answer, where));
		}
		if (resolver != null) {
			resolver.checkFits(answer, where);
		}
		checkObservable(action, terms, contract, resolver, where);
		return new GuardedAction(boundary, terms, contract, (resolver != null) ? resolver.bind(this.beans) : null,
				answer, answers(action, answer, where));
	}

	private void checkObservable(String action, EffectTerms terms, FarSideContract contract,
			@Nullable ResolverMethod resolver, String where) {
		if (resolver == null && this.resolvable.contains(action)) {
			return;
		}
		if (terms.askFirst() && resolver == null) {
			throw new InvalidGuardException(where, "it asks first, and there is nobody to ask",
					"Add a method @OnceResolver(\"" + action + "\") to a bean, or drop askFirst");
		}
		// E8
		if (resolver == null && !contract.remembersLongEnough() && terms.unobservable() == Unobservable.REFUSED
				&& this.settings.unobservableEffects() == Unobservable.REFUSED) {
			throw new InvalidGuardException(where,
					"when its answer is lost, nobody can tell whether it happened: action '" + action
							+ "' has no resolver, and far side '" + contract.name()
							+ ((contract.remembers() == null) ? "' does not deduplicate"
									: "' deduplicates for no longer than window and settle-after last"),
					"Add a method @OnceResolver(\"" + action
							+ "\") that asks the far side; or say how long the far side "
							+ "deduplicates by the key it is given, with @FarSide(remembers = \"24h\") or "
							+ "once.far-sides." + contract.name() + ".remembers; or accept that a person decides, with "
							+ "unobservable = ACCEPTED on @OnceEffect, unobservable(ACCEPTED) on the call, or "
							+ "once.unobservable-effects=accept for all");
		}
	}

	private AnswerFormat<@Nullable Object> answers(String action, ResolvableType answer, String where) {
		return new RecordedAnswers(action, answer.toString(), AnswerForms.of(answer, where), this.settings.maxValue());
	}

	private FarSideContract contract(String action, EffectTerms terms, @Nullable FarSide beside) {
		String name = (terms.farSide() != null) ? terms.farSide() : (beside != null) ? beside.name() : action;
		return contract(name, beside);
	}

	private FarSideContract contract(String name, @Nullable FarSide beside) {
		if (beside != null && beside.name().equals(name)) {
			return this.settings.farSide(name, beside);
		}
		Declared declared = this.farSides.get(name);
		return this.settings.farSide(name, (declared != null) ? declared.farSide() : null);
	}

	/**
	 * A resolver without an annotated effect serves {@link dev.once.OnceOperations}.
	 */
	private void addResolverAlone(ResolverMethod resolver) {
		String action = resolver.action();
		if (!this.actions.containsKey(action)) {
			EffectTerms terms = this.settings.effect(action, null);
			ResolvableType answer = (resolver.answer().resolve() != null) ? resolver.answer()
					: ResolvableType.forClass(Void.class);
			this.actions.put(action, action(action, Boundary.EXTERNAL, terms,
					contract(action, terms, resolver.farSide()), answer, resolver.site().toString()));
		}
	}

	/**
	 * An action as a call through {@link dev.once.OnceOperations} needs it.
	 * @param action the action
	 * @param boundary where its effects happen
	 * @param farSide the far side that the call names, or {@code null}
	 * @param unobservable whether the call accepts that a person decides
	 * @param grain for how long the effect is the same fact
	 * @param answer the answer's type
	 * @throws InvalidGuardException when it cannot be guarded
	 */
	GuardedAction programmatic(String action, Boundary boundary, @Nullable String farSide, Unobservable unobservable,
			Grain grain, ResolvableType answer) {
		String where = "Effect '" + action + "' of OnceOperations";
		ReturnForm.refuseUnreadable(answer, where);
		GuardedAction known = this.actions.get(action);
		if (known != null && known.boundary() != boundary) {
			throw new InvalidGuardException(
					where, "it has boundary = " + boundary + ", and a bean declares action '" + action
							+ "' with boundary = " + known.boundary(),
					"Give both the same boundary, or name two actions");
		}
		for (Guard.Effect declared : this.effects.getOrDefault(action, List.of())) {
			if (declared.parts().grain() != grain) {
				throw new InvalidGuardException(where,
						"it has grain " + grain + ", and " + declared.site() + " declares action '" + action
								+ "' with grain = " + declared.parts().grain() + ", so that they would be two effects",
						"Give both the same grain, or name two actions");
			}
		}
		EffectTerms terms = (known != null) ? known.terms() : this.settings.effect(action, null);
		if (unobservable == Unobservable.ACCEPTED) {
			terms = new EffectTerms(terms.farSide(), terms.changedFact(), terms.changedFactChoice(), terms.askFirst(),
					unobservable);
		}
		FarSideContract contract;
		if (farSide != null) {
			SiteRules.checkName("far side", farSide, where);
			terms = new EffectTerms(farSide, terms.changedFact(), terms.changedFactChoice(), terms.askFirst(),
					terms.unobservable());
			contract = contract(farSide, null);
		}
		else {
			contract = (known != null) ? known.contract() : contract(action, terms, null);
		}
		return action(action, boundary, terms, contract, answer, where);
	}

	LocalBoundary local(String action) {
		return this.boundaries.of(action, "Effect '" + action + "' of OnceOperations");
	}

	@Nullable Guard guard(MarkedClass type, Mark mark) {
		Map<Class<?>, Guard> byType = this.guards.get(mark.method());
		return (byType != null) ? byType.get(type.type()) : null;
	}

	@Nullable GuardedAction action(String action) {
		return this.actions.get(action);
	}

	Guard.@Nullable Job job(String name) {
		return this.jobs.get(name);
	}

	JobTerms undeclaredJob() {
		return this.settings.undeclaredJob();
	}

	CallTimes times() {
		return this.times;
	}

	String application() {
		return this.settings.application();
	}

	int maxValue() {
		return this.settings.maxValue();
	}

	Set<String> actions() {
		return this.actions.keySet();
	}

	Set<String> farSides() {
		Set<String> names = new TreeSet<>(this.farSides.keySet());
		this.actions.values().forEach((action) -> names.add(action.contract().name()));
		return names;
	}

	List<GuardedJob> jobs() {
		return this.jobs.values()
			.stream()
			.map((job) -> job.forPeople(this.times.zone(), this.settings.zoneChoice()))
			.toList();
	}

	List<GuardedEffect> effects() {
		return this.effects.values().stream().flatMap(Collection::stream).map(Guard.Effect::forPeople).toList();
	}

	private record Spelling(String name, Site site) {

	}

	private record Entry(Site site, Mark mark) {

	}

	private record Declared(FarSide farSide, String where) {

	}

}
