package dev.once.aop;

import java.util.Set;

import dev.once.ledger.LocalLedger;

import org.springframework.transaction.PlatformTransactionManager;

/**
 * A transaction manager whose transactions are the ledger's database's (T1).
 *
 * @param manager the transaction manager
 * @param dataSource what its transactions bind their JDBC connection to
 * @param resources all that its transactions bind
 * @param ledger the ledger on such a connection
 */
public record LocalDatabase(PlatformTransactionManager manager, Object dataSource, Set<Object> resources,
		LocalLedger ledger) {

}
