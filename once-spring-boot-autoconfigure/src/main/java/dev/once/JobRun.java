package dev.once;

import org.jspecify.annotations.Nullable;

/**
 * The run of a job that the current thread carries out.
 */
public interface JobRun {

	/**
	 * The run of the current thread.
	 * @throws IllegalStateException outside a run
	 */
	static JobRun current() {
		JobRun run = OnceScope.current().run();
		if (run == null) {
			throw new IllegalStateException("Not inside a run: no @OnceJob method is running on this thread. "
					+ "Was it called through 'this' or on an object that Spring did not create?");
		}
		return run;
	}

	/**
	 * The job's name.
	 */
	String job();

	/**
	 * Random id of this run.
	 */
	String id();

	/**
	 * The fencing token that this run was given with its lease.
	 */
	long fencingToken();

	/**
	 * Name of the occurrence that is carried out, or {@code null} where the job's firings
	 * have no name that nodes share ({@code fixedDelay}, a direct call).
	 */
	@Nullable String occurrence();

	/**
	 * When it was due, or {@code null} for a direct call outside a firing.
	 */
	@Nullable DueTime due();

	/**
	 * Whether the run has been turned away: its token is no longer the job's.
	 */
	boolean isFenced();

	/**
	 * Ends a run that has been turned away.
	 * @throws RunFencedException when it has
	 */
	void stopIfFenced();

	/**
	 * Does something for each item and goes on past one that fails or stays unsettled,
	 * counting it. Stops when the run is fenced.
	 * @param <E> the items' type
	 * @param items the items
	 * @param action what is done for each, usually a call for an effect
	 * @throws RunFencedException when the run was fenced meanwhile
	 */
	<E> void each(Iterable<? extends E> items, ItemAction<? super E> action);

	/**
	 * What {@link #each} does for an item.
	 *
	 * @param <E> the item's type
	 */
	@FunctionalInterface
	interface ItemAction<E> {

		/**
		 * Does it.
		 * @param item the item
		 * @throws Exception when it failed; the item is counted and the next one is taken
		 */
		void accept(E item) throws Exception;

	}

}
