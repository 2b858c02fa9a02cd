package dev.once.ledger;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A row of the ledger, as read. All instants are the database's.
 *
 * @param facts what names the effect
 * @param attempt the latest attempt
 * @param state the state
 * @param outcome how it came to be done; {@code null} unless it is
 * @param attention why a person is needed, or {@code null}
 * @param refusals how often the far side definitely refused
 * @param firstSubmittedAt when the first attempt was submitted
 * @param nextAttemptAt not to be attempted before, or {@code null}
 * @param resolveTries how often the far side could not tell
 * @param nextResolveAt not to be asked about before, or {@code null}
 * @param answer the recorded answer; {@code null} unless done with one
 * @param detail cleaned and cut text of what the last attempt ended with, or {@code null}
 * @param readAt the database's clock when the row was read
 */
public record EffectRow(EffectFacts facts, AttemptFacts attempt, EffectState state, @Nullable EffectOutcome outcome,
		@Nullable Attention attention, int refusals, Instant firstSubmittedAt, @Nullable Instant nextAttemptAt,
		int resolveTries, @Nullable Instant nextResolveAt, @Nullable Answer answer, @Nullable String detail,
		Instant readAt) {

	/**
	 * Whether the row's latest attempt is the one with this id.
	 * @param attemptId an attempt's id
	 */
	public boolean isAttempt(String attemptId) {
		return this.attempt.id().equals(attemptId);
	}

	/**
	 * Whether the latest attempt's window has ended.
	 */
	public boolean windowEnded() {
		return !this.readAt.isBefore(this.attempt.windowUntil());
	}

}
