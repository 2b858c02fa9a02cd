package dev.once.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.Grain;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceResolver;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.lease.LeaseListener;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/**
 * A node of an application, in a process of its own: told a due time in a line of its
 * input, it carries the job's occurrence out, once for each item.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, HttpClientAutoConfiguration.class,
		ImperativeHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class,
		OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class, OnceHttpAutoConfiguration.class })
class BillingNode {

	/** How many effects an occurrence has: one for each customer. */
	static final int ITEMS = 60;

	/** How many due times a series has, and how far they are apart. */
	static final int DUE_TIMES = 200;

	static final Duration BETWEEN = Duration.ofMillis(50);

	/** What a node says when a body begins, with the occurrence and the token. */
	static final String BODY = "BODY ";

	/** What it says after a firing, with the number of those that were suppressed. */
	static final String FIRED = "FIRED ";

	/**
	 * What begins an order to fire a series, with the first due time and by how much the
	 * node's clock is ahead, and what it says afterwards: runs, suppressed ones, errors.
	 */
	static final String SERIES = "SERIES ";

	static JavaProcess begin(TestDatabase database, URI farSide) {
		return JavaProcess.of(BillingNode.class, "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(), "--far-side=" + farSide,
				"--once.defaults.lease=5s", "--once.defaults.window=4s", "--once.defaults.settle-after=1s",
				"--once.defaults.resolver-backoff=500ms", "--once.zone=Europe/Zurich", "--spring.main.banner-mode=off");
	}

	static void awaitReady(JavaProcess node) {
		node.lineWith("READY");
	}

	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(BillingNode.class)
			.web(WebApplicationType.NONE)
			.run(args);
		Jobs jobs = context.getBean(Jobs.class);
		OnceOperations once = context.getBean(OnceOperations.class);
		System.out.println("READY");
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			if (line.startsWith(SERIES)) {
				String[] words = line.substring(SERIES.length()).split(" ");
				context.getBean(Series.class).fire(Instant.parse(words[0]), Duration.parse(words[1]));
			}
			else {
				Instant at = Instant.parse(line);
				new Thread(() -> {
					AtomicInteger suppressed = context.getBean(Suppressed.class).suppressed;
					int before = suppressed.get();
					once.at(at, jobs::bill);
					System.out.println(FIRED + (suppressed.get() - before));
				}).start();
			}
		}
	}

	@Bean
	Suppressed suppressed() {
		return new Suppressed();
	}

	@Bean
	Series series(OnceOperations once, Jobs jobs, Suppressed suppressed) {
		return new Series(once, jobs, suppressed);
	}

	@Bean
	Jobs jobs(Charges charges) {
		return new Jobs(charges);
	}

	@Bean
	Charges charges(RestClient.Builder builder, org.springframework.core.env.Environment environment) {
		return new Charges(builder.baseUrl(environment.getRequiredProperty("far-side")).build());
	}

	static class Jobs {

		private final Charges charges;

		Jobs(Charges charges) {
			this.charges = charges;
		}

		private final AtomicInteger ticks = new AtomicInteger();

		@OnceJob(name = "tick", overlap = Overlap.COALESCE)
		public void tick() {
			LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
			this.ticks.incrementAndGet();
		}

		public int ticks() {
			return this.ticks.get();
		}

		@OnceJob(name = "billing", overlap = Overlap.COALESCE, grain = Grain.DAY)
		public void bill() {
			JobRun run = JobRun.current();
			System.out.println(BODY + run.occurrence() + " " + run.fencingToken());
			run.each(IntStream.range(0, ITEMS).boxed().toList(),
					(customer) -> this.charges.charge(run.occurrence(), customer));
		}

	}

	static class Suppressed implements LeaseListener {

		private final AtomicInteger suppressed = new AtomicInteger();

		@Override
		public void suppressed(String job) {
			this.suppressed.incrementAndGet();
		}

	}

	/**
	 * A timer's firings on a node whose clock may be wrong.
	 */
	static class Series {

		private final OnceOperations once;

		private final Jobs jobs;

		private final Suppressed suppressed;

		Series(OnceOperations once, Jobs jobs, Suppressed suppressed) {
			this.once = once;
			this.jobs = jobs;
			this.suppressed = suppressed;
		}

		void fire(Instant first, Duration ahead) {
			int suppressedBefore = this.suppressed.suppressed.get();
			AtomicInteger errors = new AtomicInteger();
			CountDownLatch left = new CountDownLatch(DUE_TIMES);
			ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
			for (int i = 0; i < DUE_TIMES; i++) {
				Instant due = first.plus(BETWEEN.multipliedBy(i));
				Duration delay = Duration.between(Instant.now().plus(ahead), due);
				timer.schedule(() -> {
					try {
						this.once.at(due, this.jobs::tick);
					}
					catch (Throwable ex) {
						ex.printStackTrace();
						errors.incrementAndGet();
					}
					left.countDown();
				}, delay.toMillis(), TimeUnit.MILLISECONDS);
			}
			new Thread(() -> {
				try {
					left.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				timer.shutdown();
				System.out.println(SERIES + this.jobs.ticks() + " "
						+ (this.suppressed.suppressed.get() - suppressedBefore) + " " + errors);
			}).start();
		}

	}

	@FarSide(name = "payments")
	static class Charges {

		private final RestClient payments;

		Charges(RestClient payments) {
			this.payments = payments;
		}

		@OnceEffect(action = "charge")
		public void charge(@EffectTarget String day, @EffectTarget Integer customer) {
			this.payments.post().uri("/charges/{day}/{customer}", day, customer).retrieve().toBodilessEntity();
		}

		@OnceResolver("charge")
		public Resolution<Void> find(UnresolvedEffect effect) {
			String found = this.payments.get()
				.uri("/charges/" + effect.target().replace('|', '/'))
				.retrieve()
				.body(String.class);
			return "yes".equals(found) ? Resolution.happened(null) : Resolution.didNotHappen();
		}

	}

}
