package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * What the far side says about an effect whose answer was lost.
 *
 * @param <T> the effect's answer
 */
public sealed interface Resolution<T extends @Nullable Object> {

	/**
	 * It happened; the answer is recorded as if it had come back.
	 * @param <T> the effect's answer
	 * @param answer the answer, or {@code null}
	 */
	static <T extends @Nullable Object> Resolution<T> happened(T answer) {
		return new Happened<>(answer);
	}

	/**
	 * The far side does not know it. Once believes that only after the window and
	 * settle-after have passed.
	 * @param <T> the effect's answer
	 */
	static <T extends @Nullable Object> Resolution<T> didNotHappen() {
		return new DidNotHappen<>();
	}

	/**
	 * The far side could not be asked, or its answer proves nothing.
	 * @param <T> the effect's answer
	 */
	static <T extends @Nullable Object> Resolution<T> cannotTell() {
		return new CannotTell<>();
	}

	/**
	 * It happened.
	 *
	 * @param <T> the effect's answer
	 * @param answer the far side's answer, or {@code null}
	 */
	record Happened<T extends @Nullable Object>(T answer) implements Resolution<T> {

	}

	/**
	 * The far side does not know it.
	 *
	 * @param <T> the effect's answer
	 */
	record DidNotHappen<T extends @Nullable Object>() implements Resolution<T> {

	}

	/**
	 * Nothing is proven.
	 *
	 * @param <T> the effect's answer
	 */
	record CannotTell<T extends @Nullable Object>() implements Resolution<T> {

	}

}
