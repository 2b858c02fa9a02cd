package dev.once.aop;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Says that an external effect is called inside a transaction whose rollback cannot undo
 * it: once for each guarded method and name of the transaction, which declarative
 * transactions take from the method that begins them.
 */
final class TransactionWarning {

	private static final Log logger = LogFactory.getLog("once.transaction");

	/** Names may be made up from data. */
	private static final int MOST = 1000;

	private final Set<Place> told = ConcurrentHashMap.newKeySet();

	/**
	 * Looks at the caller's transaction.
	 * @param action the effect's action
	 * @param where the guarded method, or what stands for it
	 */
	void look(String action, Object where) {
		if (!TransactionSynchronizationManager.isActualTransactionActive() || !logger.isWarnEnabled()) {
			return;
		}
		Place place = new Place(action, where, TransactionSynchronizationManager.getCurrentTransactionName());
		if (this.told.size() >= MOST || this.told.contains(place) || !CallersTransaction.isOpen()
				|| !this.told.add(place)) {
			return;
		}
		logger.warn("Effect '" + action + "' (" + where + ") is called inside a transaction"
				+ ((place.transaction() != null) ? ", " + place.transaction() : "")
				+ ". A rollback cannot undo it: the effect stays done. Call it after the commit "
				+ "(@TransactionalEventListener), or, if it is a write to this database, declare it with "
				+ "boundary = Boundary.DATABASE. Said once for each guarded method and transaction; "
				+ "logging.level.once.transaction=error leaves it out");
	}

	/**
	 * Where effects are called.
	 *
	 * @param action the effect's action
	 * @param where the guarded method
	 * @param transaction the transaction's name, or {@code null}
	 */
	private record Place(String action, Object where, @Nullable String transaction) {

	}

}
