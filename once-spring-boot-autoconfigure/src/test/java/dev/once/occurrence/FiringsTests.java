package dev.once.occurrence;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

import dev.once.DueTime;
import org.junit.jupiter.api.Test;

import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a firing is due for, whatever became of those before it.
 */
class FiringsTests {

	private static final Instant START = Instant.parse("2026-05-04T02:00:00Z");

	private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

	private Instant now = START;

	private Duration left = Duration.ZERO;

	private final Clock clock = clock(ZoneOffset.UTC);

	private final SimpleTriggerContext context = new SimpleTriggerContext(this.clock);

	private final TriggerFirings everySecond = cron("* * * * * *", null, null);

	@Test
	void aFiringIsDueWhenItsTriggerSaidAndNotWhenItBegins() {
		next(this.everySecond);
		at("02:00:07.3");
		assertThat(take(this.everySecond)).isEqualTo("02:00:01");
	}

	/** Seen on SimpleAsyncTaskScheduler: three of four firings saw the next second. */
	@Test
	void aSchedulerThatAsksForTheNextFiringFirstChangesNothing() {
		next(this.everySecond);
		at("02:00:01");
		next(this.everySecond);
		assertThat(take(this.everySecond)).isEqualTo("02:00:01");
		at("02:00:02");
		assertThat(take(this.everySecond)).isEqualTo("02:00:02");
	}

	/** A rejected hand-off is swallowed, and a queue would be one behind for ever. */
	@Test
	void aFiringThatNeverBeganIsForgotten() {
		next(this.everySecond);
		at("02:00:01");
		next(this.everySecond);
		at("02:00:02");
		next(this.everySecond);
		assertThat(take(this.everySecond)).isEqualTo("02:00:02");
		at("02:00:03");
		assertThat(take(this.everySecond)).isEqualTo("02:00:03");
	}

	@Test
	void aFiringThatAnotherOvertookIsNeverDueInTheFuture() {
		next(this.everySecond);
		at("02:00:01");
		next(this.everySecond);
		at("02:00:02");
		next(this.everySecond);
		assertThat(take(this.everySecond)).isEqualTo("02:00:02");
		assertThat(take(this.everySecond)).isEqualTo("02:00:02");
		at("02:00:03");
		assertThat(take(this.everySecond)).isEqualTo("02:00:03");
	}

	@Test
	void aClockThatWasPutBackChangesNothing() {
		next(this.everySecond);
		at("01:59:30");
		assertThat(take(this.everySecond)).isEqualTo("02:00:01");
	}

	@Test
	void theTriggersNameIsThatOfItsSchedule() {
		TriggerFirings daily = cron("0 0 2 * * *", "America/New_York", TOKYO);
		next(daily);
		DueTime due = daily.take();
		assertThat(due.occurrence()).isEqualTo("2026-05-04T02:00[America/New_York]");
		assertThat(due.zone()).isEqualTo(ZoneId.of("America/New_York"));
		assertThat(due.at()).isEqualTo(Instant.parse("2026-05-04T06:00:00Z"));
	}

	@Test
	void aCronWithoutAZoneFiresInTheOneThatWasSet() {
		TriggerFirings daily = cron("0 0 2 * * *", null, TOKYO);
		next(daily);
		DueTime due = daily.take();
		assertThat(due.at()).isEqualTo(Instant.parse("2026-05-04T17:00:00Z"));
		assertThat(due.occurrence()).isEqualTo("2026-05-05T02:00[Asia/Tokyo]");
		assertThat(due.zone()).isEqualTo(TOKYO);
	}

	@Test
	void aCronWithoutAnyZoneFiresInThatOfTheSchedulersClock() {
		TriggerFirings daily = cron("0 0 2 * * *", null, null);
		daily.nextExecution(new SimpleTriggerContext(clock(TOKYO)));
		assertThat(daily.take().occurrence()).isEqualTo("2026-05-05T02:00[Asia/Tokyo]");
	}

