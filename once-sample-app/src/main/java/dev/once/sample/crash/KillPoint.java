package dev.once.sample.crash;

import java.util.Locale;

/**
 * A place at which a node can be killed or stopped.
 */
public enum KillPoint {

	BEFORE_CLAIM, AFTER_CLAIM, BEFORE_SUBMIT, AFTER_SUBMIT,

	/**
	 * Between the last deadline check and the socket write: the gap that no guard in the
	 * process closes.
	 */
	BEFORE_SEND,

	AFTER_SEND, BEFORE_SETTLE, AFTER_SETTLE, BEFORE_LOSE, AFTER_LOSE, BEFORE_ASK, AFTER_ASK,

	/** The resolver's question is on its way. */
	DURING_RESOLVER,

	BEFORE_RESOLVED, AFTER_RESOLVED, BEFORE_RENEWAL, AFTER_RENEWAL, BEFORE_RELEASE, AFTER_RELEASE;

	/**
	 * Its name in logs, files and properties.
	 */
	public String word() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
