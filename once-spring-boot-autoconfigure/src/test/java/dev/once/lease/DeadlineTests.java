package dev.once.lease;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * L5: a local deadline is past as soon as either of the process's clocks says so.
 */
class DeadlineTests {

	private final SettableTime time = new SettableTime(new SettableClock());

	private final Deadline deadline = Deadline.startingNow(this.time, Duration.ofSeconds(30));

	/** L5. */
	@Test
	void itIsPastAtItsEndAndNotBefore() {
		this.time.advance(Duration.ofSeconds(30).minusNanos(1));
		assertThat(this.deadline.isPast()).isFalse();
		assertThat(this.deadline.left()).isEqualTo(Duration.ofNanos(1));
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.deadline.isPast()).isTrue();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.deadline.left()).isZero();
	}

	/** L5: a suspended machine's monotonic clock stands still. */
	@Test
	void itIsPastWhenTheWallClockSaysSo() {
		this.time.suspend(Duration.ofSeconds(31));
		assertThat(this.deadline.isPast()).isTrue();
	}

	/** L5: a wall clock can be set back; the monotonic one cannot. */
	@Test
	void itIsPastWhenTheMonotonicClockSaysSo() {
		this.time.stepWallClock(Duration.ofDays(-1));
		this.time.advance(Duration.ofSeconds(30));
		assertThat(this.deadline.isPast()).isTrue();
		assertThat(this.deadline.elapsed()).isEqualTo(Duration.ofSeconds(30));
	}

}
