package dev.once.autoconfigure;

import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import javax.sql.DataSource;

/**
 * A process that is started for one slot, and hangs when it is half-way.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
		OnceAutoConfiguration.class })
@Import({ CallerCases.Bodies.class, CallerCases.Jobs.class })
class OneShotNode {

	static final String HALF_WAY = "HALF-WAY";

	static JavaProcess start(TestDatabase database, String slot) {
		return JavaProcess.of(OneShotNode.class, "--spring.datasource.url=" + database.url(),
				"--spring.datasource.username=" + database.username(),
				"--spring.datasource.password=" + database.password(), "--once.occurrence=" + slot, "--once.zone=UTC",
				"--once.defaults.lease=5s", "--spring.main.banner-mode=off");
	}

	public static void main(String[] args) {
		new SpringApplicationBuilder(OneShotNode.class).web(WebApplicationType.NONE).run(args);
	}

	@Bean
	CallerCases.Mails mails(DataSource dataSource) {
		return new CallerCases.Mails(JdbcClient.create(dataSource));
	}

	@Bean
	ApplicationRunner digest(CallerCases.Jobs jobs, CallerCases.Bodies bodies) {
		bodies.body = () -> {
			System.out.println(HALF_WAY);
			try {
				Thread.currentThread().join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		};
		return (args) -> jobs.digest();
	}

}
