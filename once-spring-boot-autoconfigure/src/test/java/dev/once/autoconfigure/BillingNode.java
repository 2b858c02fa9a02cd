package dev.once.autoconfigure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.time.Instant;
import java.util.stream.IntStream;

import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceResolver;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
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

	/** How many effects an occurrence has. */
	static final int ITEMS = 60;

	/** What a node says when a body begins, with the occurrence and the token. */
	static final String BODY = "BODY ";

	static JavaProcess start(TestDatabase database, URI farSide) {
		JavaProcess node = JavaProcess.of(BillingNode.class, "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(), "--far-side=" + farSide,
				"--once.defaults.lease=5s", "--once.defaults.window=4s", "--once.defaults.settle-after=1s",
				"--once.defaults.resolver-backoff=500ms", "--spring.main.banner-mode=off");
		node.lineWith("READY");
		return node;
	}

	public static void main(String[] args) throws IOException {
		ConfigurableApplicationContext context = new SpringApplicationBuilder(BillingNode.class)
			.web(WebApplicationType.NONE)
			.run(args);
		Jobs jobs = context.getBean(Jobs.class);
		OnceOperations once = context.getBean(OnceOperations.class);
		System.out.println("READY");
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
		for (String due = input.readLine(); due != null; due = input.readLine()) {
			Instant at = Instant.parse(due);
			new Thread(() -> once.at(at, jobs::bill)).start();
		}
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

		@OnceJob(name = "billing", overlap = Overlap.COALESCE)
		public void bill() {
			JobRun run = JobRun.current();
			System.out.println(BODY + run.occurrence() + " " + run.fencingToken());
			run.each(IntStream.range(0, ITEMS).boxed().toList(), this.charges::charge);
		}

	}

	@FarSide(name = "payments")
	static class Charges {

		private final RestClient payments;

		Charges(RestClient payments) {
			this.payments = payments;
		}

		@OnceEffect(action = "charge")
		public void charge(@EffectTarget Integer item) {
			this.payments.post().uri("/charges/{item}", item).retrieve().toBodilessEntity();
		}

		@OnceResolver("charge")
		public Resolution<Void> find(UnresolvedEffect effect) {
			String found = this.payments.get().uri("/charges/{item}", effect.target()).retrieve().body(String.class);
			return "yes".equals(found) ? Resolution.happened(null) : Resolution.didNotHappen();
		}

	}

}
