package dev.once.aop;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

import dev.once.DueTime;
import dev.once.Grain;
import dev.once.OnceException;
import dev.once.OnceJob;
import dev.once.OnceScope;
import dev.once.aop.OccurrenceRule.Called;
import dev.once.lease.SettableClock;
import dev.once.lease.SettableTime;
import dev.once.occurrence.Schedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which occurrence a call carries out (O1, case 10).
 */
@ExtendWith(OutputCaptureExtension.class)
class OccurrenceRuleTests {

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	private static final Instant EARLY = Instant.parse("2026-05-03T20:00:00Z");

	private static final Instant DUE = Instant.parse("2026-05-04T02:00:00Z");

	private static final Object[] NONE = {};

	private final SettableTime time = new SettableTime(new SettableClock());

	private final CallTimes unknown = new CallTimes(ZURICH, new DirectDue.Unknown());

	private final CallTimes given = new CallTimes(ZURICH, new DirectDue.Given(DUE));

	private final OccurrenceRule daily = new OccurrenceRule.ByDueTime("digest", Grain.DAY, List.of());

	private final OccurrenceRule plain = new OccurrenceRule.ByDueTime("digest", Grain.OCCURRENCE, List.of());

	/** Case 10 b: started six hours early and on time, one is told the same day. */
	@Test
	void aDirectCallIsDueWhenWhoeverStartedTheProcessSays() {
		assertThat(this.daily.of(NONE, this.given, this.time).occurrence()).isEqualTo("2026-05-04");
		assertThat(at(EARLY.plusSeconds(60), this.daily, this.given).occurrence()).isEqualTo("2026-05-03");
		assertThat(this.plain.of(NONE, this.given, this.time))
			.isEqualTo(new Called("2026-05-04T02:00:00Z", new DueTime(DUE, null, "2026-05-04T02:00:00Z")));
	}

	/** O1: a release that moves the job to another hour does not run the day again. */
	@Test
	void aScheduleThatIsChangedOnTheSameDayIsTheSameOccurrenceOfItsDay() {
		OccurrenceRule before = new OccurrenceRule.ByDueTime("digest", Grain.DAY,
				List.of(new Schedule.Cron("0 0 4 * * *", ZURICH)));
		OccurrenceRule after = new OccurrenceRule.ByDueTime("digest", Grain.DAY,
				List.of(new Schedule.Cron("0 30 6 * * *", ZURICH)));
		assertThat(at(DUE, before, this.unknown).occurrence())
			.isEqualTo(at(DUE.plusSeconds(9000), after, this.unknown).occurrence())
			.isEqualTo("2026-05-04");
	}

