package dev.once.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.once.JobRun;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.StoreException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * O1: nodes and releases that name occurrences otherwise are told so.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobRegistrationTests {

	private static final String RENAMES = "renames facts (O1)";

	private final ApplicationContextRunner zoneless = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
				OnceAutoConfiguration.class))
		.withUserConfiguration(Nightly.class)
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1",
				"spring.application.name=billing", "nightly=0 0 2 * * *", "once.key.secret=0123456789abcdef");

	private final ApplicationContextRunner runner = this.zoneless.withPropertyValues("once.zone=Europe/Zurich");

	@Test
	void theTableSaysWhatNamesTheOccurrencesAndASecondStartSaysNothingMore(CapturedOutput output) {
		start();
		assertThat(output).containsPattern(
				"nightly  .*run\\(\\) +cron 0 0 2 \\* \\* \\* +Europe/Zurich +occurrence +30s \\(default\\)");
		start();
		assertThat(output).doesNotContain(RENAMES).doesNotContain("(JVM's)");
	}

	@Test
	void aZoneThatNobodyChoseIsCalledTheJvms(CapturedOutput output) {
		this.zoneless.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("(JVM's)");
	}

	@Test
	void anotherScheduleWarnsOnceAndNamesBoth(CapturedOutput output) {
		start();
		start("nightly=0 30 3 * * *", "spring.application.name=later");
		assertThat(output).containsOnlyOnce(RENAMES)
			.contains(
					"Job 'nightly' was registered with schedule 'cron 0 0 2 * * *' in zone Europe/Zurich by 'billing'")
			.contains("has schedule 'cron 0 30 3 * * *' in zone Europe/Zurich here");
		start("nightly=0 30 3 * * *", "spring.application.name=later");
		assertThat(output).containsOnlyOnce(RENAMES);
	}

	@Test
	void anotherApplicationsJobOfThatNameIsToldOf(CapturedOutput output) {
		start();
		start();
		assertThat(output).doesNotContain("share its lease");
		start("spring.application.name=accounting");
		assertThat(output).containsOnlyOnce("share its lease").contains("by 'accounting' here");
		start("spring.application.name=accounting");
		assertThat(output).containsOnlyOnce("share its lease");
	}

	/** L4: bounds against the interval, at start. */
	@Test
	void aLeaseAndAMaxRunLongerThanTheIntervalAreToldOfWithTheMend(CapturedOutput output) {
		start();
		assertThat(output).doesNotContain("between two of its due times");
		start("nightly=*/10 * * * * *", "once.jobs.nightly.max-run=2m");
		assertThat(output).contains("has a lease of 30.0 s, longer than the 10.0 s between two of its due times")
			.contains("once.jobs.nightly.lease")
			.contains("has a maxRun of 120.0 s")
			.contains("Split the job");
	}

	@Test
	void boundsThatContradictEachOtherStopTheStart() {
		this.runner.withPropertyValues("once.jobs.nightly.max-run=20s")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("shorter than its lease"));
		this.runner.withPropertyValues("once.jobs.nightly.max-run=60s", "once.jobs.nightly.renew=false")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("renews no lease"));
		this.runner.withPropertyValues("once.jobs.nightly.queue-depth=0")
			.run((context) -> assertThat(context).getFailure().hasMessageContaining("queue-depth"));
	}

	/** Case 5: nodes that disagree on the zone are told so. */
	@Test
	void anotherZoneWarns(CapturedOutput output) {
		start();
		start("once.zone=Asia/Tokyo");
		assertThat(output).containsOnlyOnce(RENAMES).contains("in zone Asia/Tokyo here").contains("once.zone");
	}

	@Test
	void aRotatedSecretWarns(CapturedOutput output) {
		start();
		start("once.key.secret=fedcba9876543210");
		assertThat(output).containsOnlyOnce(RENAMES)
			.contains("once.key.secret is another one than that with which 'billing' registered job 'nightly'")
			.doesNotContain("0123456789abcdef")
			.doesNotContain("fedcba9876543210");
	}

	@Test
	void aDeploymentInTheMiddleOfARunDoesNotDisturbIt(CapturedOutput output) throws Exception {
		ExecutorService thread = Executors.newSingleThreadExecutor();
		try {
			this.runner.run((context) -> {
				Nightly nightly = context.getBean(Nightly.class);
				Future<?> run = thread.submit(nightly::run);
				assertThat(nightly.started().await(10, TimeUnit.SECONDS)).isTrue();
				LeaseRow held = context.getBean(LeaseStore.class).find("nightly").orElseThrow();
				start("nightly=0 30 3 * * *");
				assertThat(context.getBean(LeaseStore.class).find("nightly")).get().satisfies((row) -> {
					assertThat(row.runId()).isEqualTo(held.runId());
					assertThat(row.token()).isEqualTo(held.token());
					assertThat(row.leaseUntil()).isAfterOrEqualTo(held.leaseUntil());
				});
				nightly.go().countDown();
				run.get(10, TimeUnit.SECONDS);
			});
		}
		finally {
			thread.shutdownNow();
		}
		assertThat(output).contains(RENAMES).doesNotContain("once.fenced");
	}

	@Test
	void aDatabaseThatIsAwayDoesNotStopTheStart(CapturedOutput output) {
		LeaseStore away = mock(LeaseStore.class);
		given(away.register(any())).willThrow(new StoreException("Away", null));
		this.runner.withBean(LeaseStore.class, () -> away).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).contains("could not be registered");
	}

	@Test
	void aJobThatWasOnlyEverClaimedIsNoReasonToWarn(CapturedOutput output) {
		LeaseStore older = mock(LeaseStore.class);
		given(older.register(any()))
			.willReturn(List.of(Optional.of(new LeaseStore.Registration("nightly", "old", null, null, null))));
		this.runner.withBean(LeaseStore.class, () -> older).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain(RENAMES);
	}

	@Test
	void aZoneThatIsNoneStopsTheStart() {
		this.runner.withPropertyValues("once.zone=Europe/Zürich")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("Europe/Zürich"));
	}

	private void start(String... properties) {
		this.runner.withPropertyValues(properties).run((context) -> assertThat(context).hasNotFailed());
	}

	static class Nightly {

		private final CountDownLatch started = new CountDownLatch(1);

		private final CountDownLatch go = new CountDownLatch(1);

		@Scheduled(cron = "${nightly}")
		@OnceJob(name = "nightly", overlap = Overlap.COALESCE)
		void run() {
			this.started.countDown();
			try {
				assertThat(this.go.await(10, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			JobRun.current().stopIfFenced();
		}

		CountDownLatch started() {
			return this.started;
		}

		CountDownLatch go() {
			return this.go;
		}

	}

}
