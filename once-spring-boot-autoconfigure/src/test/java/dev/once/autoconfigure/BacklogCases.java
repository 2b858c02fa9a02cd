package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import dev.once.FarSide;
import dev.once.Grain;
import dev.once.JobRun;
import dev.once.OnMissed;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.caretaker.ComingBack;
import dev.once.occurrence.JobListener;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Case 6, O5: what is made up for after a freeze, and after an outage of three days.
 */
abstract class BacklogCases {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final Duration FREEZE = Duration.ofSeconds(3);

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	/** Far from now, so that no due time comes while the test runs. */
	private static final LocalTime DAILY = LocalTime.now(ZoneOffset.UTC).plusHours(12).truncatedTo(ChronoUnit.MINUTES);

	private final Work work = new Work();

	private final List<ConfigurableApplicationContext> nodes = new CopyOnWriteArrayList<>();

	private TestDatabase database;

	/** A database that processes reach, too. */
	abstract TestDatabase newDatabase();

	@BeforeEach
	void makeDatabase() {
		this.database = newDatabase();
	}

	@AfterEach
	void close() {
		this.work.goOn.countDown();
		this.nodes.forEach(ConfigurableApplicationContext::close);
		this.database.close();
	}

	/** Case 6 (a). */
	@Test
	void theFiringsThatAFrozenProcessCatchesUpWithAreRepeats() {
		try (JavaProcess node = RefreshNode.begin(this.database)) {
			node.lineWith(RefreshNode.RAN);
			node.lineWith(RefreshNode.REPEAT + "1");
			node.pause();
			await().pollDelay(FREEZE).until(() -> true);
			node.goOn();
			long awake = System.nanoTime();
			node.lineWith(RefreshNode.REPEAT + (FREEZE.toSeconds() + 1));
			assertThat(Duration.ofNanos(System.nanoTime() - awake)).as("back to back").isLessThan(FREEZE);
			assertThat(node.kill()).noneMatch((line) -> line.contains(RefreshNode.RAN));
			assertThat(rows("refresh")).containsExactly(LocalDate.now(ZoneOffset.UTC).getYear() + " finished");
		}
	}

	/** Case 6 (b). */
	@Test
	void afterThreeDaysTwoNodesMakeUpForWhatWasChosenAndNoMore() {
		List<String> days = threeDaysWithoutANode();
		startTwoNodesAtOnce();
		await().atMost(PATIENCE).untilAsserted(() -> {
			assertThat(rows("daily-all")).hasSize(4).allMatch((row) -> row.endsWith(" finished"));
			assertThat(rows("daily-latest")).hasSize(4).anyMatch((row) -> row.equals(days.get(3) + " finished"));
		});
		assertThat(rows("daily-report")).containsExactly(days.get(0) + " finished", days.get(1) + " missed",
				days.get(2) + " missed", days.get(3) + " missed");
		assertThat(rows("daily-latest")).containsExactly(days.get(0) + " finished", days.get(1) + " missed",
				days.get(2) + " missed", days.get(3) + " finished");
		assertThat(this.work.ran("daily-report")).isEmpty();
		assertThat(this.work.ran("daily-latest")).containsExactly(days.get(3));
		assertThat(this.work.ran("daily-all")).containsExactlyElementsOf(days.subList(1, 4));
		// once each on the two of them together
		assertThat(this.work.missed).containsEntry("daily-report", 3L)
			.containsEntry("daily-latest", 3L)
			.containsEntry("daily-all", 3L);
		assertThat(this.work.sent).hasSize(4);
	}

	/** O1, O5: spring's missing hour is missed, and is no reason to run anything. */
	@Test
	void aLocalTimeThatDidNotExistIsShownAsMissedAndNeverRun() {
		ZoneOffsetTransition gap = lastGap();
		newNode().close();
		this.nodes.clear();
		mark("spring", gap.getInstant().minus(Duration.ofHours(12)));
		startTwoNodesAtOnce();
		assertThat(rows("spring")).containsExactly(gap.getDateTimeBefore().plusMinutes(30) + "[Europe/Zurich] missed");
		this.nodes.forEach((node) -> assertThat(node.getBean(ComingBack.class).round()).isZero());
		assertThat(this.work.ran("spring")).isEmpty();
		assertThat(this.work.missed).containsEntry("spring", 1L);
	}

