package dev.once;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.util.List;

import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * What code can ask of Once where it stands.
 */
public final class Once {

	private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

	private Once() {
	}

	/**
	 * Fails where the calling code runs past its proxy: on an object made with
	 * {@code new}, through {@code this}, on another thread. Put it first in a body that
	 * must not. In a method with {@link OnceEffect} or {@link OnceJob} that very effect
	 * or job must be the current one; anywhere else, any effect or run will do. It takes
	 * some microseconds.
	 * @throws NotGuardedException when nothing guards this call
	 */
	public static void assertGuarded() {
		OnceScope scope = OnceScope.current();
		StackFrame caller = STACK.walk((frames) -> frames.skip(1).findFirst().orElseThrow());
		MergedAnnotations annotations = annotations(caller);
		Effect effect = scope.effect();
		JobRun run = scope.run();
		String action = annotations.get(OnceEffect.class).getValue("action", String.class).orElse(null);
		String job = annotations.get(OnceJob.class).getValue("name", String.class).orElse(null);
		if (action != null && (effect == null || !action.equals(effect.action()))) {
			throw refusal(caller, "effect '" + action + "'", scope);
		}
		if (job != null && (run == null || !job.equals(run.job()))) {
			throw refusal(caller, "job '" + job + "'", scope);
		}
		if (effect == null && run == null) {
			throw refusal(caller, "any effect or run", scope);
		}
	}

	private static MergedAnnotations annotations(StackFrame caller) {
		try {
			Method method = caller.getDeclaringClass()
				.getDeclaredMethod(caller.getMethodName(), caller.getMethodType().parameterArray());
			return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		}
		catch (NoSuchMethodException ex) {
			// A constructor or an initializer
			return MergedAnnotations.of(List.of());
		}
	}

	private static NotGuardedException refusal(StackFrame caller, String expected, OnceScope scope) {
		return new NotGuardedException(caller.getClassName() + "." + caller.getMethodName() + " runs outside "
				+ expected + ", " + current(scope) + ": nothing keeps this call from happening twice. Call it on the "
				+ "bean that Spring injects, not through 'this' and not on an object made with new, and on the thread "
				+ "of the guarded call");
	}

	private static String current(OnceScope scope) {
		Effect effect = scope.effect();
		JobRun run = scope.run();
		return (effect != null) ? "within effect '" + effect.action() + "'"
				: (run != null) ? "within a run of job '" + run.job() + "'" : "within no guarded call";
	}

}
