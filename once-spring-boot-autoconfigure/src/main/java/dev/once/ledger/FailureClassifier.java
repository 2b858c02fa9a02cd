package dev.once.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Knows what the failures of one technology prove (E5).
 */
@FunctionalInterface
public interface FailureClassifier {

	/**
	 * Classifies one throwable, without walking its causes.
	 * @param failure a throwable of the chain
	 * @return what it proves, or {@code null} when it is not one of those it knows
	 */
	@Nullable Failure classify(Throwable failure);

}