	/** The node that found them need not be the one that runs them. */
	@Test
	void whatOneNodeQueuedAnotherRunsWhenThatHasDied() throws InterruptedException {
		List<String> days = threeDaysWithoutANode();
		this.work.holdsUp = "daily-all";
		ConfigurableApplicationContext dying = newNode();
		assertThat(this.work.begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(rows("daily-all")).containsExactly(days.get(0) + " finished", days.get(1) + " running",
				days.get(2) + " queued", days.get(3) + " queued");
		newNode();
		dying.close();
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(rows("daily-all")).hasSize(4).allMatch((row) -> row.endsWith(" finished")));
		assertThat(this.work.ran("daily-all")).containsExactly(days.get(1), days.get(1), days.get(2), days.get(3));
		assertThat(this.work.missed).containsEntry("daily-all", 3L);
		assertThat(this.work.sent.values()).allMatch((sent) -> sent.get() == 1);
	}

	/**
	 * @return names of the day on which the last node stopped after its run, and of the
	 * three that followed
	 */
	private List<String> threeDaysWithoutANode() {
		newNode().close();
		Instant latest = LocalDate.now(ZoneOffset.UTC).atTime(DAILY).toInstant(ZoneOffset.UTC);
		Instant last = latest.isAfter(Instant.now()) ? latest.minus(Duration.ofDays(1)) : latest;
		List<Instant> due = IntStream.rangeClosed(0, 3).mapToObj((i) -> last.minus(Duration.ofDays(3 - i))).toList();
		List<String> names = due.stream().map((at) -> at.atOffset(ZoneOffset.UTC).toLocalDateTime() + "[UTC]").toList();
		for (String job : List.of("daily-report", "daily-latest", "daily-all")) {
			this.database.jdbc()
				.sql("insert into once_occurrence (job_key, occurrence, due_at, state, attempt, fencing_token, "
						+ "started_at, finished_at) values (:job, :name, :due, 'finished', 1, 1, :due, :end)")
				.param("job", job)
				.param("name", names.get(0))
				.param("due", due.get(0).atOffset(ZoneOffset.UTC))
				.param("end", due.get(0).plusSeconds(60).atOffset(ZoneOffset.UTC))
				.update();
			mark(job, due.get(0));
		}
		return names;
	}

	/** Sets up to where the job's due times have been looked at. */
	private void mark(String job, Instant mark) {
		this.database.jdbc()
			.sql("update once_job_lease set looked_until = :mark where job_key = :job")
			.param("mark", mark.atOffset(ZoneOffset.UTC))
			.param("job", job)
			.update();
	}

	private static ZoneOffsetTransition lastGap() {
		ZoneOffsetTransition transition = ZURICH.getRules().previousTransition(Instant.now());
		return transition.isGap() ? transition : ZURICH.getRules().previousTransition(transition.getInstant());
	}

	/** The job's occurrences with their states, oldest first. */
	private List<String> rows(String job) {
		return this.database.jdbc()
			.sql("select occurrence || ' ' || state from once_occurrence where job_key = :job order by due_at")
			.param("job", job)
			.query(String.class)
			.list();
	}

