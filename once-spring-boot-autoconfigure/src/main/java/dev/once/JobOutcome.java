package dev.once;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What became of a call of {@link OnceOperations#job}.
 *
 * @param <T> the type of what the body returns
 */
public sealed interface JobOutcome<T extends @Nullable Object> {

	/**
	 * What the body returned.
	 * @throws JobNotRunException when it was not run or not everything in it is settled
	 */
	T orElseThrow();

	/**
	 * Returns where there is nothing left to do, now or before, so that a message can be
	 * acknowledged.
	 * @throws JobNotRunException when there is
	 */
	default void requireDone() {
		orElseThrow();
	}

	/**
	 * The body ran and returned, and all that it met is done.
	 *
	 * @param <T> the type of what the body returns
	 * @param value what it returned
	 */
	record Ran<T extends @Nullable Object>(T value) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			return this.value;
		}

	}

	/**
	 * The occurrence is finished. Nothing was done.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 * @param at when it was finished, or {@code null} where that is not known
	 */
	record AlreadyDone<T extends @Nullable Object>(String call, @Nullable Instant at) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobAlreadyDoneException(
					this.call + " is already done" + ((this.at != null) ? ", at " + this.at : "")
							+ ". Nothing was done, and there is no value to return",
					this.at);
		}

		@Override
		public void requireDone() {
		}

	}

	/**
	 * Another run holds the job's lease. Nothing was done.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 */
	record AlreadyRunning<T extends @Nullable Object>(String call) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobAlreadyRunningException(this.call
					+ " is already running: another run holds the job's lease. Nothing was done, and there is no "
					+ "value to return");
		}

	}

	/**
	 * Another run holds the job's lease, and the occurrence waits in the job's queue: any
	 * node of the application carries it out in its turn.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 */
	record Queued<T extends @Nullable Object>(String call) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobQueuedException(
					this.call + " waits in the job's queue and is run in its turn. Nothing was run "
							+ "yet, and there is no value to return");
		}

		/**
		 * It will be done, whatever becomes of this process.
		 */
		@Override
		public void requireDone() {
		}

	}

	/**
	 * It came while another run was live, and was refused: by {@link Overlap#FAIL}, or
	 * because the queue is full. Nothing was done.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 * @param why why it was refused
	 */
	record Refused<T extends @Nullable Object>(String call, String why) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobRefusedException(this.why);
		}

	}

	/**
	 * The occurrence is open: its body ran, now or before, and something in it is not
	 * settled or it threw. It is to be run again.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 * @param retryAfter how long until that is worth it, or {@code null} where nothing is
	 * known about it
	 */
	record Open<T extends @Nullable Object>(String call, @Nullable Duration retryAfter) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobWaitingException(this.call + " is open: not everything in it is settled, and it is run again"
					+ ((this.retryAfter != null) ? " in " + this.retryAfter : "") + ". There is no value to return",
					this.retryAfter);
		}

	}

	/**
	 * The occurrence never runs again by itself. Nothing was done.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 * @param why why it does not
	 */
	record Abandoned<T extends @Nullable Object>(String call, String why) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobAbandonedException(this.call + " was not run: " + this.why + ". There is no value to return");
		}

	}

	/**
	 * The application is shutting down. Nothing was done.
	 *
	 * @param <T> the type of what the body returns
	 * @param call job and occurrence, for messages
	 */
	record Stopping<T extends @Nullable Object>(String call) implements JobOutcome<T> {

		@Override
		public T orElseThrow() {
			throw new JobWaitingException(
					this.call + " was not run: the application is shutting down and starts nothing new", null);
		}

	}

}
