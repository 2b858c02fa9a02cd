/**
 * The ledger in a database: connections, tables, and the only adapters of the protocol's
 * ports.
 */
@NullMarked
package dev.once.jdbc;

import org.jspecify.annotations.NullMarked;
