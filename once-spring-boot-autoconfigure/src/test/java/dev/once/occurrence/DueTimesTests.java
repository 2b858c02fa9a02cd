package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.DueTime;
import dev.once.OnceScope;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.scheduling.ScheduledTasksEndpoint;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskHolder;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.support.CronTrigger;
import org.springframework.scheduling.support.PeriodicTrigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Due times of real schedulers, all of them in one context.
 */
class DueTimesTests {

	private static final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private static final Firings firings = new Firings();

	private static final AtomicInteger decorated = new AtomicInteger();

	private static final List<Throwable> handled = new CopyOnWriteArrayList<>();

	@BeforeAll
	static void start() {
		context.registerBean(DueTimes.class, () -> new DueTimes(ZoneId.of("Europe/Zurich")));
		context.register(Schedulers.class, Work.class);
		context.refresh();
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "pool", "concurrent", "async", "newest", "programmatic", "trigger" })
	void aCronIsDueAtItsOwnSecond(String task) {
		List<Firing> three = firings.await(task, 3);
		assertThat(three).allSatisfy((firing) -> {
			assertThat(firing.due().at().getNano()).isZero();
			assertThat(firing.due().at()).isBeforeOrEqualTo(firing.began().plusMillis(100));
			assertThat(firing.due().occurrence()).isEqualTo(firing.due().at().toString());
			assertThat(firing.due().zone()).isEqualTo(ZoneId.of("Europe/Zurich"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "pool", "concurrent", "programmatic" })
	void twoFiringsOfAPoolAreNeverDueAtOneSecond(String task) {
		assertThat(firings.await(task, 3)).extracting((firing) -> firing.due().at()).isSorted().doesNotHaveDuplicates();
	}

	@ParameterizedTest
	@ValueSource(strings = { "rate", "late-rate", "async-rate", "programmatic-rate", "periodic" })
	void aRateIsDueInTheSlotsOfTheEpochGrid(String task) {
		List<Firing> some = firings.await(task, 4);
		assertThat(some).allSatisfy((firing) -> {
			assertThat(firing.due().at().toEpochMilli() % 250).isZero();
			assertThat(firing.due().at()).isBeforeOrEqualTo(firing.began().plusMillis(100));
			assertThat(firing.due().occurrence()).isEqualTo(firing.due().at().toString());
		});
		assertThat(some).extracting((firing) -> firing.due().at()).isSorted();
	}

	/** A pool makes up for what it missed: each slot is there, in order, none twice. */
	@ParameterizedTest
	@ValueSource(strings = { "rate", "late-rate", "programmatic-rate" })
	void aPoolsRateFiresInEachSlotOnce(String task) {
		List<Instant> due = firings.await(task, 4).stream().map((firing) -> firing.due().at()).toList();
		for (int i = 1; i < due.size(); i++) {
			assertThat(Duration.between(due.get(i - 1), due.get(i))).isEqualTo(Duration.ofMillis(250));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "delay", "async-delay", "once", "programmatic-once" })
	void whatNodesDoNotShareIsDueWithoutAName(String task) {
		Firing firing = firings.await(task, 1).get(0);
		assertThat(firing.due().occurrence()).isNull();
		assertThat(Duration.between(firing.due().at(), firing.began())).isBetween(Duration.ofMillis(-100),
				Duration.ofSeconds(30));
	}

	@Test
	void eachTaskRunsOnTheSchedulerThatItNames() {
		assertThat(firings.await("pool", 1).get(0).thread()).startsWith("pool-");
		assertThat(firings.await("async", 1).get(0).thread()).startsWith("async-");
		assertThat(firings.await("concurrent", 1).get(0).thread()).startsWith("concurrent-");
		assertThat(firings.await("programmatic", 1).get(0).thread()).startsWith("pool-");
	}

	@Test
	void theSchedulersOwnDecoratorAndErrorHandlerAreCalled() {
		firings.await("pool", 1);
		Awaitility.await().untilAsserted(() -> assertThat(handled).isNotEmpty());
		assertThat(handled.get(0)).hasMessage("as planned");
		assertThat(decorated).hasPositiveValue();
	}

	@Test
	void theEndpointNamesTheTasksAsItWouldWithoutOnce() {
		Collection<ScheduledTaskHolder> holders = context.getBeansOfType(ScheduledTaskHolder.class).values();
		ScheduledTasksEndpoint.ScheduledTasksDescriptor tasks = new ScheduledTasksEndpoint(holders).scheduledTasks();
		String work = Work.class.getName();
		assertThat(tasks.getCron()).extracting((task) -> task.getRunnable().getTarget())
			.contains(work + ".pool", work + ".async", work + ".concurrent", work + ".newest", "the programmatic one");
		assertThat(tasks.getFixedRate()).extracting((task) -> task.getRunnable().getTarget())
			.contains(work + ".rate", work + ".asyncRate");
		assertThat(tasks.getFixedDelay()).extracting((task) -> task.getRunnable().getTarget())
			.contains(work + ".delay");
	}

	@Test
	void aTasksOwnQualifierLengthAndTextAreForwarded() {
		SchedulingAwareRunnable task = new DueTask(new SchedulingAwareRunnable() {

			@Override
			public boolean isLongLived() {
				return true;
			}

			@Override
			public String getQualifier() {
				return "mine";
			}

			@Override
			public void run() {
			}

			@Override
			public String toString() {
				return "text";
			}

		}, () -> DueTime.of(Instant.EPOCH));
		assertThat(task.isLongLived()).isTrue();
		assertThat(task.getQualifier()).isEqualTo("mine");
		assertThat(task).hasToString("text");
	}

	@Test
	void nothingIsDueAfterTheTask() {
		Runnable failing = new DueTask(() -> {
			assertThat(OnceScope.current().due()).isEqualTo(DueTime.of(Instant.EPOCH));
			throw new IllegalStateException();
		}, () -> DueTime.of(Instant.EPOCH));
		assertThatIllegalStateException().isThrownBy(failing::run);
		assertThat(OnceScope.current().due()).isNull();
	}

	@Test
	void theZoneOfACronTriggerIsRead() {
		assertThat(CronZone.of(new CronTrigger("@daily", ZoneId.of("Asia/Tokyo")))).isEqualTo(ZoneId.of("Asia/Tokyo"));
		assertThat(CronZone.of(new CronTrigger("@daily"))).isNull();
	}

	private record Firing(DueTime due, Instant began, String thread) {

	}

	private static final class Firings {

		private final Map<String, List<Firing>> byTask = new ConcurrentHashMap<>();

		void note(String task) {
			DueTime due = OnceScope.current().due();
			assertThat(due).isNotNull();
			this.byTask.computeIfAbsent(task, (name) -> new CopyOnWriteArrayList<>())
				.add(new Firing(due, Instant.now(), Thread.currentThread().getName()));
		}

		List<Firing> await(String task, int count) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.byTask.getOrDefault(task, List.of()).size() >= count);
			return this.byTask.get(task);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Schedulers implements SchedulingConfigurer {

		@Bean
		ThreadPoolTaskScheduler taskScheduler() {
			ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
			scheduler.setThreadNamePrefix("pool-");
			scheduler.setPoolSize(4);
			scheduler.setTaskDecorator((task) -> {
				decorated.incrementAndGet();
				return task;
			});
			scheduler.setErrorHandler(handled::add);
			return scheduler;
		}

		@Bean
		SimpleAsyncTaskScheduler async() {
			SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
			scheduler.setThreadNamePrefix("async-");
			return scheduler;
		}

		/** Virtual threads where the JVM has them. */
		@Bean
		SimpleAsyncTaskScheduler newest() {
			SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
			scheduler.setThreadNamePrefix("newest-");
			scheduler.setVirtualThreads(Runtime.version().feature() >= 21);
			return scheduler;
		}

		@Bean(destroyMethod = "shutdownNow")
		ScheduledExecutorService executor() {
			return Executors.newScheduledThreadPool(1, (task) -> new Thread(task, "concurrent-"));
		}

		@Bean
		TaskScheduler concurrent(ScheduledExecutorService executor) {
			return new ConcurrentTaskScheduler(executor);
		}

		@Override
		public void configureTasks(ScheduledTaskRegistrar registrar) {
			registrar.addCronTask(new Runnable() {

				@Override
				public void run() {
					firings.note("programmatic");
				}

				@Override
				public String toString() {
					return "the programmatic one";
				}

			}, "* * * * * *");
			registrar.addTriggerTask(() -> firings.note("trigger"), new CronTrigger("* * * * * *"));
			registrar.addFixedRateTask(() -> firings.note("programmatic-rate"), Duration.ofMillis(250));
			PeriodicTrigger periodic = new PeriodicTrigger(Duration.ofMillis(250));
			periodic.setFixedRate(true);
			registrar.addTriggerTask(() -> firings.note("periodic"), periodic);
			registrar.addOneTimeTask(() -> firings.note("programmatic-once"), Duration.ofMillis(10));
		}

	}

	static class Work {

		@Scheduled(cron = "* * * * * *")
		void pool() {
			firings.note("pool");
		}

		@Scheduled(cron = "* * * * * *")
		void failing() {
			throw new IllegalStateException("as planned");
		}

		@Scheduled(cron = "* * * * * *", scheduler = "concurrent")
		void concurrent() {
			firings.note("concurrent");
		}

		@Scheduled(cron = "* * * * * *", scheduler = "async")
		void async() {
			firings.note("async");
		}

		@Scheduled(cron = "* * * * * *", scheduler = "newest")
		void newest() {
			firings.note("newest");
		}

		@Scheduled(fixedRate = 250)
		void rate() {
			firings.note("rate");
		}

		@Scheduled(fixedRate = 250, initialDelay = 333)
		void lateRate() {
			firings.note("late-rate");
		}

		@Scheduled(fixedRate = 250, scheduler = "async")
		void asyncRate() {
			firings.note("async-rate");
		}

		@Scheduled(fixedDelay = 100)
		void delay() {
			firings.note("delay");
		}

		@Scheduled(fixedDelay = 100, scheduler = "async")
		void asyncDelay() {
			firings.note("async-delay");
		}

		@Scheduled(initialDelay = 100)
		void once() {
			firings.note("once");
		}

	}

}
