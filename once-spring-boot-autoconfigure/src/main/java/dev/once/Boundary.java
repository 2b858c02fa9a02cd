package dev.once;

/**
 * Where an effect happens, and so what makes it happen once.
 */
public enum Boundary {

	/**
	 * In another system: its row is committed before and after the request, on
	 * connections of the ledger's own, whatever becomes of the caller's transaction.
	 */
	EXTERNAL,

	/**
	 * In the ledger's own database: its row is committed in the same transaction as the
	 * work, the caller's or one that is opened for it. Both are there or neither is.
	 */
	DATABASE

}
