package dev.once.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * What a bean's class marks with Once's annotations, wherever in its hierarchy they
 * stand.
 *
 * @param type the class, not a subclass that Spring generated
 * @param marks the marked methods, each as it is most specific in the class
 * @param farSide the contract declared on the class, or {@code null}
 */
record MarkedClass(Class<?> type, Map<Method, Mark> marks, @Nullable FarSide farSide) {

	static MarkedClass of(Class<?> type) {
		Map<Method, Mark> marks = new LinkedHashMap<>();
		FarSide farSide = null;
		if (isCandidate(type)) {
			farSide = AnnotatedElementUtils.findMergedAnnotation(type, FarSide.class);
			FarSide ofClass = farSide;
			methods(type).forEach((method) -> {
				Method specific = specific(method, type);
				if (!marks.containsKey(specific)) {
					Mark mark = mark(specific, ofClass);
					if (mark != null) {
						marks.put(specific, mark);
					}
				}
			});
		}
		return new MarkedClass(type, Map.copyOf(marks), farSide);
	}

	static boolean isCandidate(Class<?> type) {
		return !type.getName().startsWith("org.springframework.") && !type.getName().startsWith("java.");
	}

	// A JDK proxy (an HTTP interface's client) has its annotations on its interfaces
	private static Stream<Method> methods(Class<?> type) {
		Stream<Method> methods = Proxy.isProxyClass(type)
				? ClassUtils.getAllInterfacesForClassAsSet(type)
					.stream()
					.filter(MarkedClass::isCandidate)
					.flatMap((declaring) -> Arrays.stream(declaring.getMethods()))
				: Arrays.stream(ReflectionUtils.getAllDeclaredMethods(type));
		return methods.filter(
				(method) -> method.getDeclaringClass() != Object.class && !method.isBridge() && !method.isSynthetic());
	}

	private static @Nullable Mark mark(Method method, @Nullable FarSide ofClass) {
		MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		OnceEffect effect = find(annotations, OnceEffect.class);
		OnceJob job = find(annotations, OnceJob.class);
		OnceResolver resolver = find(annotations, OnceResolver.class);
		if (effect == null && job == null && resolver == null) {
			return null;
		}
		FarSide farSide = find(annotations, FarSide.class);
		return new Mark(method, effect, job, resolver, (farSide != null) ? farSide : ofClass);
	}

	private static <A extends java.lang.annotation.Annotation> @Nullable A find(MergedAnnotations annotations,
			Class<A> type) {
		MergedAnnotation<A> annotation = annotations.get(type);
		return annotation.isPresent() ? annotation.synthesize() : null;
	}

	private static Method specific(Method method, Class<?> type) {
		return Proxy.isProxyClass(type) ? method : AopUtils.getMostSpecificMethod(method, type);
	}

	/**
	 * The mark of the method that a call of this one ends up in.
	 */
	@Nullable Mark mark(Method method) {
		return this.marks.isEmpty() ? null : this.marks.get(specific(method, this.type));
	}

	boolean isEmpty() {
		return this.marks.isEmpty() && this.farSide == null;
	}

	/**
	 * Whether any of its methods needs the interceptor.
	 */
	boolean isGuarded() {
		return this.marks.values().stream().anyMatch(Mark::isGuarded);
	}

	List<Mark> guarded() {
		return this.marks.values().stream().filter(Mark::isGuarded).toList();
	}

	/**
	 * A marked method.
	 *
	 * @param method the method
	 * @param effect its effect, or {@code null}
	 * @param job its job, or {@code null}
	 * @param resolver the action it resolves, or {@code null}
	 * @param farSide the contract declared on it or its class, or {@code null}
	 */
	record Mark(Method method, @Nullable OnceEffect effect, @Nullable OnceJob job, @Nullable OnceResolver resolver,
			@Nullable FarSide farSide) {

		boolean isGuarded() {
			return this.effect != null || this.job != null;
		}

	}

}
