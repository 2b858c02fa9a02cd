package dev.once.autoconfigure;

import dev.once.jdbc.LedgerUnusableException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells what is wrong with the ledger's database without the way to it through the bean
 * factory.
 */
class LedgerUnusableFailureAnalyzer extends AbstractFailureAnalyzer<LedgerUnusableException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, LedgerUnusableException cause) {
		return new FailureAnalysis(cause.getMessage(), null, cause);
	}

}
