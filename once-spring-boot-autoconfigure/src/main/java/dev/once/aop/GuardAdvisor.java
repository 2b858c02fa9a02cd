package dev.once.aop;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.core.Ordered;

/**
 * Puts the interceptor before guarded methods: inside {@code @Async}, {@code @Retryable}
 * and Resilience4j's Retry, so that each of their attempts is one of Once's, and outside
 * {@code @Transactional}.
 */
public final class GuardAdvisor extends AbstractPointcutAdvisor {

	private final Pointcut pointcut;

	private final GuardInterceptor interceptor;

	/**
	 * Creates the advisor.
	 * @param methods collects and knows the guarded methods
	 * @param collaborators what calls are carried out with, asked for with the first call
	 */
	public GuardAdvisor(GuardedMethods methods, Supplier<Collaborators> collaborators) {
		this.pointcut = new GuardedMethodsPointcut(methods);
		this.interceptor = new GuardInterceptor(methods, collaborators);
		setOrder(Ordered.LOWEST_PRECEDENCE - 1);
	}

	@Override
	public Pointcut getPointcut() {
		return this.pointcut;
	}

	@Override
	public Advice getAdvice() {
		return this.interceptor;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

	/**
	 * Whether calls of a bean pass Once.
	 */
	static boolean standsBefore(Object bean) {
		Object next = bean;
		while (next instanceof Advised advised) {
			for (Advisor advisor : advised.getAdvisors()) {
				if (advisor instanceof GuardAdvisor) {
					return true;
				}
			}
			next = AopProxyUtils.getSingletonTarget(next);
		}
		return false;
	}

	private static final class GuardedMethodsPointcut extends StaticMethodMatcher implements Pointcut, ClassFilter {

		private final GuardedMethods methods;

		private GuardedMethodsPointcut(GuardedMethods methods) {
			this.methods = methods;
		}

		@Override
		public ClassFilter getClassFilter() {
			return this;
		}

		@Override
		public MethodMatcher getMethodMatcher() {
			return this;
		}

		@Override
		public boolean matches(Class<?> type) {
			return this.methods.isGuarded(type);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return this.methods.isGuarded(method, targetClass);
		}

	}

}
