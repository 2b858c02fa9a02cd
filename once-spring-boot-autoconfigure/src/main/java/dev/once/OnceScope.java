package dev.once;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Carries the current run and the current effect on a thread, and nothing else.
 *
 * @param run the run, or {@code null}
 * @param effect the effect, or {@code null}
 */
public record OnceScope(@Nullable JobRun run, @Nullable Effect effect) {

	private static final OnceScope NONE = new OnceScope(null, null);

	private static final ThreadLocal<OnceScope> CURRENT = new ThreadLocal<>();

	/**
	 * What the current thread carries.
	 */
	public static OnceScope current() {
		OnceScope scope = CURRENT.get();
		return (scope != null) ? scope : NONE;
	}

	/**
	 * Makes this scope the thread's until the result is closed.
	 * @return closes it and brings the former scope back
	 */
	public Restore open() {
		OnceScope former = CURRENT.get();
		CURRENT.set(this);
		return () -> {
			if (former == null) {
				CURRENT.remove();
			}
			else {
				CURRENT.set(former);
			}
		};
	}

	/**
	 * Runs something within this scope.
	 * @param <T> the result's type
	 * @param work what to run
	 * @return its result
	 */
	public <T extends @Nullable Object> T call(Supplier<T> work) {
		try (Restore restore = open()) {
			return work.get();
		}
	}

	/**
	 * Brings the former scope back.
	 */
	@FunctionalInterface
	public interface Restore extends AutoCloseable {

		@Override
		void close();

	}

}
