package dev.once.ledger;

import java.util.Optional;

/**
 * The port that asks the database whether Once's tables can be written, without writing.
 */
public interface LedgerHealth {

	/**
	 * Asks the database. Never throws; a database that does not answer is an obstacle.
	 * @return what keeps the ledger from being written, in one line, or empty when
	 * nothing does
	 */
	Optional<String> obstacle();

}
