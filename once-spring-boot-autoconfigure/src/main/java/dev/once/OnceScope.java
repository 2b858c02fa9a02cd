package dev.once;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Carries the current run, the current effect and the due time of what is about to run on
 * a thread, and nothing else.
 *
 * @param run the run, or {@code null}
 * @param effect the effect, or {@code null}
 * @param due the due time of a firing that no run has taken up yet, or {@code null}
 */
public record OnceScope(@Nullable JobRun run, @Nullable Effect effect, @Nullable DueTime due) {

	private static final OnceScope NONE = new OnceScope(null, null, null);

	private static final ThreadLocal<OnceScope> CURRENT = new ThreadLocal<>();

	/**
	 * What the current thread carries.
	 */
	public static OnceScope current() {
		OnceScope scope = CURRENT.get();
		return (scope != null) ? scope : NONE;
	}

	/**
	 * This scope with another effect.
	 * @param effect the effect, or {@code null}
	 */
	public OnceScope with(@Nullable Effect effect) {
		return new OnceScope(this.run, effect, this.due);
	}

	/**
	 * This scope with the due time of what is about to run.
	 * @param due the due time, or {@code null}
	 */
	public OnceScope with(@Nullable DueTime due) {
		return new OnceScope(this.run, this.effect, due);
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
