package dev.once.autoconfigure;

import java.net.http.HttpClient;

import dev.once.Effect;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.http.OnceExchangeFilter;
import dev.once.http.OnceRequestInitializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * HTTP clients that Once is not attached to are named at start where they can be seen.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnseenClientsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, HttpClientAutoConfiguration.class,
				ImperativeHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class,
				RestTemplateAutoConfiguration.class, OnceSchemaAutoConfiguration.class, OnceHttpAutoConfiguration.class,
				OnceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:unseen;DB_CLOSE_DELAY=-1");

	@Test
	void beansAreNamedWithTheMend(CapturedOutput output) {
		this.runner.withUserConfiguration(Clients.class).withBean(Mails.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("Once is not attached to RestClient 'plain': ")
				.containsOnlyOnce("Once is not attached to RestTemplate 'plainTemplate': ")
				.containsOnlyOnce("Once is not attached to WebClient 'plainWeb': ")
				.contains("Build it from the RestClient.Builder that Spring Boot injects");
		});
	}

	@Test
	void withoutEffectsNobodyIsTold(CapturedOutput output) {
		this.runner.withUserConfiguration(Clients.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).doesNotContain("Once is not attached");
		});
	}

	@Test
	void clientsThatABeanWithEffectsMakesItselfAreNamedWithTheirPlace(CapturedOutput output) {
		this.runner.withBean(MakesClients.class).withBean(SaysSo.class).withBean(Attaches.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce("makes HTTP clients that Once cannot see")
				.contains("RestClient.create() in the constructor of UnseenClientsTests.MakesClients")
				.contains("new RestTemplate() in UnseenClientsTests.MakesClients.send (UnseenClientsTests.java:")
				.contains("HttpClient.newHttpClient() in a lambda in UnseenClientsTests.MakesClients.send");
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Clients {

		@Bean
		RestClient plain() {
			return RestClient.create();
		}

		@Bean
		RestClient built(RestClient.Builder builder) {
			return builder.build();
		}

		@Bean
		RestClient attached() {
			RestClient.Builder builder = RestClient.builder();
			new OnceRequestInitializer().attachTo(builder);
			return builder.build();
		}

		@Bean
		RestTemplate plainTemplate() {
			return new RestTemplate();
		}

		@Bean
		RestTemplate builtTemplate(RestTemplateBuilder builder) {
			return builder.build();
		}

		@Bean
		WebClient plainWeb() {
			return WebClient.create();
		}

		@Bean
		WebClient attachedWeb() {
			WebClient.Builder builder = WebClient.builder();
			new OnceExchangeFilter().attachTo(builder);
			return builder.build();
		}

	}

	static class Mails {

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String address) {
		}

	}

	static class MakesClients {

		private final RestClient client = RestClient.create();

		@OnceEffect(action = "make", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String address) {
			Runnable lambda = () -> {
				HttpClient client = HttpClient.newHttpClient();
				client.version();
			};
			lambda.run();
			new RestTemplate().getErrorHandler();
			this.client.mutate();
		}

	}

	static class SaysSo {

		@OnceEffect(action = "say", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String address) {
			Effect.current().sending();
			HttpClient.newHttpClient();
		}

	}

	static class Attaches {

		private final RestClient client;

		Attaches() {
			RestClient.Builder builder = RestClient.builder();
			new OnceRequestInitializer().attachTo(builder);
			this.client = builder.build();
		}

		@OnceEffect(action = "attach", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String address) {
			this.client.mutate();
		}

	}

}
