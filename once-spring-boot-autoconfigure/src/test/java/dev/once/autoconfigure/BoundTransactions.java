package dev.once.autoconfigure;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions on something that is no database, a broker for instance: they bind a
 * resource and call synchronizations.
 */
final class BoundTransactions extends AbstractPlatformTransactionManager {

	@Override
	protected Object doGetTransaction() {
		return this;
	}

	@Override
	protected void doBegin(Object transaction, TransactionDefinition definition) {
		Holder holder = new Holder();
		holder.setSynchronizedWithTransaction(true);
		TransactionSynchronizationManager.bindResource(this, holder);
	}

	@Override
	protected void doCommit(DefaultTransactionStatus status) {
	}

	@Override
	protected void doRollback(DefaultTransactionStatus status) {
	}

	@Override
	protected void doCleanupAfterCompletion(Object transaction) {
		TransactionSynchronizationManager.unbindResource(this);
	}

	private static final class Holder extends ResourceHolderSupport {

	}

}
