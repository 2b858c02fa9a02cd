package dev.once.sample.farside;

import java.time.Instant;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One line of the record.
 *
 * @param sequence its place in the record, from 1
 * @param at when it was written
 * @param action what was asked for
 * @param verdict what became of it
 * @param target what it was about, null for a look-up by key
 * @param key the {@code Idempotency-Key} it carried or asked about
 * @param token the {@code Once-Fencing-Token} it carried
 * @param digest SHA-256 of its body, null for a look-up
 * @param amount the amount in its body as it was spelled
 * @param mode how it was treated
 * @param status the status of an error answer
 * @param visibleAt from when look-ups show an applied effect
 * @param repeats the sequence of the request whose answer a repeat was given
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RecordedRequest(long sequence, Instant at, FarSideAction action, Verdict verdict, @Nullable String target,
		@Nullable String key, @Nullable String token, @Nullable String digest, @Nullable String amount, Mode mode,
		@Nullable Integer status, @Nullable Instant visibleAt, @Nullable Long repeats) {

	/**
	 * What the caller is told: the same words for the first answer, its repeats and
	 * look-ups, also after a restart.
	 */
	Receipt receipt() {
		return new Receipt(this.action.word() + "-" + this.sequence, this.target, this.amount);
	}

	record Receipt(String number, @Nullable String target, @Nullable String amount) {
	}

}
