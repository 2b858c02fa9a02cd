package dev.once.ledger;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a far side's contract promises, with every default and override applied.
 *
 * @param name the far side's name
 * @param hosts its host names; empty for every host
 * @param window how long after the submit a request may leave
 * @param maxWindow the longest window of a live body
 * @param settleAfter how long after the window's end a "not found" proves nothing
 * @param remembers how long it deduplicates by our key, or {@code null}
 * @param shows how long it shows an effect, or {@code null} for ever
 * @param refusalKey what a definite refusal does to the key
 * @param refusedOn throwables that prove a refusal
 * @param notSentOn throwables that prove that nothing was sent
 * @param attempts how many attempts before a refusal asks for a person, from 1
 * @param backoff the wait after a refusal that names none
 */
public record FarSideContract(String name, Set<String> hosts, Duration window, Duration maxWindow, Duration settleAfter,
		@Nullable Duration remembers, @Nullable Duration shows, RefusalKey refusalKey,
		Set<Class<? extends Throwable>> refusedOn, Set<Class<? extends Throwable>> notSentOn, int attempts,
		Duration backoff) {

	/**
	 * Whether the far side deduplicates for long enough that an attempt whose answer was
	 * lost can be sent again (E8).
	 */
	public boolean remembersLongEnough() {
		return this.remembers != null && this.remembers.compareTo(this.window.plus(this.settleAfter)) > 0;
	}

	/**
	 * What a definite refusal does to the key that the far side is given (E10).
	 */
	public enum RefusalKey {

		/**
		 * Nothing.
		 */
		SAME,

		/**
		 * The number of refusals is appended to it.
		 */
		FRESH

	}

}
