package dev.once.ledger;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * T1: the port to the transaction that a local effect is a part of: its caller's, or one
 * that is opened for it.
 */
public interface LocalTransaction {

	/**
	 * Runs work in it. A transaction that was opened for the work is committed
	 * afterwards; the caller's is committed by whoever began it.
	 * @param <T> what the work gives
	 * @param work the work
	 * @return what the work returned
	 * @throws NotCommittedException when a commit was tried and failed: whether it took
	 * effect is not known
	 * @throws Throwable what kept it from beginning, or what the work or a part threw:
	 * the transaction is rolled back, or cannot be committed any more
	 */
	<T extends @Nullable Object> T run(Work<T> work) throws Throwable;

	/**
	 * What is done in the transaction.
	 *
	 * @param <T> what it gives
	 */
	@FunctionalInterface
	interface Work<T extends @Nullable Object> {

		/**
		 * Does it.
		 * @param transaction the transaction
		 * @return what it gives
		 * @throws Throwable what went wrong
		 */
		T in(Current transaction) throws Throwable;

	}

	/**
	 * The transaction while work is done in it.
	 */
	interface Current {

		/**
		 * Whether it cannot be committed any more.
		 */
		boolean isRollbackOnly();

		/**
		 * Sees to it that it is not committed.
		 */
		void rollBack();

		/**
		 * Adds a part that has a word in its commit and is told its end.
		 * @param part the part
		 */
		void add(Part part);

	}

	/**
	 * An effect's part in the transaction.
	 */
	interface Part {

		/**
		 * The last thing before the commit; what it throws rolls back.
		 * @param checked the runs that were found not to be fenced in this transaction
		 */
		void beforeCommit(Set<Fence> checked);

		/**
		 * The transaction has ended. Must not throw.
		 * @param end how
		 */
		void ended(End end);

	}

	/**
	 * How a transaction ended.
	 */
	enum End {

		/**
		 * Committed.
		 */
		COMMITTED,

		/**
		 * Rolled back.
		 */
		ROLLED_BACK,

		/**
		 * Its commit failed: nobody knows yet.
		 */
		UNKNOWN

	}

	/**
	 * A commit failed.
	 */
	final class NotCommittedException extends Exception {

		private final Throwable failure;

		public NotCommittedException(Throwable failure) {
			super(failure);
			this.failure = failure;
		}

		Throwable failure() {
			return this.failure;
		}

	}

}