	/** Case 10 c. */
	@Test
	void aDirectCallThatNeedsToKnowAndIsNotToldIsRefused() {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.daily.of(NONE, this.unknown, this.time))
			.withMessageStartingWith("Job 'digest' was not run.")
			.withMessageContaining("once.occurrence (ONCE_OCCURRENCE)")
			.withMessageContaining("OnceOperations.at(due, ...)")
			.withMessageContaining("once.occurrence-from-clock=true");
	}

	/** Case 10 c. */
	@Test
	void theClockIsTakenWhereThatIsAskedAndAWarningSaysSo(CapturedOutput output) {
		CallTimes clock = new CallTimes(ZURICH, new DirectDue.FromClock());
		assertThat(this.plain.of(NONE, clock, this.time).occurrence()).isNull();
		assertThat(output).doesNotContain("WARN");
		Called called = this.daily.of(NONE, clock, this.time);
		assertThat(called.occurrence()).isEqualTo(this.time.now().atZone(ZURICH).toLocalDate().toString());
		assertThat(output).contains("WARN").contains("once.occurrence-from-clock");
	}

	@Test
	void aDirectCallThatNeedsNoNameHasNone() {
		assertThat(this.plain.of(NONE, this.unknown, this.time)).isEqualTo(new Called(null, null));
	}

	@Test
	void theNameThatATimerGaveIsKeptOrCoarsened() {
		DueTime due = new DueTime(DUE, ZoneId.of("America/New_York"), "2026-05-03T22:00[America/New_York]");
		OnceScope.current().with(due).wrap(() -> {
			assertThat(this.plain.of(NONE, this.given, this.time)).isEqualTo(new Called(due.occurrence(), due));
			assertThat(this.daily.of(NONE, this.given, this.time).occurrence()).isEqualTo("2026-05-03");
		}).run();
	}

	/** O1: the same as the timer's, whoever calls. */
	@Test
	void aDirectCallOfAScheduledJobIsNamedByItsSchedule() throws Exception {
		OccurrenceRule cron = scheduled("cron");
		assertThat(at(DUE, cron, this.unknown)).isEqualTo(new Called("2026-05-03T22:00[America/New_York]",
				new DueTime(DUE, ZoneId.of("America/New_York"), "2026-05-03T22:00[America/New_York]")));
		assertThat(cron.of(NONE, this.given, this.time)).isEqualTo(at(DUE, cron, this.unknown));
		assertThat(cron.of(NONE, this.unknown, this.time)).isEqualTo(new Called(null, null));
		assertThat(at(DUE.plusSeconds(7), scheduled("rate"), this.unknown))
			.isEqualTo(new Called(DUE.toString(), new DueTime(DUE, null, DUE.toString())));
		assertThat(at(DUE, scheduled("delay"), this.unknown)).isEqualTo(new Called(null, DueTime.of(DUE)));
		assertThat(at(DUE, scheduled("several"), this.unknown).occurrence()).isEqualTo("2026-05-04T02:00[UTC]");
	}

	/** The schedule's zone goes before the settings', in which it is Monday already. */
	@Test
	void aGrainFallsInTheZoneOfTheSchedule() throws Exception {
		OccurrenceRule daily = JobRules.occurrences("digest",
				Jobs.class.getDeclaredMethod("daily").getAnnotation(OnceJob.class),
				Jobs.class.getDeclaredMethod("daily"), schedules("daily"), "Method X");
		assertThat(at(DUE, daily, this.unknown).occurrence()).isEqualTo("2026-05-03");
	}

	private static OccurrenceRule scheduled(String method) throws NoSuchMethodException {
		return new OccurrenceRule.ByDueTime("digest", Grain.OCCURRENCE, schedules(method));
	}

	private static List<Schedule> schedules(String method) throws NoSuchMethodException {
		return Schedules.of(Jobs.class.getDeclaredMethod(method),
				(text) -> text.replace("${zone}", "America/New_York").replace("${rate}", "1m"));
	}

	/** Two calls of one due time would be taken for one, and one of them be lost. */
	@Test
	void argumentsThatNameNothingLeaveTheLeaseAlone() {
		assertThat(at(DUE, new OccurrenceRule.ByLease(), this.unknown)).isEqualTo(new Called(null, DueTime.of(DUE)));
	}

	@Test
	void argumentsNameTriggeredWorkThatIsDueWhenItIsCalled() {
		OccurrenceRule rule = new OccurrenceRule.ByArguments("export",
				KeyExpression.read("{#customer, #day}", new String[] { "customer", "day" }, "Method X"));
		Object[] args = { "c-1", java.time.LocalDate.of(2026, 5, 4) };
		Called called = rule.of(args, this.unknown, this.time);
		assertThat(called.occurrence()).isEqualTo("c-1|2026-05-04");
		assertThat(called.due()).isNull();
		assertThat(at(DUE, rule, args, this.unknown).due()).extracting(DueTime::at).isEqualTo(DUE);
	}

	@Test
	void anArgumentThatNamesNothingIsRefusedWithTheJobsName() {
		OccurrenceRule rule = new OccurrenceRule.ByArguments("export",
				KeyExpression.read("#customer", new String[] { "customer" }, "Method X"));
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> rule.of(new Object[1], this.unknown, this.time))
			.withMessage("What '#customer' gives as the occurrence of job 'export' is null, "
					+ "so that different occurrences would look alike");
	}

	private Called at(Instant due, OccurrenceRule rule, CallTimes times) {
		return at(due, rule, NONE, times);
	}

	private Called at(Instant due, OccurrenceRule rule, Object[] args, CallTimes times) {
		return OnceScope.current().with(DueTime.of(due)).call(() -> rule.of(args, times, this.time));
	}

	static class Jobs {

		@Scheduled(cron = "0 0 22 * * *", zone = "${zone}")
		void cron() {
		}

		@Scheduled(cron = "0 0 22 * * *", zone = "${zone}")
		@OnceJob(name = "digest", grain = Grain.DAY)
		void daily() {
		}

		@Scheduled(fixedRateString = "${rate}")
		void rate() {
		}

		@Scheduled(fixedDelay = 5)
		void delay() {
		}

		@Scheduled(fixedDelay = 5)
		@Scheduled(cron = "-")
		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		void several() {
		}

	}

}
