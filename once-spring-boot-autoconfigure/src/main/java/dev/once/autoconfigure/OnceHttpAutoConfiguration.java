package dev.once.autoconfigure;

import dev.once.aop.GuardedMethods;
import dev.once.http.HttpFailures;
import dev.once.http.OnceExchangeFilter;
import dev.once.http.OnceRequestInitializer;
import dev.once.http.OnceRetryStrategy;
import dev.once.http.RestClientFailures;
import dev.once.http.WebClientFailures;
import dev.once.ledger.SecondRequest;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Auto-configuration that attaches effects to the HTTP clients that Boot customizes, and
 * that knows what the clients' failures prove.
 */
@AutoConfiguration
@EnableConfigurationProperties(OnceHttpProperties.class)
public final class OnceHttpAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SecondRequest onceSecondRequest(OnceHttpProperties properties) {
		return properties.secondRequest();
	}

	@Bean
	@ConditionalOnMissingBean
	HttpFailures onceHttpFailures() {
		return new HttpFailures();
	}

	/**
	 * What is known of {@code RestClient} and {@code RestTemplate}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RestClientException.class)
	static class RestClientFailuresConfiguration {

		@Bean
		@ConditionalOnMissingBean
		RestClientFailures onceRestClientFailures() {
			return new RestClientFailures();
		}

	}

	/**
	 * What is known of {@code WebClient}.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(WebClient.class)
	static class WebClientFailuresConfiguration {

		@Bean
		@ConditionalOnMissingBean
		WebClientFailures onceWebClientFailures() {
			return new WebClientFailures();
		}

	}

	/**
	 * Attaches to every {@code RestClient.Builder} and {@code RestTemplateBuilder} of
	 * Boot's.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RestClient.class, RestClientCustomizer.class })
	@ConditionalOnBooleanProperty(name = "once.http.enabled", matchIfMissing = true)
	static class RestClientConfiguration {

		@Bean
		@ConditionalOnMissingBean
		OnceRequestInitializer onceRequestInitializer(OnceHttpProperties properties) {
			return new OnceRequestInitializer(properties.headers());
		}

		@Bean
		RestClientCustomizer onceRestClientCustomizer(OnceRequestInitializer initializer) {
			return initializer::attachTo;
		}

		@Bean
		RestTemplateCustomizer onceRestTemplateCustomizer(OnceRequestInitializer initializer) {
			return initializer::attachTo;
		}

		@Bean
		UnseenClients<RestClient> onceUnseenRestClients(ConfigurableListableBeanFactory beans,
				ObjectProvider<GuardedMethods> methods) {
			return new UnseenClients<>(beans, methods, RestClient.class, OnceRequestInitializer::isAttachedTo,
					"Build it from the RestClient.Builder that Spring Boot injects, or call "
							+ "new OnceRequestInitializer().attachTo(builder)");
		}

		@Bean
		UnseenClients<RestTemplate> onceUnseenRestTemplates(ConfigurableListableBeanFactory beans,
				ObjectProvider<GuardedMethods> methods) {
			return new UnseenClients<>(beans, methods, RestTemplate.class, OnceRequestInitializer::isAttachedTo,
					"Build it from the RestTemplateBuilder that Spring Boot injects, or call "
							+ "new OnceRequestInitializer().attachTo(template)");
		}

	}

	/**
	 * Attaches to every {@code WebClient.Builder} of Boot's.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ WebClient.class, WebClientCustomizer.class })
	@ConditionalOnBooleanProperty(name = "once.http.enabled", matchIfMissing = true)
	static class WebClientConfiguration {

		@Bean
		@ConditionalOnMissingBean
		OnceExchangeFilter onceExchangeFilter(OnceHttpProperties properties) {
			return new OnceExchangeFilter(properties.headers());
		}

		@Bean
		WebClientCustomizer onceWebClientCustomizer(OnceExchangeFilter filter) {
			return filter::attachTo;
		}

		@Bean
		UnseenClients<WebClient> onceUnseenWebClients(ConfigurableListableBeanFactory beans,
				ObjectProvider<GuardedMethods> methods) {
			return new UnseenClients<>(beans, methods, WebClient.class, OnceExchangeFilter::isAttachedTo,
					"Build it from the WebClient.Builder that Spring Boot injects, or call "
							+ "new OnceExchangeFilter().attachTo(builder)");
		}

	}

	/**
	 * Keeps Boot's Apache clients from repeating an effect's request.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HttpRequestRetryStrategy.class, ClientHttpRequestFactoryBuilderCustomizer.class })
	@ConditionalOnBooleanProperty(name = "once.http.enabled", matchIfMissing = true)
	static class HttpComponentsConfiguration {

		// First, so that an application's own strategy replaces it
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder> onceHttpComponentsCustomizer() {
			return (builder) -> builder
				.withHttpClientCustomizer((client) -> client.setRetryStrategy(new OnceRetryStrategy()));
		}

	}

}
