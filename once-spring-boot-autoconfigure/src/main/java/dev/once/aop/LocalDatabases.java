package dev.once.aop;

import org.jspecify.annotations.Nullable;

import org.springframework.transaction.interceptor.TransactionAttribute;

/**
 * Finds the transaction manager that a local effect's work is committed by (T1).
 */
public interface LocalDatabases {

	/**
	 * Finds it, the one that Spring's transaction advice uses.
	 * @param declared the transaction attribute of the effect's method, or {@code null}
	 * @param type the class of the method's bean, or {@code null} without a method
	 * @param where bean and method, for messages
	 * @return the transaction manager, checked to be the ledger's database's
	 * @throws InvalidGuardException when there is none, or it is another database's
	 */
	LocalDatabase find(@Nullable TransactionAttribute declared, @Nullable Class<?> type, String where);

}
