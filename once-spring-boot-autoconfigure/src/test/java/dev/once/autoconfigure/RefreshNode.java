package dev.once.autoconfigure;

import java.util.concurrent.atomic.AtomicInteger;

import dev.once.Grain;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.lease.LeaseListener;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A node in a process of its own with a job that fires each second, and is to run once in
 * a span of the calendar.
 */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, TaskSchedulingAutoConfiguration.class,
		OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class })
class RefreshNode {

	/** What it says when a body runs. */
	static final String RAN = "RAN";

	/** What it says when a firing is a repeat, with how many there have been. */
	static final String REPEAT = "REPEAT ";

	static JavaProcess begin(TestDatabase database) {
		return JavaProcess.of(RefreshNode.class, "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(), "--once.zone=UTC",
				"--spring.main.banner-mode=off");
	}

	public static void main(String[] args) {
		new SpringApplicationBuilder(RefreshNode.class).web(WebApplicationType.NONE).run(args);
	}

	@Bean
	Repeats repeats() {
		return new Repeats();
	}

	@Bean
	Refresh refresh() {
		return new Refresh();
	}

	static class Refresh {

		// A day may end while the test runs
		@Scheduled(fixedRate = 1000)
		@OnceJob(name = "refresh", overlap = Overlap.COALESCE, grain = Grain.YEAR)
		public void refresh() {
			System.out.println(RAN);
		}

	}

	static class Repeats implements LeaseListener {

		private final AtomicInteger repeats = new AtomicInteger();

		@Override
		public void suppressed(String job) {
			System.out.println(REPEAT + this.repeats.incrementAndGet());
		}

	}

}
