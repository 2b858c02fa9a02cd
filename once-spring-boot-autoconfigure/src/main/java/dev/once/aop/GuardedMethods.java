package dev.once.aop;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.once.Unobservable;
import dev.once.aop.MarkedClass.Mark;
import dev.once.ledger.Resolvable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.ProxyCreationContext;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * The guarded methods of this application context. They are collected in the pointcut's
 * own matching, and checked once, after the singletons.
 */
public final class GuardedMethods implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(GuardedMethods.class);

	/** Is there where a test puts beans of its own in the place of others. */
	private static final String BEAN_OVERRIDES = "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

	private static final Guard NONE = new Guard(null, null);

	private final ConfigurableListableBeanFactory beans;

	private final Supplier<GuardSettings> settings;

	private final Map<Class<?>, MarkedClass> classes = new ConcurrentHashMap<>();

	private final Map<String, MarkedClass> marked = new ConcurrentHashMap<>();

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
	 * @return it, or {@code null} where no bean declares the action and no call has named
	 * it yet
	 */
	public @Nullable Resolvable<?> resolvable(String action) {
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
		String bean = ProxyCreationContext.getCurrentProxiedBeanName();
		collect((bean != null) ? bean : type.getName(), marked);
		return marked.isGuarded();
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

	private void collect(String bean, MarkedClass type) {
		String name = ScopedProxyUtils.isScopedTarget(bean) ? ScopedProxyUtils.getOriginalBeanName(bean) : bean;
		SiteRules.checkClass(name, type);
		MarkedClass former = this.marked.put(name, type);
		if (this.catalog != null && !type.equals(former)) {
			// A bean that came after the start: it is checked as those before it were
			try {
				this.catalog = read();
				this.guards.clear();
			}
			catch (RuntimeException ex) {
				this.marked.remove(name);
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
		return Catalog.of(this.marked, this.settings.get(), this.beans);
	}

	/**
	 * Lazy, prototype and scoped beans have not passed the pointcut yet.
	 */
	private void collectUncreated() {
		for (String bean : this.beans.getBeanDefinitionNames()) {
			if (this.marked.containsKey(bean) || this.beans.containsSingleton(bean)
					|| this.beans.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(bean))
					|| this.beans.getBeanDefinition(bean).isAbstract()) {
				continue;
			}
			Class<?> type = this.beans.getType(bean, false);
			if (type != null && !type.isInterface()) {
				MarkedClass marked = classOf(type);
				if (!marked.isEmpty()) {
					collect(bean, marked);
				}
			}
		}
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String bean : this.beans.getSingletonNames()) {
			Object singleton = this.beans.getSingleton(bean);
			if (singleton != null) {
				checkAdvised(bean, singleton);
			}
		}
		Catalog catalog = catalog();
		if (logger.isInfoEnabled()) {
			logger.info(GuardTable.of(catalog.jobs(), catalog.effects()));
		}
	}

	/**
	 * A bean that another one's post-processing needed was created before the advisor.
	 */
	private void checkAdvised(String bean, Object singleton) {
		Class<?> type = AopProxyUtils.ultimateTargetClass(singleton);
		MarkedClass marked = classOf(type);
		if (!marked.isGuarded()) {
			return;
		}
		if (!GuardAdvisor.standsBefore(singleton)) {
			InvalidGuardException ex = new InvalidGuardException("Bean '" + bean + "' of class " + type.getName(),
					"it was created before Once could stand before it, so that its guarded methods would run unguarded",
					"A BeanPostProcessor or BeanFactoryPostProcessor needs it: give that an ObjectProvider of it, "
							+ "or mark its parameter @Lazy");
			if (this.beans.containsBeanDefinition(bean) && !this.beans.containsBean(BEAN_OVERRIDES)) {
				throw ex;
			}
			logger.warn("Bean '" + bean + "' of class " + type.getName()
					+ " was put into the context as it is: its guarded methods run unguarded");
			return;
		}
		for (Mark mark : marked.guarded()) {
			checkCallable(bean, type, mark, singleton);
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
		Guard guard = (mark != null && mark.isGuarded()) ? catalog().guard(marked, mark) : null;
		return (guard != null) ? guard : NONE;
	}

	int maxValue() {
		return catalog().maxValue();
	}

	GuardedAction programmatic(String action, @Nullable String farSide, Unobservable unobservable,
			ResolvableType answer) {
		GuardedAction guarded = catalog().programmatic(action, farSide, unobservable, answer);
		this.programmatic.putIfAbsent(action, guarded.resolvable());
		return guarded;
	}

}
