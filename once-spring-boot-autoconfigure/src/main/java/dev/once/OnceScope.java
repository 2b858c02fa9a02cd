package dev.once;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.function.Function;
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

	static final OnceScope NONE = new OnceScope(null, null, null);

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
		OnceScope former = current();
		set(this);
		return () -> set(former);
	}

	static void set(OnceScope scope) {
		if (scope == NONE) {
			CURRENT.remove();
		}
		else {
			CURRENT.set(scope);
		}
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
	 * Work that carries this scope, for another thread.
	 * @param work the work
	 */
	public Runnable wrap(Runnable work) {
		return () -> {
			try (Restore restore = open()) {
				work.run();
			}
		};
	}

	/**
	 * Work that carries this scope, for another thread.
	 * @param <T> the result's type
	 * @param work the work
	 */
	public <T extends @Nullable Object> Callable<T> wrapCallable(Callable<T> work) {
		return () -> {
			try (Restore restore = open()) {
				return work.call();
			}
		};
	}

	/**
	 * Work that carries this scope, for another thread.
	 * @param <T> the result's type
	 * @param work the work
	 */
	public <T extends @Nullable Object> Supplier<T> wrapSupplier(Supplier<T> work) {
		return () -> call(work);
	}

	/**
	 * A function that carries this scope, for the elements of a parallel stream.
	 * @param <E> the argument's type
	 * @param <T> the result's type
	 * @param work the function
	 */
	public <E extends @Nullable Object, T extends @Nullable Object> Function<E, T> wrapFunction(Function<E, T> work) {
		return (element) -> call(() -> work.apply(element));
	}

	/**
	 * An executor whose tasks carry the scope of the thread that hands them over.
	 * @param executor runs them
	 */
	public static Executor executor(Executor executor) {
		return (task) -> executor.execute(current().wrap(task));
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
