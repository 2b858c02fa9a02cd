package dev.once.aop;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.DueTime;
import dev.once.Grain;
import dev.once.JobAbandonedException;
import dev.once.JobAlreadyDoneException;
import dev.once.JobAlreadyRunningException;
import dev.once.JobNotRunException;
import dev.once.JobOutcome;
import dev.once.JobRun;
import dev.once.JobWaitingException;
import dev.once.OnceException;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceScope;
import dev.once.Overlap;
import dev.once.occurrence.Firing;
import dev.once.occurrence.JobCall;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore.Again;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What a call of a job means to its caller, and how it is made again.
 */
class JobCallsTests {

	private static final Instant DUE = Instant.parse("2026-05-04T02:00:00Z");

	private final GuardedContext guarded = GuardedContext.of(Jobs.class, Runs.class);

	private final Runs runs = this.guarded.get(Runs.class);

	private final OnceOperations once = this.guarded.get(OnceOperations.class);

	@AfterEach
	void close() {
		this.guarded.close();
	}

	@Test
	void aJobComesBackThroughItsProxyWithTheArgumentsThatWereRecorded() throws Throwable {
		RecordedCall call = this.guarded.methods().comeBack("export");
		assertThat(call).isNotNull();
		assertThat(call.call("[\"c-1\",\"17\"]")).isEqualTo("c-1/17");
		assertThat(this.runs.seen).containsExactly("export for c-1/17");
		assertThat(this.guarded.methods().comeBack("nobody")).isNull();
	}

