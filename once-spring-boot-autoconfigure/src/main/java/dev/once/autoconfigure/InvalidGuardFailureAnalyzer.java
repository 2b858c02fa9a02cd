package dev.once.autoconfigure;

import dev.once.aop.InvalidGuardException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Tells which method cannot be guarded, and the mend, without the way to it through the
 * bean factory.
 */
class InvalidGuardFailureAnalyzer extends AbstractFailureAnalyzer<InvalidGuardException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidGuardException cause) {
		return new FailureAnalysis(cause.where() + ": " + cause.what() + ".", cause.mend() + ".", cause);
	}

}
