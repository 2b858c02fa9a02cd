package dev.once.jdbc;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;

/**
 * The database cannot hold the ledger as it is; the message says why, and the mend.
 */
public class LedgerUnusableException extends OnceException {

	public LedgerUnusableException(@Nullable String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
