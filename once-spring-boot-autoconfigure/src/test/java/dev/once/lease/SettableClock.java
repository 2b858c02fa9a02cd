package dev.once.lease;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a database in memory: it stands still until it is moved.
 */
public final class SettableClock {

	private volatile Instant now = Instant.parse("2026-08-24T04:00:00Z");

	public Instant now() {
		return this.now;
	}

	public void set(Instant now) {
		this.now = now;
	}

	public void advance(Duration duration) {
		this.now = this.now.plus(duration);
	}

}