	@Test
	void aJobThatTakesArgumentsIsNotCalledWithoutThem() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.guarded.methods().comeBack("export").call(null))
			.withMessageContaining("none were recorded");
		IllegalStateException failure = new IllegalStateException();
		this.runs.failure = failure;
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.guarded.methods().comeBack("plain").call(null))
			.isSameAs(failure);
	}

	/** Case 31: a release without the parameter would do the work of all for one. */
	@Test
	void aJobThatTakesNoArgumentsAnyMoreIsNotCalledForRecordedOnes() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.guarded.methods().comeBack("plain").call("[\"c-1\"]"))
			.withMessageContaining("Was the method changed?")
			.withMessageNotContaining("c-1");
		assertThat(this.runs.seen).isEmpty();
	}

	@Test
	void aJobOfAChildContextComesBackToo() throws Throwable {
		try (AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext()) {
			child.setParent(this.guarded.context());
			child.register(ChildJobs.class);
			GuardedContext.guard(child, new TestSettings(), this.guarded);
			child.refresh();
			assertThat(this.guarded.methods().comeBack("child").call(null)).isEqualTo("child");
			assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.once.job("child"));
		}
		assertThat(this.guarded.methods().comeBack("child")).isNull();
	}

	@Test
	void aJobThatNobodyDeclaresRunsUnderItsOwnLease() throws Exception {
		JobOutcome<String> outcome = this.once.job("digest")
			.occurrence("topic-1@42", DUE)
			.lease(Duration.ofSeconds(10))
			.call((run) -> {
				assertThat(run).isSameAs(JobRun.current());
				assertThat(run.job()).isEqualTo("digest");
				assertThat(run.due()).isEqualTo(new DueTime(DUE, null, "topic-1@42"));
				assertThat(this.once.job("digest").run((again) -> {
				})).isInstanceOf(JobOutcome.Ran.class);
				return "sent";
			});
		assertThat(outcome).isEqualTo(new JobOutcome.Ran<>("sent"));
		this.guarded.once().leases("another").claim("digest", Duration.ofSeconds(30), "another node", null);
		assertThat(this.once.job("digest").occurrence("topic-1@43", DUE).run((run) -> {
		})).isInstanceOf(JobOutcome.AlreadyRunning.class);
	}

	/** O1: within a run there is one occurrence, and no other goes by its name. */
	@Test
	void anotherOccurrenceOfARunningJobIsNotTakenForThatRun() throws Exception {
		this.once.job("digest").occurrence("topic-1@42", DUE).run((run) -> {
			this.once.job("digest").occurrence("topic-1@42", DUE).run((same) -> assertThat(same).isSameAs(run));
			assertThatExceptionOfType(OnceException.class)
				.isThrownBy(() -> this.once.job("digest").occurrence("topic-1@43", DUE).run((other) -> {
				}))
				.withMessageContaining("'topic-1@43'")
				.withMessageContaining("'topic-1@42'");
		});
	}

	/** O1: its effects would be those of another occurrence. */
	@Test
	void aJobThatCallsItselfForAnotherOccurrenceIsRefused() {
		Jobs jobs = this.guarded.get(Jobs.class);
		this.runs.nested = () -> jobs.export("c-1", 17);
		assertThat(jobs.export("c-1", 17)).isEqualTo("c-1/17");
		this.runs.nested = () -> jobs.export("c-1", 19);
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> jobs.export("c-1", 18))
			.withMessageContaining("'c-1|19'")
			.withMessageContaining("'c-1|18'");
	}

	@Test
	void aDescribedJobWithoutANameIsDueAsAnyDirectCallIs() throws Exception {
		this.once.job("outer")
			.occurrence("o-1", DUE)
			.run((outer) -> this.once.job("digest")
				.run((run) -> assertThat(run.due()).extracting(DueTime::at).isEqualTo(DUE)));
		TestSettings settings = new TestSettings();
		settings.directDue = new DirectDue.Given(DUE);
		try (GuardedContext told = GuardedContext.of(settings, Runs.class)) {
			told.get(OnceOperations.class).job("digest").run((run) -> assertThat(run.due()).isEqualTo(DueTime.of(DUE)));
		}
	}

	/** Case 1: a timer wants no value, and its repeats are no errors. */
	@Test
	void aTimersFiringThatIsTurnedAwayThrowsNothingWhateverItsMethodReturns() {
		Jobs jobs = this.guarded.get(Jobs.class);
		DueTime fired = new DueTime(DUE, ZoneId.of("UTC"), "2026-05-04T02:00[UTC]");
		for (int i = 0; i < 2; i++) {
			OnceScope.current().with(fired).call(jobs::counted);
		}
		assertThat(this.runs.seen).containsExactly("counted");
		assertThatExceptionOfType(JobAlreadyDoneException.class).isThrownBy(() -> this.once.at(DUE, jobs::counted));
		assertThatExceptionOfType(JobAlreadyDoneException.class)
			.isThrownBy(() -> OnceScope.current().with(fired).call(() -> jobs.dailyTotal() + jobs.dailyTotal()));
	}

	@Test
	void aJobThatCannotBeRunAsItIsDescribedIsRefused() {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.once.job("plain"))
			.withMessageContaining("declared by a bean's @OnceJob");
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.once.job("Digest!"))
			.withMessageContaining("lower-case letters");
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.once.job("digest").lease(Duration.ofSeconds(4)))
			.withMessageContaining("5 s is the shortest");
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.once.job("digest").attempts(0));
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.once.job("digest").occurrence(" ", DUE))
			.withMessageContaining("is empty");
	}

	@Test
	void aListenerAcknowledgesWhatIsDoneAndNothingElse() {
		done(new Firing.Ran(null, OccurrenceState.FINISHED, null)).requireDone();
		JobOutcome<?> done = done(new Firing.Known(row(OccurrenceState.FINISHED, null)));
		done.requireDone();
		assertThatExceptionOfType(JobAlreadyDoneException.class).isThrownBy(done::orElseThrow)
			.withMessageContaining("is already done, at 2026-05-04T02:00:05Z")
			.matches((ex) -> !ex.retryable() && DUE.plusSeconds(5).equals(ex.doneAt()));
		assertThatExceptionOfType(JobAlreadyRunningException.class)
			.isThrownBy(() -> done(new Firing.Suppressed()).requireDone())
			.matches(JobNotRunException::retryable);
		assertThatExceptionOfType(JobWaitingException.class)
			.isThrownBy(() -> done(new Firing.Known(row(OccurrenceState.OPEN, DUE.plusSeconds(70)))).requireDone())
			.matches((ex) -> ex.retryable() && Duration.ofSeconds(60).equals(ex.retryAfter()));
		assertThatExceptionOfType(JobWaitingException.class).isThrownBy(() -> done(new Firing.Stopping()).requireDone())
			.matches(JobNotRunException::retryable);
		for (Firing never : List.of(new Firing.Known(row(OccurrenceState.ABANDONED, null)),
				new Firing.Purged(DUE.plusSeconds(1)))) {
			assertThatExceptionOfType(JobAbandonedException.class).isThrownBy(() -> done(never).requireDone())
				.matches((ex) -> !ex.retryable());
		}
	}

	private static JobOutcome<@Nullable Object> done(Firing firing) {
		return JobCalls.outcome(new JobCall("digest", Duration.ofSeconds(30), "test", 3, Duration.ofSeconds(60), "m-1",
				DueTime.of(DUE), new Again.WhenDue(), null, JobPolicy.OF_CALLERS), firing);
	}

	private static OccurrenceRow row(OccurrenceState state, @Nullable Instant next) {
		return new OccurrenceRow("digest", "m-1", DUE, null, state, 1, next, "run", "owner", 1, null, DUE,
				DUE.plusSeconds(5), null, null, DUE.plusSeconds(10));
	}

	static class Runs {

		final List<String> seen = new CopyOnWriteArrayList<>();

		@Nullable RuntimeException failure;

		Runnable nested = () -> {
		};

	}

	static class Jobs {

		private final Runs runs;

		Jobs(Runs runs) {
			this.runs = runs;
		}

		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "{#customer, #part}")
		String export(String customer, int part) {
			this.runs.seen.add(JobRun.current().job() + " for " + customer + "/" + part);
			Runnable nested = this.runs.nested;
			this.runs.nested = () -> {
			};
			nested.run();
			return customer + "/" + part;
		}

		@Scheduled(cron = "0 0 2 * * *", zone = "UTC")
		@OnceJob(name = "counted", overlap = Overlap.COALESCE)
		int counted() {
			this.runs.seen.add("counted");
			return 1;
		}

		@OnceJob(name = "daily-total", overlap = Overlap.COALESCE, grain = Grain.DAY)
		int dailyTotal() {
			return 1;
		}

		@OnceJob(name = "plain", overlap = Overlap.COALESCE)
		void plain() {
			if (this.runs.failure != null) {
				throw this.runs.failure;
			}
		}

	}

	static class ChildJobs {

		@OnceJob(name = "child", overlap = Overlap.COALESCE)
		String child() {
			return JobRun.current().job();
		}

	}

}
