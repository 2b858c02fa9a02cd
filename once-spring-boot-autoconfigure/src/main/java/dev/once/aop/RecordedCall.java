package dev.once.aop;

import org.jspecify.annotations.Nullable;

/**
 * Calls a job's method again, through all that stands before it.
 */
@FunctionalInterface
public interface RecordedCall {

	/**
	 * Calls it.
	 * @param arguments the arguments as they were recorded, or {@code null} where the
	 * method takes none
	 * @return what it returns
	 * @throws dev.once.OnceException when they cannot be read as what the method takes
	 * today; it was not called
	 * @throws Throwable what it throws
	 */
	@Nullable Object call(@Nullable String arguments) throws Throwable;

}
