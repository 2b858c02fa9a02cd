package dev.once.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;

import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.http.client.ReactorClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Real clients with Once attached by hand, and short time-outs.
 */
enum Clients {

	REST_CLIENT_JDK {
		@Override
		Sender sender(Duration connect, Duration read) {
			return rest(jdk(connect, read));
		}
	},

	REST_CLIENT_SIMPLE {
		@Override
		Sender sender(Duration connect, Duration read) {
			return rest(simple(connect, read));
		}
	},

	REST_CLIENT_APACHE {
		@Override
		Sender sender(Duration connect, Duration read) {
			return rest(apache(connect, read));
		}
	},

	REST_CLIENT_JETTY {
		@Override
		Sender sender(Duration connect, Duration read) {
			return rest(jetty(connect, read));
		}
	},

	REST_CLIENT_REACTOR {
		@Override
		Sender sender(Duration connect, Duration read) {
			ReactorClientHttpRequestFactory factory = new ReactorClientHttpRequestFactory();
			factory.setConnectTimeout(connect);
			factory.setReadTimeout(read);
			return rest(factory);
		}
	},

	REST_TEMPLATE_JDK {
		@Override
		Sender sender(Duration connect, Duration read) {
			RestTemplate template = new RestTemplate(jdk(connect, read));
			new OnceRequestInitializer().attachTo(template);
			return (method, uri) -> template.execute(uri, method, (request) -> {
				request.getHeaders().setContentLength(2);
				request.getBody().write(new byte[2]);
			}, (response) -> null);
		}
	},

	WEB_CLIENT_JDK {
		@Override
		Sender sender(Duration connect, Duration read) {
			JdkClientHttpConnector connector = new JdkClientHttpConnector(
					HttpClient.newBuilder().connectTimeout(connect).build());
			connector.setReadTimeout(read);
			return web(connector);
		}
	},

	WEB_CLIENT_REACTOR {
		@Override
		Sender sender(Duration connect, Duration read) {
			return web(new ReactorClientHttpConnector(reactor.netty.http.client.HttpClient.newConnection()
				.option(io.netty.channel.ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) connect.toMillis())
				.responseTimeout(read)));
		}
	};

	static final Duration PATIENT = Duration.ofSeconds(60);

	private @Nullable Sender patient;

	abstract Sender sender(Duration connect, Duration read);

	/**
	 * A sender that waits long for answers; one for all tests, because starting a client
	 * takes longer than most of them.
	 */
	synchronized Sender sender() {
		if (this.patient == null) {
			this.patient = sender(PATIENT, PATIENT);
		}
		return this.patient;
	}

	static ClientHttpRequestFactory jdk(Duration connect, Duration read) {
		JdkClientHttpRequestFactory factory = new JdkClientHttpRequestFactory(
				HttpClient.newBuilder().connectTimeout(connect).build());
		factory.setReadTimeout(read);
		return factory;
	}

	static ClientHttpRequestFactory simple(Duration connect, Duration read) {
		SimpleClientHttpRequestFactory factory = new SimpleClientHttpRequestFactory();
		factory.setConnectTimeout(connect);
		factory.setReadTimeout(read);
		return factory;
	}

	static ClientHttpRequestFactory apache(Duration connect, Duration read) {
		ConnectionConfig connection = ConnectionConfig.custom()
			.setConnectTimeout(Timeout.of(connect))
			.setSocketTimeout(Timeout.of(read))
			.build();
		return new HttpComponentsClientHttpRequestFactory(HttpClients.custom()
			.setRetryStrategy(new OnceRetryStrategy())
			.setConnectionManager(
					PoolingHttpClientConnectionManagerBuilder.create().setDefaultConnectionConfig(connection).build())
			.build());
	}

	static ClientHttpRequestFactory jetty(Duration connect, Duration read) {
		JettyClientHttpRequestFactory factory = new JettyClientHttpRequestFactory();
		factory.setConnectTimeout(connect);
		factory.setReadTimeout(read);
		return factory;
	}

	static Sender rest(ClientHttpRequestFactory factory) {
		RestClient.Builder builder = RestClient.builder().requestFactory(factory);
		new OnceRequestInitializer().attachTo(builder);
		RestClient client = builder.build();
		return (method, uri) -> client.method(method).uri(uri).body("{}").retrieve().toBodilessEntity();
	}

	static Sender web(ClientHttpConnector connector) {
		WebClient.Builder builder = WebClient.builder().clientConnector(connector);
		new OnceExchangeFilter().attachTo(builder);
		WebClient client = builder.build();
		return (method, uri) -> client.method(method).uri(uri).bodyValue("{}").retrieve().toBodilessEntity().block();
	}

	/**
	 * Sends a request with a small body and returns once it was answered.
	 */
	interface Sender {

		void send(HttpMethod method, URI uri);

		default void post(URI uri) {
			send(HttpMethod.POST, uri);
		}

	}

}