	private void startTwoNodesAtOnce() {
		List<CompletableFuture<?>> starts = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			starts.add(CompletableFuture.runAsync(this::newNode, (start) -> new Thread(start).start()));
		}
		starts.forEach(CompletableFuture::join);
	}

	private ConfigurableApplicationContext newNode() {
		DataSource dataSource = this.database.newDataSource(4);
		ZoneOffsetTransition gap = lastGap();
		SpringApplicationBuilder builder = new SpringApplicationBuilder(Node.class).web(WebApplicationType.NONE)
			.initializers((context) -> {
				GenericApplicationContext beans = (GenericApplicationContext) context;
				beans.getBeanFactory().registerSingleton("dataSource", dataSource);
				beans.registerBean(Work.class, () -> this.work);
				beans.registerBean(Reports.class);
				beans.registerBean(Jobs.class);
			})
			.properties("spring.main.banner-mode=off", "once.caretaker.interval=50ms", "once.defaults.lease=5s",
					"once.shutdown.grace=100ms", "daily=0 " + DAILY.getMinute() + " " + DAILY.getHour() + " * * *",
					"spring-forward=0 30 2 " + gap.getDateTimeBefore().getDayOfMonth() + " "
							+ gap.getDateTimeBefore().getMonthValue() + " *");
		SpringApplication application = builder.application();
		// Two that start at once would set up the JVM's logging at once
		application.setListeners(application.getListeners()
			.stream()
			.filter((listener) -> !(listener instanceof LoggingApplicationListener))
			.toList());
		ConfigurableApplicationContext node = builder.run();
		this.nodes.add(node);
		return node;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	@ImportAutoConfiguration({ OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class })
	static class Node {

	}

	static class Jobs {

		private final Work work;

		private final Reports reports;

		Jobs(Work work, Reports reports) {
			this.work = work;
			this.reports = reports;
		}

		@Scheduled(cron = "${daily}", zone = "UTC")
		@OnceJob(name = "daily-report", overlap = Overlap.COALESCE)
		public void report() {
			this.work.run(this.reports);
		}

		@Scheduled(cron = "${daily}", zone = "UTC")
		@OnceJob(name = "daily-latest", overlap = Overlap.COALESCE, onMissed = OnMissed.RUN_LATEST)
		public void latest() {
			this.work.run(this.reports);
		}

		@Scheduled(cron = "${daily}", zone = "UTC")
		@OnceJob(name = "daily-all", overlap = Overlap.COALESCE, onMissed = OnMissed.RUN_ALL)
		public void all() {
			this.work.run(this.reports);
		}

		@Scheduled(cron = "${spring-forward}", zone = "Europe/Zurich")
		@OnceJob(name = "spring", overlap = Overlap.COALESCE, onMissed = OnMissed.RUN_ALL)
		public void spring() {
			this.work.run(this.reports);
		}

	}

	/** What the bodies of all nodes do, and what is seen of it. */
	static class Work implements JobListener {

		private final List<String> ran = new CopyOnWriteArrayList<>();

		private final Map<String, AtomicInteger> sent = new ConcurrentHashMap<>();

		private final Map<String, Long> missed = new ConcurrentHashMap<>();

		private final CountDownLatch begun = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		/** Job whose first body waits, or empty. */
		private volatile String holdsUp = "";

		@Override
		public void missed(String job, long dueTimes) {
			this.missed.merge(job, dueTimes, Long::sum);
		}

		void run(Reports reports) {
			JobRun run = JobRun.current();
			this.ran.add(run.job() + " " + run.occurrence());
			if (run.job().equals(this.holdsUp)) {
				this.holdsUp = "";
				this.begun.countDown();
				try {
					this.goOn.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
			reports.write();
		}

		/** Names of the job's occurrences in the order in which their bodies began. */
		List<String> ran(String job) {
			return this.ran.stream()
				.filter((run) -> run.startsWith(job + " "))
				.map((run) -> run.substring(job.length() + 1))
				.toList();
		}

	}

	@FarSide(name = "archive")
	static class Reports {

		private final Work work;

		Reports(Work work) {
			this.work = work;
		}

		@OnceEffect(action = "write", grain = Grain.OCCURRENCE, unobservable = Unobservable.ACCEPTED)
		public void write() {
			JobRun run = JobRun.current();
			this.work.sent.computeIfAbsent(run.job() + " " + run.occurrence(), (key) -> new AtomicInteger())
				.incrementAndGet();
		}

	}

}
