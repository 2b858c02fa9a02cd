package dev.once.sample.farside;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A mode and the requests it is meant for.
 *
 * @param action the action it applies to
 * @param side the requests that ask for the effect, or those that look it up
 * @param mode how they are treated
 * @param target the only target it applies to, null for all
 * @param next how many requests it is still good for, null for all
 * @param millis how long the mode waits, null for the mode's default
 * @param status the status of an error answer, 503 if a refusing mode names none
 * @param retryAfter the {@code Retry-After} of an error answer, in seconds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Rule(FarSideAction action, Side side, Mode mode, @Nullable String target, @Nullable Integer next,
		@Nullable Long millis, @Nullable Integer status, @Nullable Integer retryAfter) {

	private static final Duration DEFAULT_WAIT = Duration.ofSeconds(1);

	private static final Duration DEFAULT_HANG = Duration.ofMinutes(10);

	Rule {
		if (status == null && (mode == Mode.REFUSE || mode == Mode.RECORD_THEN_REFUSE)) {
			status = 503;
		}
	}

	static Rule answer(FarSideAction action, Side side) {
		return new Rule(action, side, Mode.ANSWER, null, null, null, null, null);
	}

	Duration pause() {
		if (this.millis != null) {
			return Duration.ofMillis(this.millis);
		}
		return (this.mode == Mode.RECORD_THEN_HANG) ? DEFAULT_HANG : DEFAULT_WAIT;
	}

	boolean concerns(Side side, @Nullable String target) {
		return this.side == side && (this.target == null || this.target.equals(target));
	}

	Rule usedOnce() {
		return (this.next == null) ? this : new Rule(this.action, this.side, this.mode, this.target, this.next - 1,
				this.millis, this.status, this.retryAfter);
	}

	/**
	 * Requests that ask for an effect, or those that only look.
	 */
	enum Side {

		@JsonProperty("writes")
		WRITES,

		@JsonProperty("lookups")
		LOOKUPS

	}

}
