package dev.once.aop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.once.Boundary;
import dev.once.Grain;
import dev.once.OnceException;
import dev.once.Unobservable;
import dev.once.aop.MarkedClass.Mark;
import dev.once.ledger.LocalBoundary;
import dev.once.ledger.Resolvable;
import dev.once.occurrence.JobCall;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.ProxyCreationContext;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The guarded methods of this application context. They are collected in the pointcut's
 * own matching, and checked once, after the singletons.
 */
public final class GuardedMethods
		implements SmartInitializingSingleton, DisposableBean, ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(GuardedMethods.class);

	/** Is there where a test puts beans of its own in the place of others. */
	private static final String BEAN_OVERRIDES = "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

	private static final Guard NONE = new Guard(null, null);

	private final ConfigurableListableBeanFactory beans;

	private final Supplier<GuardSettings> settings;

	private final Map<Class<?>, MarkedClass> classes = new ConcurrentHashMap<>();

	private final Set<MarkedBean> marked = ConcurrentHashMap.newKeySet();

	private final BodyScan bodies = new BodyScan();

	private final Set<GuardedMethods> children = ConcurrentHashMap.newKeySet();

	private volatile List<GuardedMethods> withParents = List.of(this);

	private final Map<MethodClassKey, Guard> guards = new ConcurrentHashMap<>();

	private final Map<String, Resolvable<?>> programmatic = new ConcurrentHashMap<>();

	private volatile @Nullable Catalog catalog;

	/**
	 * Creates it, empty.
	 * @param beans the context's beans
	 * @param settings the settings, asked for when everything is known
	 */
	public GuardedMethods(ConfigurableListableBeanFactory beans, Supplier<GuardSettings> settings) {
		this.beans = beans;
		this.settings = settings;
	}

	/**
	 * What it takes to resolve an action's effects.
	 * @param action the action
	 * @return it, or {@code null} where no bean declares the action, in parent and child
	 * contexts neither, and no call has named it yet
	 */
	public @Nullable Resolvable<?> resolvable(String action) {
		return withParents().stream()
			.flatMap(GuardedMethods::withChildren)
			.map((methods) -> methods.ownResolvable(action))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	private @Nullable Resolvable<?> ownResolvable(String action) {
		GuardedAction guarded = catalog().action(action);
		return (guarded != null) ? guarded.resolvable() : this.programmatic.get(action);
	}

	/**
	 * The jobs, by name.
	 */
	public List<GuardedJob> jobs() {
		return catalog().jobs();
	}

	/**
	 * The effects, by action.
	 */
	public List<GuardedEffect> effects() {
		return catalog().effects();
	}

	/**
	 * Names of all actions that the code declares, those of resolvers included.
	 */
	public Set<String> actions() {
		return catalog().actions();
	}

	/**
	 * Names of all far sides that the code declares or that effects name.
	 */
	public Set<String> farSides() {
		return catalog().farSides();
	}

	// Collecting: called by the pointcut for every bean

	boolean isGuarded(Class<?> type) {
		MarkedClass marked = classOf(type);
		if (marked.isEmpty()) {
			return false;
		}
		String name = ProxyCreationContext.getCurrentProxiedBeanName();
		MarkedBean bean = new MarkedBean((name != null) ? plain(name) : type.getName(), marked);
		collect(bean);
		if (SiteRules.isClosed(marked)) {
			throw refusal(bean);
		}
		return marked.isGuarded();
	}

	private static String plain(String bean) {
		return ScopedProxyUtils.isScopedTarget(bean) ? ScopedProxyUtils.getOriginalBeanName(bean) : bean;
	}

	/**
	 * The start ends here: all that can be found now is named, not this bean alone.
	 */
	private InvalidGuardException refusal(MarkedBean bean) {
		try {
			collectUncreated();
			read();
		}
		catch (InvalidGuardException ex) {
			return ex;
		}
		catch (RuntimeException ex) {
			logger.debug("The other beans cannot be read yet", ex);
		}
		Problems problems = new Problems();
		problems.gather(() -> SiteRules.checkClass(bean));
		return problems.asException();
	}

	boolean isGuarded(Method method, Class<?> type) {
		Mark mark = classOf(type).mark(method);
		return mark != null && mark.isGuarded();
	}

	private MarkedClass classOf(Class<?> type) {
		Class<?> user = ClassUtils.getUserClass(type);
		MarkedClass marked = this.classes.get(user);
		return (marked != null) ? marked : this.classes.computeIfAbsent(user, MarkedClass::of);
	}

	private void collect(MarkedBean bean) {
		if (this.marked.add(bean) && this.catalog != null) {
			// A bean that came after the start: it is checked as those before it were
			try {
				this.catalog = read();
				this.guards.clear();
			}
			catch (RuntimeException ex) {
				this.marked.remove(bean);
				throw ex;
			}
		}
	}

	// Checking: once, after the singletons, or with the first call if that comes before

	private Catalog catalog() {
		Catalog catalog = this.catalog;
		return (catalog != null) ? catalog : readAll();
	}

	private Catalog readAll() {
		Catalog catalog = this.catalog;
		if (catalog == null) {
			collectUncreated();
			catalog = read();
			this.catalog = catalog;
		}
		return catalog;
	}

	private Catalog read() {
		Problems problems = new Problems();
		GuardSettings settings = this.settings.get();
		Catalog catalog = Catalog.of(this.marked, settings, this.beans, problems);
		this.bodies.check(this.marked, settings.selfInvocation(), problems);
		problems.throwIfAny();
		return catalog;
	}

	/**
	 * Lazy, prototype and scoped beans have not passed the pointcut yet.
	 */
	private void collectUncreated() {
		for (String name : this.beans.getBeanDefinitionNames()) {
			if (this.beans.containsSingleton(name)
					|| this.beans.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(name))
					|| this.beans.getBeanDefinition(name).isAbstract()) {
				continue;
			}
			Class<?> type = this.beans.getType(name, false);
			if (type != null && !type.isInterface()) {
				MarkedClass marked = classOf(type);
				if (!marked.isEmpty()) {
					collect(new MarkedBean(plain(name), marked));
				}
			}
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		Problems problems = new Problems();
		checkAdvised(this.beans, problems);
		problems.gather(this::catalog);
		problems.throwIfAny();
		Catalog catalog = catalog();
		if (logger.isInfoEnabled()) {
			logger.info(GuardTable.of(catalog.jobs(), catalog.effects()));
		}
		findParents();
		tellSharedNames(catalog);
	}

	private void checkAdvised(ConfigurableListableBeanFactory beans, Problems problems) {
		for (String bean : beans.getSingletonNames()) {
			Object singleton = beans.getSingleton(bean);
			if (singleton != null) {
				problems.gather(() -> checkAdvised(beans, bean, singleton));
			}
		}
	}

	/**
	 * A bean that another one's post-processing needed was created before the advisor.
	 */
	private void checkAdvised(ConfigurableListableBeanFactory beans, String name, Object singleton) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(singleton);
		MarkedClass marked = classOf(type);
		if (!marked.isGuarded()) {
			return;
		}
		MarkedBean bean = new MarkedBean(name, marked);
		if (!GuardAdvisor.standsBefore(singleton)) {
			if (beans.containsBeanDefinition(name) && !beans.containsBean(BEAN_OVERRIDES)) {
				throw (beans == this.beans) ? new EarlyBean(beans, bean).refusal() : unguardedChild(bean);
			}
			logger.warn(bean + " was put into the context as it is: its guarded methods run unguarded");
			return;
		}
		for (Mark mark : marked.guarded()) {
			checkCallable(name, type, mark, singleton);
		}
	}

	private static void checkCallable(String bean, Class<?> type, Mark mark, Object singleton) {
		if (AopUtils.isJdkDynamicProxy(singleton)) {
			try {
				AopUtils.selectInvocableMethod(mark.method(), singleton.getClass());
			}
			catch (IllegalStateException ex) {
				throw new InvalidGuardException(new Site(bean, type, mark.method()).toString(),
						"no interface of its bean's JDK proxy has it, so that no call passes Once",
						"Declare it in the interface, or set spring.aop.proxy-target-class=true");
			}
		}
	}

	// Parents and children

	/**
	 * This and those of the parent contexts, the nearest first; this alone before the
	 * context's singletons are there.
	 */
	public List<GuardedMethods> withParents() {
		return this.withParents;
	}

	private void findParents() {
		BeanFactory above = this.beans.getParentBeanFactory();
		GuardedMethods parent = (above != null) ? above.getBeanProvider(GuardedMethods.class).getIfAvailable() : null;
		if (parent != null) {
			parent.children.add(this);
			this.withParents = Stream.concat(Stream.of(this), parent.withParents.stream()).toList();
		}
	}

	private Stream<GuardedMethods> withChildren() {
		return Stream.concat(Stream.of(this), this.children.stream().flatMap(GuardedMethods::withChildren));
	}

	@Override
	public void destroy() {
		withParents().forEach((parent) -> parent.children.remove(this));
	}

	private void tellSharedNames(Catalog catalog) {
		for (GuardedMethods parent : withParents().stream().skip(1).toList()) {
			List<String> shared = new ArrayList<>();
			Set<String> jobs = names(parent.jobs().stream().map(GuardedJob::name));
			Set<String> actions = names(parent.effects().stream().map(GuardedEffect::action));
			catalog.jobs()
				.stream()
				.filter((job) -> jobs.contains(job.name()))
				.forEach((job) -> shared.add("job '" + job.name() + "' (" + job.method() + ")"));
			catalog.effects()
				.stream()
				.filter((effect) -> actions.contains(effect.action()))
				.forEach((effect) -> shared.add("action '" + effect.action() + "' (" + effect.method() + ")"));
			if (!shared.isEmpty()) {
				logger.warn("Declared here and in a parent context, and treated as one, by one lease and one ledger: "
						+ String.join(", ", shared) + ". If they are not one, give them two names");
			}
		}
	}

	private static Set<String> names(Stream<String> names) {
		return names.collect(Collectors.toSet());
	}

	/**
	 * A child context without an advisor of its own may have guarded beans all the same.
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext()
			.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory child && child != this.beans
				&& child.getBeanNamesForType(GuardedMethods.class, true, false).length == 0) {
			Problems problems = new Problems();
			checkAdvised(child, problems);
			problems.throwIfAny();
		}
	}

	private static InvalidGuardException unguardedChild(MarkedBean bean) {
		return new InvalidGuardException(bean.toString(),
				"it is in a child context, and Once is in the parent alone, so that its guarded methods would run "
						+ "unguarded",
				"Auto-configure the child context too (@EnableAutoConfiguration, or @ImportAutoConfiguration("
						+ "OnceAutoConfiguration.class)), or move the bean to the parent");
	}

	// Calling

	Guard guard(Method method, @Nullable Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Guard guard = this.guards.get(key);
		if (guard == null) {
			guard = find(method, Objects.requireNonNullElse(targetClass, method.getDeclaringClass()));
			this.guards.put(key, guard);
		}
		return guard;
	}

	private Guard find(Method method, Class<?> targetClass) {
		MarkedClass marked = classOf(targetClass);
		Mark mark = marked.mark(method);
		if (mark == null || !mark.isGuarded()) {
			return NONE;
		}
		Guard guard = catalog().guard(marked, mark);
		if (guard == null && this.marked.stream().anyMatch((bean) -> bean.marked().type() == marked.type())) {
			// Another thread has just met the bean and is still reading it
			Catalog catalog = read();
			this.catalog = catalog;
			guard = Objects.requireNonNull(catalog.guard(marked, mark), () -> method + " is not guarded");
		}
		return (guard != null) ? guard : NONE;
	}

	/**
	 * What calls a job's method again.
	 * @param job the job's name
	 * @return it, or {@code null} where no bean declares the job, in parent and child
	 * contexts neither
	 */
	public @Nullable RecordedCall comeBack(String job) {
		return withParents().stream()
			.flatMap(GuardedMethods::withChildren)
			.map((methods) -> methods.ownComeBack(job))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * A job's terms, as a call that names nothing.
	 * @param job the job's name
	 * @return them, or {@code null} where no bean declares the job, in parent and child
	 * contexts neither
	 */
	public @Nullable JobCall jobCall(String job) {
		return withParents().stream()
			.flatMap(GuardedMethods::withChildren)
			.map((methods) -> methods.catalog().job(job))
			.filter(Objects::nonNull)
			.findFirst()
			.map((guard) -> JobCalls.call(guard, application()))
			.orElse(null);
	}

	private @Nullable RecordedCall ownComeBack(String name) {
		Guard.Job job = catalog().job(name);
		return (job != null) ? (arguments) -> call(job, arguments) : null;
	}

	private @Nullable Object call(Guard.Job job, @Nullable String recorded) throws Throwable {
		@Nullable Object[] args = arguments(job, recorded);
		Site site = job.site();
		Object bean = this.beans.containsBean(site.bean()) ? this.beans.getBean(site.bean())
				: this.beans.getBean(site.type());
		Method method = AopUtils.selectInvocableMethod(site.method(), bean.getClass());
		ReflectionUtils.makeAccessible(method);
		try {
			return method.invoke(bean, args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private static @Nullable Object[] arguments(Guard.Job job, @Nullable String recorded) {
		if (job.arguments() != null && recorded != null) {
			return job.arguments().read(recorded);
		}
		if (job.site().method().getParameterCount() > 0) {
			throw new OnceException("Job '" + job.name() + "' cannot be run again: its method takes arguments, and "
					+ "none were recorded. Was the method changed?");
		}
		if (recorded != null) {
			throw new OnceException("Job '" + job.name() + "' cannot be run again: arguments were recorded, and its "
					+ "method takes none. Was the method changed?");
		}
		return new Object[0];
	}

	/**
	 * Whether a bean of this context, its parents and children declares a job.
	 */
	boolean declares(String job) {
		return comeBack(job) != null;
	}

	JobTerms undeclaredJob() {
		return catalog().undeclaredJob();
	}

	CallTimes times() {
		return catalog().times();
	}

	String application() {
		return catalog().application();
	}

	int maxValue() {
		return catalog().maxValue();
	}

	GuardedAction programmatic(String action, Boundary boundary, @Nullable String farSide, Unobservable unobservable,
			Grain grain, ResolvableType answer) {
		GuardedAction guarded = catalog().programmatic(action, boundary, farSide, unobservable, grain, answer);
		this.programmatic.putIfAbsent(action, guarded.resolvable());
		return guarded;
	}

	LocalBoundary local(String action) {
		return catalog().local(action);
	}

}
