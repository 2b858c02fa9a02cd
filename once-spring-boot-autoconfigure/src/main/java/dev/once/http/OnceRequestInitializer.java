package dev.once.http;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.once.Effect;
import dev.once.EffectDeadlineException;
import dev.once.OnceScope;
import dev.once.SecondRequestException;

import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestInitializer;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Lets the writing requests that an effect sends through {@link RestClient} or
 * {@link RestTemplate} carry the effect's key, respect its deadline and count. It looks
 * at no body and buffers none.
 */
public final class OnceRequestInitializer implements ClientHttpRequestInitializer {

	private static final String SEEN = OnceRequestInitializer.class.getName() + ".seen";

	/** Does nothing, and can be seen in a client where a default request cannot. */
	private static final ClientHttpRequestInitializer ATTACHED = (request) -> {
	};

	private final WritingRequests requests;

	/**
	 * Creates an initializer that sends the key under its usual name.
	 */
	public OnceRequestInitializer() {
		this(EffectHeaders.standard());
	}

	/**
	 * Creates an initializer.
	 * @param headers names of the headers
	 */
	public OnceRequestInitializer(EffectHeaders headers) {
		this.requests = new WritingRequests(headers);
	}

	/**
	 * Attaches this to a builder. Unlike a plain initializer it then sees each request
	 * after the request's own headers are set, right before it leaves.
	 * @param builder the builder
	 */
	public void attachTo(RestClient.Builder builder) {
		builder.defaultRequest((request) -> request.httpRequest(this::initialize));
		builder.requestInitializers((initializers) -> {
			if (!initializers.contains(ATTACHED)) {
				initializers.add(ATTACHED);
			}
		});
	}

	/**
	 * Whether one of these is attached to a client.
	 * @param client the client
	 */
	public static boolean isAttachedTo(RestClient client) {
		AtomicBoolean attached = new AtomicBoolean();
		client.mutate().requestInitializers((initializers) -> attached.set(isAmong(initializers)));
		return attached.get();
	}

	/**
	 * Whether one of these is attached to a template.
	 * @param template the template
	 */
	public static boolean isAttachedTo(RestTemplate template) {
		return isAmong(template.getClientHttpRequestInitializers());
	}

	private static boolean isAmong(List<ClientHttpRequestInitializer> initializers) {
		return initializers.stream()
			.anyMatch((initializer) -> initializer == ATTACHED || initializer instanceof OnceRequestInitializer);
	}

	/**
	 * Attaches this to a template.
	 * @param template the template
	 */
	public void attachTo(RestTemplate template) {
		template.getClientHttpRequestInitializers().add(this);
	}

	/**
	 * Prepares a request that the current effect is about to send; does nothing outside
	 * an effect.
	 * @param request the request
	 * @throws EffectDeadlineException when the effect's window has ended
	 * @throws SecondRequestException when the attempt has sent another request already
	 */
	@Override
	public void initialize(ClientHttpRequest request) {
		Effect effect = OnceScope.current().effect();
		if (effect == null || request.getAttributes().putIfAbsent(SEEN, Boolean.TRUE) != null) {
			return;
		}
		if (!WritingRequests.isOneOf(effect, request.getMethod(), request.getURI())) {
			effect.turnsElsewhere();
			return;
		}
		this.requests.addHeaders(request.getHeaders(), effect);
		// E3, E5: last, because past the deadline nothing may leave
		effect.sending(WritingRequests.name(request.getMethod(), request.getURI())).failsByName();
	}

}