	/** Case 6: each firing of a burst has a slot of its own. */
	@Test
	void aPoolThatCatchesUpGivesEachFiringItsOwnDueTime() {
		PeriodicFirings rate = rate(Duration.ofSeconds(60));
		assertThat(take(rate)).isEqualTo("02:00:00");
		at("02:10:00.004");
		this.left = Duration.ofMinutes(-9).minusMillis(4);
		assertThat(take(rate)).isEqualTo("02:01:00");
		at("02:10:00.011");
		this.left = Duration.ofMinutes(-8).minusMillis(11);
		assertThat(take(rate)).isEqualTo("02:02:00");
	}

	@Test
	void aHandedOffFiringIsDueInTheSlotThatHasBegun() {
		PeriodicFirings rate = rate(Duration.ofSeconds(60));
		at("02:01:00.002");
		this.left = Duration.ofSeconds(60).minusMillis(2);
		assertThat(take(rate)).isEqualTo("02:01:00");
	}

	@Test
	void readingTwoClocksCarriesNoFiringOverTheEdgeOfItsSlot() {
		PeriodicFirings rate = rate(Duration.ofSeconds(60));
		at("02:00:59.999999");
		this.left = Duration.ZERO;
		assertThat(take(rate)).isEqualTo("02:01:00");
		at("02:02:00.000001");
		assertThat(take(rate)).isEqualTo("02:02:00");
	}

	@Test
	void aMachineThatSleptIsNotBehindForEver() {
		PeriodicFirings rate = rate(Duration.ofSeconds(60));
		at("10:00:30");
		this.left = Duration.ZERO;
		assertThat(take(rate)).isEqualTo("10:00:00");
		at("10:01:30");
		assertThat(take(rate)).isEqualTo("10:01:00");
	}

	@Test
	void aFixedDelayIsDueWithoutAName() {
		Duration delay = Duration.ofSeconds(7);
		PeriodicFirings firings = new PeriodicFirings(new Schedule.FixedDelay(delay), delay, START, TOKYO, this.clock);
		firings.follow(new Left());
		at("02:00:09");
		this.left = Duration.ofSeconds(-1);
		assertThat(firings.take()).isEqualTo(new DueTime(START.plusSeconds(8), TOKYO, null));
	}

	private PeriodicFirings rate(Duration period) {
		PeriodicFirings rate = new PeriodicFirings(new Schedule.FixedRate(period), period, START, TOKYO, this.clock);
		rate.follow(new Left());
		return rate;
	}

	private TriggerFirings cron(String expression, String zone, ZoneId fallback) {
		ZoneId own = (zone != null) ? ZoneId.of(zone) : null;
		Trigger trigger = (own != null) ? new CronTrigger(expression, own) : new CronTrigger(expression);
		return new TriggerFirings(trigger, new Schedule.Cron(expression, own), fallback);
	}

	private void next(TriggerFirings firings) {
		this.context.update(this.now, this.now, this.now);
		firings.nextExecution(this.context);
	}

	private void at(String time) {
		this.now = Instant.parse("2026-05-04T" + time + "Z");
	}

	private static String take(Firings firings) {
		DueTime due = firings.take();
		assertThat(due.occurrence()).isEqualTo(due.at().toString());
		return due.at().toString().replaceAll(".*T|Z", "");
	}

	private Clock clock(ZoneId zone) {
		return new Clock() {

			@Override
			public ZoneId getZone() {
				return zone;
			}

			@Override
			public Clock withZone(ZoneId other) {
				return clock(other);
			}

			@Override
			public Instant instant() {
				return FiringsTests.this.now;
			}

		};
	}

	private final class Left implements ScheduledFuture<Object> {

		@Override
		public long getDelay(TimeUnit unit) {
			return unit.convert(FiringsTests.this.left);
		}

		@Override
		public int compareTo(Delayed other) {
			return 0;
		}

		@Override
		public boolean cancel(boolean mayInterruptIfRunning) {
			return false;
		}

		@Override
		public boolean isCancelled() {
			return false;
		}

		@Override
		public boolean isDone() {
			return false;
		}

		@Override
		public Object get() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Object get(long timeout, TimeUnit unit) {
			throw new UnsupportedOperationException();
		}

	}

}
