package dev.once.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import dev.once.OnceJob;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * What holds for every method that Once is to guard or to call.
 */
final class SiteRules {

	private static final int MAX_NAME = 64;

	private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

	private static final Set<String> CALLBACKS = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	/** What Spring takes for a call on another thread. */
	private static final Set<String> ASYNCHRONOUS = Set.of("org.springframework.scheduling.annotation.Async",
			"jakarta.ejb.Asynchronous", "jakarta.enterprise.concurrent.Asynchronous");

	private SiteRules() {
	}

	/**
	 * Refuses a name that cannot be kept.
	 * @param kind what it names
	 * @param name the name
	 * @param where where it is declared
	 */
	static void checkName(String kind, String name, Object where) {
		if (name.length() > MAX_NAME) {
			throw new InvalidGuardException(where.toString(), "its " + kind + " has a name of " + name.length()
					+ " characters, '" + name.substring(0, MAX_NAME) + "...'",
					"Use at most " + MAX_NAME + " characters");
		}
		if (!NAME.matcher(name).matches()) {
			throw new InvalidGuardException(where.toString(), "its " + kind + " is named '" + printable(name) + "'",
					"Use lower-case letters, digits and hyphens, a letter first");
		}
	}

	/**
	 * Refuses a method that its class, a superclass, an interface or an annotation of
	 * theirs makes two jobs.
	 */
	static void checkOneName(Site site) {
		List<String> names = MergedAnnotations.from(site.method(), SearchStrategy.TYPE_HIERARCHY)
			.stream(OnceJob.class)
			.map((job) -> job.getString("name"))
			.distinct()
			.toList();
		if (names.size() > 1) {
			throw new InvalidGuardException(site.toString(),
					"it is more than one job: '" + String.join("', '", names)
							+ "', by its class, a superclass, an interface or an annotation of theirs",
					"Keep one @OnceJob: under two names the same work has two leases and is done twice");
		}
	}

	/**
	 * Refuses a class that a proxy cannot extend.
	 */
	static void checkClass(MarkedBean bean) {
		Class<?> type = bean.marked().type();
		if (isClosed(bean.marked())) {
			throw new InvalidGuardException(bean.toString(),
					"the class is final, so that no call of its guarded methods passes Once",
					type.isRecord() ? "Make it a class, not a record"
							: "Remove 'final' (Kotlin: add 'open', or use the kotlin-spring plugin)");
		}
	}

	/**
	 * Whether no proxy can extend the class of guarded methods.
	 */
	static boolean isClosed(MarkedClass marked) {
		Class<?> type = marked.type();
		return marked.isGuarded() && Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type);
	}

	private static String printable(String name) {
		return name.replaceAll("[^\\x20-\\x7e]", "?");
	}

	/**
	 * Refuses a method that a proxy cannot stand before.
	 */
	static void checkReachable(Site site) {
		int modifiers = site.method().getModifiers();
		if (Modifier.isPrivate(modifiers)) {
			throw new InvalidGuardException(site.toString(), "it is private, so that no call passes Once",
					"Make it package-private, protected or public");
		}
		if (Modifier.isStatic(modifiers)) {
			throw new InvalidGuardException(site.toString(), "it is static, so that no call passes Once",
					"Make it an instance method of the bean");
		}
		if (Modifier.isFinal(modifiers)) {
			throw new InvalidGuardException(site.toString(), "it is final, so that no call passes Once",
					"Remove 'final' (Kotlin: add 'open', or use the kotlin-spring plugin)");
		}
		boolean ofPackage = !Modifier.isPublic(modifiers) && !Modifier.isProtected(modifiers);
		if (ofPackage && !site.method().getDeclaringClass().getPackageName().equals(site.type().getPackageName())) {
			throw new InvalidGuardException(site.toString(), "it is package-private in another package than "
					+ site.type().getName() + ", so that no call passes Once", "Make it protected or public");
		}
	}

	/**
	 * Refuses a job that is carried out on another thread than it is called on, where the
	 * due time of its firing is not known (O1).
	 */
	static void checkNotAsync(Site site) {
		MergedAnnotations method = MergedAnnotations.from(site.method(), SearchStrategy.TYPE_HIERARCHY);
		MergedAnnotations type = MergedAnnotations.from(site.type(), SearchStrategy.TYPE_HIERARCHY);
		for (String name : ASYNCHRONOUS) {
			if (method.isPresent(name) || type.isPresent(name)) {
				throw new InvalidGuardException(site.toString(),
						"it is a job, and @" + ClassUtils.getShortName(name)
								+ (method.isPresent(name) ? "" : " on its class")
								+ " carries it out on another thread, where nobody knows what it is due for",
						"Take @" + ClassUtils.getShortName(name)
								+ " away; where the job is not to hold up others, give it a scheduler of its own with "
								+ "@Scheduled(scheduler = ...) or a larger spring.task.scheduling.pool.size");
			}
		}
	}

	/**
	 * Refuses a method that the container calls on the bean itself.
	 */
	static void checkNoCallback(Site site) {
		Method method = site.method();
		boolean annotated = Arrays.stream(method.getAnnotations())
			.anyMatch((annotation) -> CALLBACKS.contains(annotation.annotationType().getName()));
		boolean initializes = method.getName().equals("afterPropertiesSet")
				&& InitializingBean.class.isAssignableFrom(site.type());
		boolean destroys = method.getName().equals("destroy") && DisposableBean.class.isAssignableFrom(site.type());
		if (annotated || ((initializes || destroys) && method.getParameterCount() == 0)) {
			throw new InvalidGuardException(site.toString(),
					"the container calls it on the bean itself, past its proxy, as the bean is made or destroyed",
					"Call it from another bean, an ApplicationRunner for example");
		}
	}

}
