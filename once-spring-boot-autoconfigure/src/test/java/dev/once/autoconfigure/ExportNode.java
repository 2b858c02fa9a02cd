package dev.once.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.JobRefusedException;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import dev.once.occurrence.JobListener;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A node in a process of its own that exports customers, each in an occurrence of its
 * own: told the first and the last of some in a line of its input, it asks for them one
 * after the other. Its far side is a table beside Once's.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
		OnceAutoConfiguration.class })
class ExportNode {

	/**
	 * What it says when it has asked for some, with how many of them were refused to its
	 * call, and how many refusals were counted since it began.
	 */
	static final String ASKED = "ASKED ";

	/** Bodies that began, exports in order, and those that take until they are let go. */
	private static final String TABLES = """
			create table begun (id integer generated always as identity, customer integer);
			create table exported (id integer generated always as identity, customer integer);
			create table held (customer integer)
			""";

	static void makeTables(TestDatabase database) {
		for (String table : TABLES.split(";")) {
			database.jdbc().sql(table).update();
		}
	}

	static JavaProcess begin(TestDatabase database, int queueDepth) {
		return JavaProcess.of(ExportNode.class, "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(), "--spring.datasource.hikari.minimum-idle=0",
				"--once.defaults.lease=5s", "--once.defaults.window=1s", "--once.defaults.settle-after=200ms",
				"--once.defaults.resolver-backoff=200ms", "--once.caretaker.interval=100ms",
				"--once.jobs.export.attempts=100", "--once.jobs.export.backoff=100ms",
				"--once.jobs.export.queue-depth=" + queueDepth, "--spring.main.banner-mode=off",
				// Nobody reads what a node says that is killed
				"--logging.level.root=warn", "--logging.level.once=warn");
	}

	static void awaitReady(JavaProcess node) {
		node.lineWith("READY");
	}

	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(ExportNode.class)
			.web(WebApplicationType.NONE)
			.run(args);
		Exports exports = context.getBean(Exports.class);
		System.out.println("READY");
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			String[] words = line.split(" ");
			new Thread(() -> {
				int refused = 0;
				for (int customer = Integer.parseInt(words[0]); customer <= Integer.parseInt(words[1]); customer++) {
					try {
						exports.export(customer);
					}
					catch (JobRefusedException ex) {
						refused++;
					}
				}
				System.out.println(ASKED + refused + " " + context.getBean(Refusals.class).queueFull);
			}).start();
		}
	}

	@Bean
	Refusals refusals() {
		return new Refusals();
	}

	@Bean
	Files files(DataSource dataSource) {
		return new Files(JdbcClient.create(dataSource));
	}

	@Bean
	Exports exports(Files files, DataSource dataSource) {
		return new Exports(files, JdbcClient.create(dataSource));
	}

	static class Refusals implements JobListener {

		private final AtomicInteger queueFull = new AtomicInteger();

		@Override
		public void queueFull(String job) {
			this.queueFull.incrementAndGet();
		}

	}

	static class Exports {

		private final Files files;

		private final JdbcClient jdbc;

		Exports(Files files, JdbcClient jdbc) {
			this.files = files;
			this.jdbc = jdbc;
		}

		@OnceJob(name = "export", occurrence = "#customer", overlap = Overlap.QUEUE)
		public void export(int customer) {
			this.jdbc.sql("insert into begun (customer) values (?)").param(customer).update();
			this.files.write(customer);
		}

	}

	@FarSide(name = "files")
	static class Files {

		private static final Duration WORK = Duration.ofMillis(20);

		private final JdbcClient jdbc;

		Files(JdbcClient jdbc) {
			this.jdbc = jdbc;
		}

		@OnceEffect(action = "write")
		public void write(@EffectTarget int customer) {
			this.jdbc.sql("insert into exported (customer) values (?)").param(customer).update();
			do {
				LockSupport.parkNanos(WORK.toNanos());
			}
			while (count("held", customer) > 0);
		}

		@OnceResolver("write")
		public Resolution<Void> find(UnresolvedEffect effect) {
			return (count("exported", Integer.parseInt(effect.target())) > 0) ? Resolution.happened(null)
					: Resolution.didNotHappen();
		}

		private int count(String table, int customer) {
			return this.jdbc.sql("select count(*) from " + table + " where customer = ?")
				.param(customer)
				.query(Integer.class)
				.single();
		}

	}

}
