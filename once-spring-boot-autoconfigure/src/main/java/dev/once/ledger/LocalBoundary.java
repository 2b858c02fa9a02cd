package dev.once.ledger;

/**
 * What it takes to carry an effect out in the ledger's own database (T1).
 *
 * @param transaction the transaction that it is a part of
 * @param ledger the ledger in that transaction
 */
public record LocalBoundary(LocalTransaction transaction, LocalLedger ledger) {

}
