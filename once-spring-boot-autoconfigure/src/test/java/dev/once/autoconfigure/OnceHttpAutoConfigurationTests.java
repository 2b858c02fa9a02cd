package dev.once.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CopyOnWriteArrayList;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.once.OnceScope;
import dev.once.http.HttpFailures;
import dev.once.http.OnceExchangeFilter;
import dev.once.http.OnceRequestInitializer;
import dev.once.http.RestClientFailures;
import dev.once.http.WebClientFailures;
import dev.once.ledger.FailureClassifier;
import dev.once.ledger.SecondRequest;
import dev.once.ledger.TrialAttempt;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.client.autoconfigure.imperative.ImperativeHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.service.HttpServiceClientPropertiesAutoConfiguration;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.boot.restclient.autoconfigure.RestClientAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.RestTemplateAutoConfiguration;
import org.springframework.boot.restclient.autoconfigure.service.HttpServiceClientAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.service.ReactiveHttpServiceClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.registry.HttpServiceGroup.ClientType;
import org.springframework.web.service.registry.ImportHttpServices;

import static org.assertj.core.api.Assertions.assertThat;

class OnceHttpAutoConfigurationTests {

	private static final String KEY = "0123456789abcdef0123456789abcdef";

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(OnceHttpAutoConfiguration.class, ImperativeHttpClientAutoConfiguration.class,
					ReactiveHttpClientAutoConfiguration.class, RestClientAutoConfiguration.class,
					RestTemplateAutoConfiguration.class, WebClientAutoConfiguration.class));

	private final CopyOnWriteArrayList<Headers> received = new CopyOnWriteArrayList<>();

	private HttpServer farSide;

	private volatile int status = 200;

	@BeforeEach
	void start() throws IOException {
		this.farSide = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.farSide.createContext("/", (exchange) -> {
			exchange.getRequestBody().readAllBytes();
			this.received.add(exchange.getRequestHeaders());
			exchange.getResponseHeaders().add("Retry-After", "0");
			exchange.sendResponseHeaders(this.status, -1);
			exchange.close();
		});
		this.farSide.start();
	}

	@AfterEach
	void stop() {
		this.farSide.stop(0);
	}

	@Test
	void everyRestClientBuilderOfBootsIsAttachedTo() {
		this.runner.run((context) -> {
			inEffect(() -> context.getBean(RestClient.Builder.class)
				.build()
				.post()
				.uri(uri())
				.retrieve()
				.toBodilessEntity());
			assertOneRequestWithKey();
		});
	}

	@Test
	void aRequestFactoryOfTheApplicationsChangesNothing() {
		this.runner.run((context) -> {
			inEffect(() -> context.getBean(RestClient.Builder.class)
				.requestFactory(new SimpleClientHttpRequestFactory())
				.build()
				.post()
				.uri(uri())
				.retrieve()
				.toBodilessEntity());
			assertOneRequestWithKey();
		});
	}

	@Test
	void everyRestTemplateBuilderOfBootsIsAttachedTo() {
		this.runner.run((context) -> {
			inEffect(() -> context.getBean(RestTemplateBuilder.class).build().postForLocation(uri(), "{}"));
			assertOneRequestWithKey();
		});
	}

	@Test
	void everyWebClientBuilderOfBootsIsAttachedTo() {
		this.runner.run((context) -> {
			inEffect(() -> context.getBean(WebClient.Builder.class)
				.build()
				.post()
				.uri(uri())
				.retrieve()
				.toBodilessEntity()
				.block());
			assertOneRequestWithKey();
		});
	}

	@Test
	void httpServiceClientsAreAttachedTo() {
		this.runner
			.withConfiguration(AutoConfigurations.of(HttpServiceClientPropertiesAutoConfiguration.class,
					HttpServiceClientAutoConfiguration.class))
			.withUserConfiguration(Payments.class)
			.withPropertyValues("spring.http.serviceclient.payments.base-url=" + uri())
			.run((context) -> {
				inEffect(() -> context.getBean(PaymentService.class).charge());
				assertOneRequestWithKey();
			});
	}

	@Test
	void reactiveHttpServiceClientsAreAttachedTo() {
		this.runner
			.withConfiguration(AutoConfigurations.of(HttpServiceClientPropertiesAutoConfiguration.class,
					ReactiveHttpServiceClientAutoConfiguration.class))
			.withUserConfiguration(ReactivePayments.class)
			.withPropertyValues("spring.http.serviceclient.payments.base-url=" + uri())
			.run((context) -> {
				inEffect(() -> context.getBean(PaymentService.class).charge());
				assertOneRequestWithKey();
			});
	}

	@Test
	void bootsApacheClientDoesNotRepeatAnEffectsRequest() {
		this.status = 503;
		this.runner.withPropertyValues("spring.http.clients.imperative.factory=http-components").run((context) -> {
			RestClient client = context.getBean(RestClient.Builder.class)
				.defaultStatusHandler((status) -> true, (request, response) -> {
				})
				.build();
			inEffect(() -> client.post().uri(uri()).body("{}").retrieve().toBodilessEntity());
			assertThat(this.received).hasSize(1);
			client.post().uri(uri()).body("{}").retrieve().toBodilessEntity();
			assertThat(this.received).hasSize(3);
		});
	}

	@Test
	void theHeadersAreSettings() {
		this.runner.withPropertyValues("once.http.key-header=X-Key", "once.http.fencing-token-header=true")
			.run((context) -> {
				inEffect(() -> context.getBean(RestClient.Builder.class)
					.build()
					.post()
					.uri(uri())
					.retrieve()
					.toBodilessEntity());
				assertThat(this.received).singleElement()
					.satisfies((headers) -> assertThat(headers.get("X-Key")).containsExactly(KEY));
				assertThat(context.getBean(OnceHttpProperties.class).headers().fencingToken())
					.isEqualTo("Once-Fencing-Token");
			});
	}

	@Test
	void aSecondRequestIsRefusedUnlessToldOtherwise() {
		this.runner.run((context) -> assertThat(context).getBean(SecondRequest.class).isEqualTo(SecondRequest.FAIL));
		this.runner.withPropertyValues("once.http.second-request=warn")
			.run((context) -> assertThat(context).getBean(SecondRequest.class).isEqualTo(SecondRequest.WARN));
	}

	@Test
	void switchedOffItAttachesToNothingButStillKnowsTheFailures() {
		this.runner.withPropertyValues("once.http.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(OnceRequestInitializer.class).doesNotHaveBean(OnceExchangeFilter.class);
			assertThat(context.getBeansOfType(FailureClassifier.class)).hasSize(3);
			inEffect(() -> context.getBean(RestClient.Builder.class)
				.build()
				.post()
				.uri(uri())
				.retrieve()
				.toBodilessEntity());
			assertThat(this.received).singleElement()
				.satisfies((headers) -> assertThat(headers.get("Idempotency-Key")).isNull());
		});
	}

	@Test
	void beansOfTheApplicationsReplaceOnces() {
		this.runner.withUserConfiguration(OwnBeans.class).run((context) -> {
			assertThat(context).hasSingleBean(OnceRequestInitializer.class).hasSingleBean(OnceExchangeFilter.class);
			assertThat(context).hasBean("ownInitializer").hasBean("ownFilter");
		});
	}

	@Test
	void withoutRestClientNothingOfItIsThere() {
		withoutClasses(RestClient.class, RestClientException.class)
			.run((context) -> assertThat(context).doesNotHaveBean(OnceRequestInitializer.class)
				.doesNotHaveBean(RestClientFailures.class)
				.hasSingleBean(HttpFailures.class)
				.hasSingleBean(OnceExchangeFilter.class));
	}

	@Test
	void withoutBootsRestClientModuleNothingIsAttached() {
		withoutClasses(RestClientCustomizer.class)
			.run((context) -> assertThat(context).doesNotHaveBean(OnceRequestInitializer.class)
				.hasSingleBean(RestClientFailures.class));
	}

	@Test
	void withoutWebClientNothingOfItIsThere() {
		withoutClasses(WebClient.class).run((context) -> assertThat(context).doesNotHaveBean(OnceExchangeFilter.class)
			.doesNotHaveBean(WebClientFailures.class)
			.hasSingleBean(OnceRequestInitializer.class));
	}

	@Test
	void withoutBootsWebClientModuleNothingIsAttached() {
		withoutClasses(WebClientCustomizer.class)
			.run((context) -> assertThat(context).doesNotHaveBean(OnceExchangeFilter.class)
				.hasSingleBean(WebClientFailures.class));
	}

	@Test
	void withoutApacheItStarts() {
		withoutClasses(HttpRequestRetryStrategy.class)
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(OnceRequestInitializer.class));
	}

	private static ApplicationContextRunner withoutClasses(Class<?>... classes) {
		return new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OnceHttpAutoConfiguration.class))
			.withClassLoader(new FilteredClassLoader(classes));
	}

	private String uri() {
		return "http://127.0.0.1:" + this.farSide.getAddress().getPort() + "/charges";
	}

	private static void inEffect(Runnable body) {
		try (OnceScope.Restore scope = TrialAttempt.atAnyHost().enter()) {
			body.run();
		}
	}

	private void assertOneRequestWithKey() {
		assertThat(this.received).singleElement()
			.satisfies((headers) -> assertThat(headers.get("Idempotency-Key")).containsExactly(KEY));
	}

	interface PaymentService {

		@PostExchange("/charges")
		void charge();

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "payments", types = PaymentService.class, clientType = ClientType.REST_CLIENT)
	static class Payments {

	}

	@Configuration(proxyBeanMethods = false)
	@ImportHttpServices(group = "payments", types = PaymentService.class, clientType = ClientType.WEB_CLIENT)
	static class ReactivePayments {

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnBeans {

		@Bean
		OnceRequestInitializer ownInitializer() {
			return new OnceRequestInitializer();
		}

		@Bean
		OnceExchangeFilter ownFilter() {
			return new OnceExchangeFilter();
		}

	}

}
