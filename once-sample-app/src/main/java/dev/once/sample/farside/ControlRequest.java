package dev.once.sample.farside;

import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /control}: a rule, settings, or both.
 *
 * @param action the action meant, null for all of them
 * @param side {@code writes} (the default) or {@code lookups}
 * @param mode the mode of a new rule, null if only settings change
 * @param target the only target the rule is for
 * @param next how many requests the rule is for, null for all until it is replaced
 * @param millis how long the mode waits
 * @param status the status of an error answer
 * @param retryAfter the {@code Retry-After} of an error answer, in seconds
 * @param listLate how long look-ups do not show new effects, in milliseconds
 * @param deduplicate whether a known key is recognised
 */
record ControlRequest(@Nullable FarSideAction action, Rule.@Nullable Side side, @Nullable Mode mode,
		@Nullable String target, @Nullable Integer next, @Nullable Long millis, @Nullable Integer status,
		@Nullable Integer retryAfter, @Nullable Long listLate, @Nullable Deduplication deduplicate) {

	ControlRequest {
		if (mode == null && listLate == null && deduplicate == null) {
			throw new IllegalArgumentException("Nothing to change: give 'mode', 'listLate' or 'deduplicate'");
		}
		if (next != null && next < 1) {
			throw new IllegalArgumentException("'next' is " + next + ": give 1 or more, or leave it out");
		}
		if (status != null && (status < 400 || status > 599)) {
			throw new IllegalArgumentException("'status' is " + status + ": give 400 to 599");
		}
	}

	List<FarSideAction> actions() {
		return (this.action != null) ? List.of(this.action) : Arrays.asList(FarSideAction.values());
	}

	@Nullable Rule rule(FarSideAction action) {
		if (this.mode == null) {
			return null;
		}
		Rule.Side wanted = (this.side != null) ? this.side : Rule.Side.WRITES;
		return new Rule(action, wanted, this.mode, this.target, this.next, this.millis, this.status, this.retryAfter);
	}

}
