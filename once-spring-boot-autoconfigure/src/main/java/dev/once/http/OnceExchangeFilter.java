package dev.once.http;

import java.util.concurrent.atomic.AtomicBoolean;

import dev.once.Effect;
import dev.once.Effect.Sending;
import dev.once.EffectDeadlineException;
import dev.once.OnceScope;
import dev.once.ledger.Failure.NotSent;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;

/**
 * Lets the writing requests that an effect sends through {@link WebClient} carry the
 * effect's key, respect its deadline and count. Wherever it stands among the filters that
 * are added after it, it works next to the wire: a filter that repeats the exchange is
 * seen each time.
 */
public final class OnceExchangeFilter implements ExchangeFilterFunction {

	private static final String EFFECT = OnceExchangeFilter.class.getName() + ".effect";

	private static final String SEEN = OnceExchangeFilter.class.getName() + ".seen";

	private final WritingRequests requests;

	/**
	 * Creates a filter that sends the key under its usual name.
	 */
	public OnceExchangeFilter() {
		this(EffectHeaders.standard());
	}

	/**
	 * Creates a filter.
	 * @param headers names of the headers
	 */
	public OnceExchangeFilter(EffectHeaders headers) {
		this.requests = new WritingRequests(headers);
	}

	/**
	 * Attaches this to a builder. Unlike a plain filter it then takes the effect from the
	 * thread that assembles a request, so that one repeated on another thread counts too.
	 * @param builder the builder
	 */
	public void attachTo(WebClient.Builder builder) {
		builder.filters((filters) -> {
			filters.removeIf(OnceExchangeFilter.class::isInstance);
			filters.add(0, this);
		});
		builder.defaultRequest((request) -> {
			Effect effect = OnceScope.current().effect();
			if (effect != null) {
				request.attribute(EFFECT, effect);
			}
		});
	}

	/**
	 * Whether one of these is attached to a client.
	 * @param client the client
	 */
	public static boolean isAttachedTo(WebClient client) {
		AtomicBoolean attached = new AtomicBoolean();
		client.mutate()
			.filters((filters) -> attached.set(filters.stream().anyMatch(OnceExchangeFilter.class::isInstance)));
		return attached.get();
	}

	@Override
	public ExchangeFilterFunction andThen(ExchangeFilterFunction after) {
		return new NextToTheWire(after, this);
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		Effect effect = effectOf(request);
		if (effect == null || request.attribute(SEEN).isPresent()) {
			return next.exchange(request);
		}
		if (!WritingRequests.isOneOf(effect, request.method(), request.url())) {
			return Mono.defer(() -> {
				effect.turnsElsewhere();
				return next.exchange(request);
			});
		}
		return Mono.defer(() -> new Exchange(effect, request).perform(next));
	}

	private static @Nullable Effect effectOf(ClientRequest request) {
		return request.attribute(EFFECT).map(Effect.class::cast).orElse(OnceScope.current().effect());
	}

	/**
	 * One subscription, which the client may turn into several requests.
	 */
	private final class Exchange {

		private final Effect effect;

		private final ClientRequest request;

		private final String name;

		private volatile Sending last;

		private volatile Left left = Left.NO;

		// E3, E5: counted before the client looks for a connection
		private Exchange(Effect effect, ClientRequest request) {
			this.effect = effect;
			this.request = request;
			this.name = WritingRequests.name(request.method(), request.url());
			this.last = count();
		}

		private Sending count() {
			Sending sending = this.effect.sending(this.name);
			sending.failsByName();
			return sending;
		}

		private Mono<ClientResponse> perform(ExchangeFunction next) {
			ClientRequest prepared = ClientRequest.from(this.request)
				.headers((headers) -> OnceExchangeFilter.this.requests.addHeaders(headers, this.effect))
				.httpRequest(this::leaves)
				.attribute(SEEN, true)
				.build();
			return Mono.defer(() -> next.exchange(prepared)).doOnNext(this::answered).onErrorMap(this::failed);
		}

		/**
		 * The client is about to write the request, on any thread, perhaps again.
		 * @throws EffectDeadlineException when the window has ended meanwhile
		 */
		private void leaves(ClientHttpRequest request) {
			if (this.left != Left.NO) {
				this.last = count();
			}
			else if (this.effect.timeLeft().isZero()) {
				this.last.didNothing();
				this.last = count();
			}
			this.left = Left.of(request);
		}

		private void answered(ClientResponse response) {
			if (StatusCodes.refuse(response.statusCode())) {
				this.last.didNothing();
			}
		}

		private Throwable failed(Throwable failure) {
			if (this.left == Left.NO) {
				this.last.didNothing();
				return (failure instanceof WebClientRequestException unanswered)
						? new UnsentRequestException(unanswered) : failure;
			}
			if (this.left == Left.AHEAD_OF_A_CONNECTION && HttpFailures.whatIsProven(failure) instanceof NotSent) {
				this.last.didNothing();
			}
			return failure;
		}

	}

	/**
	 * How far a request has come.
	 */
	private enum Left {

		/**
		 * Not at all.
		 */
		NO,

		/**
		 * It was written before there was a connection: a refused one proves that it did
		 * not leave.
		 */
		AHEAD_OF_A_CONNECTION,

		/**
		 * It was written to a connection: a refused one is a later one, of the client's
		 * own repetition.
		 */
		OVER_A_CONNECTION;

		static Left of(ClientHttpRequest request) {
			Object transport = request.getNativeRequest();
			return transport.getClass().getName().startsWith("reactor.netty.") ? OVER_A_CONNECTION
					: AHEAD_OF_A_CONNECTION;
		}

	}

	/**
	 * Other filters first, Once last.
	 *
	 * @param others the filters that were added after Once's
	 * @param once Once's
	 */
	private record NextToTheWire(ExchangeFilterFunction others,
			OnceExchangeFilter once) implements ExchangeFilterFunction {

		@Override
		public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
			return this.others.filter(request, (filtered) -> this.once.filter(filtered, next));
		}

		@Override
		public ExchangeFilterFunction andThen(ExchangeFilterFunction after) {
			return new NextToTheWire(this.others.andThen(after), this.once);
		}

	}

}
