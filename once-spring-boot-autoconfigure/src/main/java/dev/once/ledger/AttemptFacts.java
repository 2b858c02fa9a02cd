package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The latest attempt at an effect.
 *
 * @param number the attempt's number, from 1
 * @param id the attempt's random id: every move of the row names it
 * @param fence the run it belongs to, or {@code null} outside a run
 * @param submittedAt when it was submitted
 * @param windowUntil the end of its window
 * @param settleAfter how long after the window's end a "not found" still proves nothing
 */
public record AttemptFacts(int number, String id, @Nullable Fence fence, Instant submittedAt, Instant windowUntil,
		Duration settleAfter) {

	/**
	 * From when on "did not happen" may be believed (E7).
	 */
	public Instant settledAt() {
		return this.windowUntil.plus(this.settleAfter);
	}

}
