package dev.once.autoconfigure;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.actuate.OnceHealthIndicator;
import dev.once.actuate.OnceMeters;
import dev.once.test.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Case 7, O5: the job outlives its interval. Each job's first run lasts until two further
 * due times have passed; the later ones are quick. Those whose names begin with "mails"
 * fire on two nodes, one of which has a thread for each firing; those whose names begin
 * with "alone" on one node, whose only thread is busy with the body.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class OverlapCases {

	private static final String CRON = "*/2 * * * * *";

	private static final Duration INTERVAL = Duration.ofSeconds(2);

	private static final List<String> JOBS = List.of("mails-coalesce", "mails-queue", "mails-fail", "alone-coalesce",
			"alone-queue", "alone-fail");

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final List<String> PENDING = List.of("ada", "grace", "joan");

	private final TestDatabase database = newDatabase();

	private final Work work = new Work();

	private final List<ConfigurableApplicationContext> nodes = new CopyOnWriteArrayList<>();

	abstract TestDatabase newDatabase();

	@BeforeAll
	void start() {
		this.database.withTables();
		// A refusal is shown until a run has finished, which the body's own end is
		this.work.holdUp.put("mails-fail",
				() -> refused("mails-fail").size() >= 2 && refusedJobs().contains("mails-fail"));
		this.nodes.add(newNode(Mailing.class, pool(4)));
		this.nodes.add(newNode(Mailing.class, threadForEach()));
		this.nodes.add(newNode(AloneCoalesced.class, pool(1)));
		this.nodes.add(newNode(AloneQueued.class, pool(1)));
		this.nodes.add(newNode(AloneRefused.class, pool(1)));
		// Here, so that what they log meanwhile is in each test's output
		JOBS.forEach(this::awaitRunAfterTheFirst);
	}

	@AfterAll
	void close() {
		this.nodes.forEach(ConfigurableApplicationContext::close);
		this.database.close();
	}

	@Test
	void whatFallsDueDuringARunIsDroppedAndCountedUnderCoalesce() {
		List<String> overlaps = awaitRunAfterTheFirst("mails-coalesce");
		assertThat(rows("mails-coalesce").map(Row::occurrence)).doesNotContainAnyElementsOf(overlaps);
		assertThat(meter("once.job.suppressed", "mails-coalesce")).isGreaterThanOrEqualTo(overlaps.size());
		assertThat(meter("once.job.refused", "mails-coalesce")).isZero();
		assertOneAtATime("mails-coalesce");
	}

	@Test
	void whatFallsDueDuringARunWaitsAndIsRunInOrderUnderQueue() {
		List<String> overlaps = awaitRunAfterTheFirst("mails-queue");
		await().atMost(PATIENCE).untilAsserted(() -> assertFinished("mails-queue", overlaps));
		assertThat(this.work.course("mails-queue").ran).containsSubsequence(overlaps);
		assertThat(meter("once.job.queue.refused", "mails-queue")).isZero();
		assertOneAtATime("mails-queue");
	}

	@Test
	void whatFallsDueDuringARunIsRefusedAndShownUnderFail(CapturedOutput output) {
		List<String> overlaps = awaitRunAfterTheFirst("mails-fail");
		assertThat(refused("mails-fail")).containsExactlyElementsOf(overlaps);
		assertThat(meter("once.job.refused", "mails-fail")).isEqualTo(refused("mails-fail").size());
		String holder = "run " + rows("mails-fail").findFirst().orElseThrow().run() + " of node ";
		assertThat(overlaps)
			.allSatisfy((occurrence) -> assertThat(refusals(output, "mails-fail", occurrence)).hasSize(1));
		// The run is held up until two have fired
		assertThat(overlaps.subList(0, 2))
			.allSatisfy((occurrence) -> assertThat(refusals(output, "mails-fail", occurrence).get(0)).contains(holder));
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(refusedJobs()).doesNotContain("mails-fail"));
		assertOneAtATime("mails-fail");
	}

	@Test
	void whatNoThreadWasFreeToFireIsDroppedAndCountedUnderCoalesce() {
		List<String> overlaps = awaitRunAfterTheFirst("alone-coalesce");
		assertThat(rows("alone-coalesce").map(Row::occurrence)).doesNotContainAnyElementsOf(overlaps);
		assertThat(meter("once.job.suppressed", "alone-coalesce")).isEqualTo(overlaps.size());
		assertOneAtATime("alone-coalesce");
	}

	@Test
	void whatNoThreadWasFreeToFireIsRunAfterwardsUnderQueue() {
		List<String> overlaps = awaitRunAfterTheFirst("alone-queue");
		await().atMost(PATIENCE).untilAsserted(() -> assertFinished("alone-queue", overlaps));
		assertThat(this.work.course("alone-queue").ran).containsSubsequence(overlaps);
		assertFoundAtTheEndOfTheRun("alone-queue", overlaps);
		assertOneAtATime("alone-queue");
	}

	@Test
	void whatNoThreadWasFreeToFireIsRefusedUnderFail(CapturedOutput output) {
		List<String> overlaps = awaitRunAfterTheFirst("alone-fail");
		assertThat(refused("alone-fail")).containsExactlyElementsOf(overlaps);
		assertThat(meter("once.job.refused", "alone-fail")).isEqualTo(refused("alone-fail").size());
		assertThat(overlaps)
			.allSatisfy((occurrence) -> assertThat(refusals(output, "alone-fail", occurrence)).hasSize(1)
				.allMatch((line) -> line.contains("which no timer fired it beside")));
		assertFoundAtTheEndOfTheRun("alone-fail", overlaps);
		assertOneAtATime("alone-fail");
	}

	/**
	 * Waits until the first due time after the first run has been run.
	 * @return names of those that passed during the first run
	 */
	private List<String> awaitRunAfterTheFirst(String job) {
		await().atMost(PATIENCE).until(() -> {
			List<Row> ended = rows(job).filter((row) -> row.ended() != null).toList();
			return !ended.isEmpty() && ended.stream().anyMatch((row) -> row.dueAt().isAfter(ended.get(0).ended()));
		});
		Row first = rows(job).findFirst().orElseThrow();
		List<String> overlaps = Stream.iterate(first.dueAt().plus(INTERVAL), (due) -> due.plus(INTERVAL))
			.takeWhile((due) -> due.isBefore(first.ended()))
			.map(Instant::toString)
			.toList();
		assertThat(overlaps).hasSizeGreaterThanOrEqualTo(2);
		return overlaps;
	}

	private void assertFinished(String job, List<String> occurrences) {
		assertThat(rows(job).filter((row) -> row.state().equals("finished")).map(Row::occurrence))
			.containsAll(occurrences);
	}

	/** And not only as the next one fires. */
	private void assertFoundAtTheEndOfTheRun(String job, List<String> overlaps) {
		Instant next = Instant.parse(overlaps.get(overlaps.size() - 1)).plus(INTERVAL);
		assertThat(rows(job).filter((row) -> overlaps.contains(row.occurrence())).map(Row::putOff))
			.allMatch((putOff) -> putOff.isBefore(next));
	}

	private void assertOneAtATime(String job) {
		Course course = this.work.course(job);
		assertThat(course.most).hasValue(1);
		assertThat(course.ran).doesNotHaveDuplicates().isSorted();
		assertThat(rows(job).map(Row::state)).doesNotContain("missed");
		assertThat(this.work.sent).allSatisfy((mail, times) -> assertThat(times).as(mail).hasValue(1));
		assertThat(this.work.sent.keySet()).containsAll(PENDING.stream().map((mail) -> job + " " + mail).toList());
	}

	private List<String> refused(String job) {
		return rows(job).filter((row) -> row.state().equals("refused")).map(Row::occurrence).toList();
	}

	private static List<String> refusals(CapturedOutput output, String job, String occurrence) {
		String refusal = "Occurrence '" + occurrence + "' of job '" + job + "' is refused: ";
		return output.getAll().lines().filter((line) -> line.contains("ERROR") && line.contains(refusal)).toList();
	}

	/** Jobs of which health shows refused occurrences. */
	private List<String> refusedJobs() {
		Object refused = this.nodes.get(0)
			.getBean(OnceHealthIndicator.class)
			.health()
			.getDetails()
			.getOrDefault("refusedJobs", Map.of());
		return ((Map<?, ?>) refused).keySet().stream().map(String::valueOf).toList();
	}

	private double meter(String name, String job) {
		return this.nodes.stream()
			.flatMap((node) -> node.getBean(MeterRegistry.class).find(name).tag("job", job).functionCounters().stream())
			.mapToDouble((counter) -> counter.count())
			.sum();
	}

	/** Rows from the first run on: before it, the schedulers had not started. */
	private Stream<Row> rows(String job) {
		return this.database.jdbc()
			.sql("select occurrence, due_at, state, run_id, started_at, finished_at, queued_at from once_occurrence "
					+ "where job_key = :job order by due_at")
			.param("job", job)
			.query((rows, number) -> new Row(rows.getString(1), instant(rows, 2), rows.getString(3), rows.getString(4),
					instant(rows, 5), instant(rows, 6), instant(rows, 7)))
			.list()
			.stream()
			.dropWhile((row) -> row.begun() == null);
	}

	private static Instant instant(ResultSet rows, int column) throws SQLException {
		OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

	private ConfigurableApplicationContext newNode(Class<?> jobs, TaskScheduler scheduler) {
		DataSource dataSource = this.database.newDataSource(4);
		ConfigurableApplicationContext node = new SpringApplicationBuilder(Node.class, jobs)
			.web(WebApplicationType.NONE)
			.initializers((context) -> {
				GenericApplicationContext beans = (GenericApplicationContext) context;
				beans.getBeanFactory().registerSingleton("dataSource", dataSource);
				beans.registerBean(TaskScheduler.class, () -> scheduler);
				beans.registerBean(MeterRegistry.class, () -> new SimpleMeterRegistry());
				beans.registerBean(Work.class, () -> this.work);
				beans.registerBean(Mails.class, () -> new Mails(this.work));
			})
			.properties("spring.main.banner-mode=off", "once.caretaker.interval=100ms", "once.zone=UTC")
			.run();
		node.getBean(OnceMeters.class).bindTo(node.getBean(MeterRegistry.class));
		return node;
	}

	private static TaskScheduler pool(int size) {
		ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
		scheduler.setPoolSize(size);
		return scheduler;
	}

	private static TaskScheduler threadForEach() {
		SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
		scheduler.setVirtualThreads(Runtime.version().feature() >= 21);
		return scheduler;
	}

	private record Row(String occurrence, Instant dueAt, String state, String run, Instant begun, Instant ended,
			Instant putOff) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class,
			OnceHealthAutoConfiguration.class, OnceMetricsAutoConfiguration.class })
	static class Node {

	}

	static class Mailing {

		private final Work work;

		private final Mails mails;

		Mailing(Work work, Mails mails) {
			this.work = work;
			this.mails = mails;
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "mails-coalesce", overlap = Overlap.COALESCE)
		public void coalesced() {
			this.work.run(this.mails);
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "mails-queue", overlap = Overlap.QUEUE)
		public void queued() {
			this.work.run(this.mails);
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "mails-fail", overlap = Overlap.FAIL)
		public void refused() {
			this.work.run(this.mails);
		}

	}

	static class AloneCoalesced {

		private final Work work;

		private final Mails mails;

		AloneCoalesced(Work work, Mails mails) {
			this.work = work;
			this.mails = mails;
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "alone-coalesce", overlap = Overlap.COALESCE)
		public void mail() {
			this.work.run(this.mails);
		}

	}

	static class AloneQueued {

		private final Work work;

		private final Mails mails;

		AloneQueued(Work work, Mails mails) {
			this.work = work;
			this.mails = mails;
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "alone-queue", overlap = Overlap.QUEUE)
		public void mail() {
			this.work.run(this.mails);
		}

	}

	static class AloneRefused {

		private final Work work;

		private final Mails mails;

		AloneRefused(Work work, Mails mails) {
			this.work = work;
			this.mails = mails;
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "alone-fail", overlap = Overlap.FAIL)
		public void mail() {
			this.work.run(this.mails);
		}

	}

	/** What the bodies of all nodes do, and what is seen of it. */
	static class Work {

		private final Map<String, Course> courses = new ConcurrentHashMap<>();

		private final Map<String, BooleanSupplier> holdUp = new ConcurrentHashMap<>();

		private final Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();

		void run(Mails mails) {
			JobRun run = JobRun.current();
			Course course = course(run.job());
			course.most.accumulateAndGet(course.live.incrementAndGet(), Math::max);
			try {
				course.ran.add(run.occurrence());
				run.each(PENDING, (mail) -> mails.send(run.job(), mail));
				if (course.first.getAndSet(false)) {
					Instant twoHavePassed = run.due().at().plus(INTERVAL.multipliedBy(2)).plusMillis(300);
					BooleanSupplier mayEnd = this.holdUp.getOrDefault(run.job(), () -> true);
					await().atMost(PATIENCE)
						.until(() -> Instant.now().isAfter(twoHavePassed) && mayEnd.getAsBoolean()
								&& isBetweenDueTimes());
				}
			}
			finally {
				course.live.decrementAndGet();
			}
		}

		/**
		 * Which of a firing and the end of a run comes first is not to be a matter of ms.
		 */
		private static boolean isBetweenDueTimes() {
			long sinceDue = Instant.now().toEpochMilli() % INTERVAL.toMillis();
			return sinceDue > 200 && sinceDue < 1500;
		}

		private Course course(String job) {
			return this.courses.computeIfAbsent(job, (key) -> new Course());
		}

	}

	/** What is seen of a job's bodies, wherever they run. */
	static class Course {

		private final AtomicBoolean first = new AtomicBoolean(true);

		private final AtomicInteger live = new AtomicInteger();

		private final AtomicInteger most = new AtomicInteger();

		private final List<String> ran = new CopyOnWriteArrayList<>();

	}

	@FarSide(name = "mail")
	static class Mails {

		private final Work work;

		Mails(Work work) {
			this.work = work;
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String job, @EffectTarget String mail) {
			this.work.sent.computeIfAbsent(job + " " + mail, (key) -> new AtomicInteger()).incrementAndGet();
		}

	}

}
