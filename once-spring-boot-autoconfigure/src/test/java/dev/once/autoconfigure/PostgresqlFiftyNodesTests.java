package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.FarSide;
import dev.once.Grain;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.lease.LeaseListener;
import dev.once.test.CountingDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Case 48 (a): fifty nodes, whose twenty jobs are all due at the same second.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class PostgresqlFiftyNodesTests {

	private static final int NODES = 50;

	private static final int ROUNDS = 10;

	private static final Instant FIRST = Instant.parse("2026-05-04T02:00:00Z");

	private static final List<Consumer<Jobs>> JOBS = List.of(Jobs::one, Jobs::two, Jobs::three, Jobs::four, Jobs::five,
			Jobs::six, Jobs::seven, Jobs::eight, Jobs::nine, Jobs::ten, Jobs::eleven, Jobs::twelve, Jobs::thirteen,
			Jobs::fourteen, Jobs::fifteen, Jobs::sixteen, Jobs::seventeen, Jobs::eighteen, Jobs::nineteen,
			Jobs::twenty);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

	/** One that finds it free and loses it to a rival while it claims, and then reads. */
	private static final int MOST_STATEMENTS_OF_A_LOSER = 2;

	private final TestDatabase database = TestDatabases.postgresql().withTables();

	private final Sent sent = new Sent();

	private final ThreadLocal<AtomicInteger> statements = ThreadLocal.withInitial(AtomicInteger::new);

	private final List<HikariDataSource> pools = new CopyOnWriteArrayList<>();

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	@BeforeAll
	void start() {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		IntStream.range(0, NODES)
			.mapToObj((i) -> CompletableFuture.supplyAsync(this::newNode, threads))
			.toList()
			.forEach((node) -> this.nodes.add(node.join()));
		threads.shutdown();
	}

	@AfterAll
	void close() {
		this.nodes.forEach(ConfigurableApplicationContext::close);
		this.pools.forEach(HikariDataSource::close);
		this.database.close();
	}

	@Test
	void eachRoundEachJobRunsOnceAndNobodyWhoLosesMakesATrouble(CapturedOutput output) throws Exception {
		int before = output.getAll().length();
		ExecutorService threads = Executors.newFixedThreadPool(NODES * JOBS.size());
		ScheduledExecutorService looking = Executors.newSingleThreadScheduledExecutor();
		AtomicLong longestWait = new AtomicLong();
		looking.scheduleWithFixedDelay(() -> longestWait.accumulateAndGet(lockWait(), Math::max), 0, 20,
				TimeUnit.MILLISECONDS);
		try {
			for (int round = 0; round < ROUNDS; round++) {
				Instant due = FIRST.plus(Duration.ofDays(round));
				List<Fired> fired = fireAll(threads, due);
				assertThat(fired.stream().filter(Fired::ran)).hasSize(JOBS.size());
				IntSummaryStatistics statements = fired.stream()
					.filter((each) -> !each.ran())
					.mapToInt(Fired::statements)
					.summaryStatistics();
				assertThat(statements.getMax()).isLessThanOrEqualTo(MOST_STATEMENTS_OF_A_LOSER);
				assertThat(statements.getAverage()).isLessThan(1.5);
				assertThat(this.sent.times).hasSize(JOBS.size() * (round + 1));
			}
		}
		finally {
			threads.shutdownNow();
			looking.shutdownNow();
		}
		assertThat(this.sent.times.values()).allMatch((times) -> times.get() == 1);
		assertThat(this.sent.suppressed).hasValue((NODES - 1) * JOBS.size() * ROUNDS);
		assertThat(Duration.ofMillis(longestWait.get())).isLessThan(LONGEST_WAIT);
		assertThat(output.getAll()
			.substring(before)
			.lines()
			.filter((line) -> line.contains("Exception") || line.contains("ERROR") || line.contains("WARN"))).isEmpty();
		assertThat(this.database.jdbc()
			.sql("select distinct state || ' ' || attempt from once_occurrence")
			.query(String.class)
			.list()).containsExactly("finished 1");
	}

	private List<Fired> fireAll(ExecutorService threads, Instant due) throws Exception {
		CountDownLatch second = new CountDownLatch(1);
		List<Future<Fired>> firings = new ArrayList<>();
		for (ConfigurableApplicationContext node : this.nodes) {
			OnceOperations once = node.getBean(OnceOperations.class);
			Jobs jobs = node.getBean(Jobs.class);
			for (Consumer<Jobs> job : JOBS) {
				firings.add(threads.submit((Callable<Fired>) () -> {
					second.await();
					AtomicInteger statements = this.statements.get();
					statements.set(0);
					this.sent.bodyOfThread.remove();
					once.at(due, () -> job.accept(jobs));
					return new Fired(this.sent.bodyOfThread.get(), statements.get());
				}));
			}
		}
		second.countDown();
		List<Fired> fired = new ArrayList<>();
		for (Future<Fired> firing : firings) {
			fired.add(firing.get(1, TimeUnit.MINUTES));
		}
		return fired;
	}

	/** For how long a lock is waited for that is not had yet, in ms. */
	private long lockWait() {
		return this.database.jdbc()
			.sql("select coalesce(max(extract(epoch from clock_timestamp() - waitstart)) * 1000, 0)::bigint "
					+ "from pg_locks where not granted")
			.query(Long.class)
			.single();
	}

	private ConfigurableApplicationContext newNode() {
		PGSimpleDataSource driver = new PGSimpleDataSource();
		driver.setUrl(this.database.url());
		driver.setUser(this.database.username());
		driver.setPassword(this.database.password());
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSource(new CountingDataSource(driver, (statement) -> this.statements.get().incrementAndGet()));
		pool.setMaximumPoolSize(1);
		pool.setMinimumIdle(0);
		this.pools.add(pool);
		// Without the parts of an application that take their time fifty times over
		AnnotationConfigApplicationContext node = new AnnotationConfigApplicationContext();
		TestPropertyValues
			.of("once.zone=UTC", "once.jdbc.pool.size=2", "once.jdbc.initialize-schema=never",
					"once.caretaker.interval=5s")
			.applyTo(node);
		node.getBeanFactory().registerSingleton("dataSource", pool);
		node.registerBean(Sent.class, () -> this.sent);
		node.register(Node.class, Mails.class, Jobs.class);
		node.refresh();
		return node;
	}

	/**
	 * What became of a firing.
	 *
	 * @param ran whether its body ran
	 * @param statements how many statements it took
	 */
	private record Fired(boolean ran, int statements) {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class })
	static class Node {

	}

	/** What is seen of all nodes. */
	static class Sent implements LeaseListener {

		private final Map<String, AtomicInteger> times = new ConcurrentHashMap<>();

		private final AtomicInteger suppressed = new AtomicInteger();

		private final ThreadLocal<Boolean> bodyOfThread = ThreadLocal.withInitial(() -> false);

		@Override
		public void suppressed(String job) {
			this.suppressed.incrementAndGet();
		}

	}

	@FarSide(name = "mail")
	static class Mails {

		private final Sent sent;

		Mails(Sent sent) {
			this.sent = sent;
		}

		@OnceEffect(action = "send", grain = Grain.OCCURRENCE, unobservable = Unobservable.ACCEPTED)
		public void send() {
			JobRun run = JobRun.current();
			this.sent.bodyOfThread.set(true);
			this.sent.times.computeIfAbsent(run.job() + " " + run.occurrence(), (key) -> new AtomicInteger())
				.incrementAndGet();
		}

	}

	static class Jobs {

		/** Fired by the test and not by a scheduler, which this application has not. */
		private static final String CRON = "0 0 2 * * *";

		private final Mails mails;

		Jobs(Mails mails) {
			this.mails = mails;
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-one", overlap = Overlap.COALESCE)
		public void one() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-two", overlap = Overlap.COALESCE)
		public void two() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-three", overlap = Overlap.COALESCE)
		public void three() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-four", overlap = Overlap.COALESCE)
		public void four() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-five", overlap = Overlap.COALESCE)
		public void five() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-six", overlap = Overlap.COALESCE)
		public void six() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-seven", overlap = Overlap.COALESCE)
		public void seven() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-eight", overlap = Overlap.COALESCE)
		public void eight() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-nine", overlap = Overlap.COALESCE)
		public void nine() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-ten", overlap = Overlap.COALESCE)
		public void ten() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-eleven", overlap = Overlap.COALESCE)
		public void eleven() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-twelve", overlap = Overlap.COALESCE)
		public void twelve() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-thirteen", overlap = Overlap.COALESCE)
		public void thirteen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-fourteen", overlap = Overlap.COALESCE)
		public void fourteen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-fifteen", overlap = Overlap.COALESCE)
		public void fifteen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-sixteen", overlap = Overlap.COALESCE)
		public void sixteen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-seventeen", overlap = Overlap.COALESCE)
		public void seventeen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-eighteen", overlap = Overlap.COALESCE)
		public void eighteen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-nineteen", overlap = Overlap.COALESCE)
		public void nineteen() {
			this.mails.send();
		}

		@Scheduled(cron = CRON)
		@OnceJob(name = "job-twenty", overlap = Overlap.COALESCE)
		public void twenty() {
			this.mails.send();
		}

	}

}
