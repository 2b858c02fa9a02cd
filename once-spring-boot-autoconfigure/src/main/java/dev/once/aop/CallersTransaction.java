package dev.once.aop;

import java.util.Set;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction that the current thread's caller is in.
 */
final class CallersTransaction {

	private static final String SYNCHRONIZATIONS = "org.springframework.transaction.support.TransactionSynchronizationUtils";

	private static final Set<String> AFTER_COMMIT = Set.of("triggerAfterCommit", "invokeAfterCommit");

	private CallersTransaction() {
	}

	/**
	 * Whether there is one that can still be rolled back. Where a transaction's callbacks
	 * run after its commit, Spring still calls it active.
	 */
	static boolean isOpen() {
		return TransactionSynchronizationManager.isActualTransactionActive() && !hasEnded();
	}

	/**
	 * Whether the active one has been committed or rolled back, and its callbacks run.
	 */
	static boolean hasEnded() {
		// Its synchronizations are taken away before those after completion are called
		return TransactionSynchronizationManager.isActualTransactionActive()
				&& (!TransactionSynchronizationManager.isSynchronizationActive() || isAfterCommit());
	}

	/** Nothing but the stack tells a callback after the commit from one before it. */
	private static boolean isAfterCommit() {
		return StackWalker.getInstance()
			.walk((frames) -> frames.anyMatch((frame) -> frame.getClassName().equals(SYNCHRONIZATIONS)
					&& AFTER_COMMIT.contains(frame.getMethodName())));
	}

}
