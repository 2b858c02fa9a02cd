package dev.once.http;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;

import dev.once.Effect;
import dev.once.OnceScope;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpMethod;

/**
 * Keeps Apache HttpClient from repeating an effect's writing request by itself. Left
 * alone it repeats PUT and DELETE after a lost connection, and any request after 429 and
 * 503, unseen: the failure that it then throws is the last request's only (E5).
 */
public final class OnceRetryStrategy implements HttpRequestRetryStrategy {

	private final HttpRequestRetryStrategy others;

	/**
	 * Creates a strategy that repeats other requests as Apache's default does.
	 */
	public OnceRetryStrategy() {
		this(DefaultHttpRequestRetryStrategy.INSTANCE);
	}

	/**
	 * Creates a strategy.
	 * @param others decides about all other requests
	 */
	public OnceRetryStrategy(HttpRequestRetryStrategy others) {
		this.others = others;
	}

	@Override
	public boolean retryRequest(HttpRequest request, IOException failure, int count, HttpContext context) {
		return !isOfEffect(request) && this.others.retryRequest(request, failure, count, context);
	}

	@Override
	public boolean retryRequest(HttpResponse response, int count, HttpContext context) {
		return !isOfEffect(HttpCoreContext.cast(context).getRequest())
				&& this.others.retryRequest(response, count, context);
	}

	@Override
	public TimeValue getRetryInterval(HttpRequest request, IOException failure, int count, HttpContext context) {
		return this.others.getRetryInterval(request, failure, count, context);
	}

	@Override
	public TimeValue getRetryInterval(HttpResponse response, int count, HttpContext context) {
		return this.others.getRetryInterval(response, count, context);
	}

	private static boolean isOfEffect(@Nullable HttpRequest request) {
		Effect effect = OnceScope.current().effect();
		if (effect == null || request == null) {
			return false;
		}
		try {
			URI uri = request.getUri();
			return WritingRequests.isOneOf(effect, HttpMethod.valueOf(request.getMethod()), uri);
		}
		catch (URISyntaxException ex) {
			return true;
		}
	}

}
