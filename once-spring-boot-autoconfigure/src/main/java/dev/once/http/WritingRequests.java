package dev.once.http;

import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.once.Effect;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * Knows which requests of an effect count, what they are called and what they carry.
 */
final class WritingRequests {

	private static final Log logger = LogFactory.getLog(WritingRequests.class);

	private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH,
			HttpMethod.DELETE);

	private final EffectHeaders headers;

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	WritingRequests(EffectHeaders headers) {
		this.headers = headers;
	}

	static boolean isOneOf(Effect effect, HttpMethod method, URI uri) {
		return METHODS.contains(method) && effect.covers(host(uri));
	}

	/**
	 * The request's name on the effect's score. The query is left out: it may hold
	 * secrets and values that differ with each try, and the clients leave it out of their
	 * failures.
	 */
	static String name(HttpMethod method, URI uri) {
		return name(method, uri.toString());
	}

	static String name(HttpMethod method, String uri) {
		int query = uri.indexOf('?');
		return method.name() + " " + ((query < 0) ? uri : uri.substring(0, query));
	}

	/**
	 * Adds what the far side is to see. A key that the application set itself stays: it
	 * may know better, but is told once for each action.
	 */
	void addHeaders(HttpHeaders target, Effect effect) {
		String key = effect.idempotencyKey();
		String own = target.getFirst(this.headers.key());
		if (own == null) {
			target.set(this.headers.key(), key);
		}
		else if (!own.equals(key) && this.warned.add(effect.action())) {
			logger.warn("A request of action '" + effect.action() + "' sets the header '" + this.headers.key()
					+ "' itself, and keeps it: the far side can tell a repetition only if that value is the same on "
					+ "every attempt. Remove it, or set it to Effect.current().idempotencyKey()");
		}
		String token = this.headers.fencingToken();
		if (token != null && effect.fencingToken().isPresent()) {
			target.set(token, Long.toString(effect.fencingToken().getAsLong()));
		}
	}

	// URI knows no host with an underscore, which container networks are fond of
	private static @Nullable String host(URI uri) {
		String authority = uri.getRawAuthority();
		if (uri.getHost() != null || authority == null) {
			return uri.getHost();
		}
		String host = authority.substring(authority.lastIndexOf('@') + 1);
		int port = host.lastIndexOf(':');
		return (port < 0) ? host : host.substring(0, port);
	}

}
