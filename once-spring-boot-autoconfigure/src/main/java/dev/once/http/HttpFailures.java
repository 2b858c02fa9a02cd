package dev.once.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;

import dev.once.ledger.Failure;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Ambiguous;
import dev.once.ledger.Failure.Named;
import dev.once.ledger.Failure.NotSent;
import dev.once.ledger.FailureClassifier;
import org.jspecify.annotations.Nullable;

/**
 * E5: what the failures of the JDK's HTTP clients, Apache HttpClient, Jetty and Reactor
 * Netty prove. Only what is certain is taken for "not sent".
 */
public final class HttpFailures implements FailureClassifier {

	// By name, so that none of the clients has to be there
	private static final Set<String> NOT_SENT = Set.of("org.apache.hc.client5.http.HttpHostConnectException",
			"org.apache.hc.client5.http.ConnectTimeoutException",
			"org.apache.hc.core5.http.ConnectionRequestTimeoutException",
			"org.apache.http.conn.ConnectTimeoutException", "org.apache.http.conn.HttpHostConnectException",
			"reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException");

	private static final Set<String> AMBIGUOUS = Set.of("org.apache.hc.core5.http.NoHttpResponseException",
			"org.apache.hc.core5.http.ConnectionClosedException", "org.apache.http.NoHttpResponseException",
			"reactor.netty.http.client.PrematureCloseException");

	// Said of the first bytes that a far side sends, so that no handshake can have ended
	private static final Set<String> NO_TLS_ANSWER = Set.of("Unsupported or unrecognized SSL message",
			"Unrecognized SSL message, plaintext connection?");

	@Override
	public @Nullable Failure classify(Throwable failure) {
		Failure proven = classifyOne(failure);
		return (proven instanceof NotSent) ? new Named("", proven) : proven;
	}

	/**
	 * What the first throwable of the chain that is known proves, or {@code null} when
	 * none is.
	 */
	static @Nullable Failure whatIsProven(Throwable failure) {
		return chain(failure).map(HttpFailures::classifyOne)
			.filter((proven) -> proven != null)
			.findFirst()
			.orElse(null);
	}

	private static @Nullable Failure classifyOne(Throwable failure) {
		if (failure instanceof SQLException) {
			// A database that refuses connections says nothing about the far side
			return new Ambiguous();
		}
		if (isAny(AMBIGUOUS, failure)) {
			return new Ambiguous();
		}
		if (isBeforeTheRequest(failure)) {
			return isSecondTry(failure) ? new Ambiguous() : new NotSent(About.THE_LAST_REQUEST);
		}
		return null;
	}

	private static boolean isBeforeTheRequest(Throwable failure) {
		return failure instanceof ConnectException || failure instanceof UnknownHostException
				|| failure instanceof NoRouteToHostException || failure instanceof HttpConnectTimeoutException
				|| failure instanceof SSLHandshakeException || failure instanceof SSLPeerUnverifiedException
				|| isAny(NOT_SENT, failure)
				|| (failure instanceof SSLException && NO_TLS_ANSWER.contains(String.valueOf(failure.getMessage())))
				|| (failure instanceof ClosedChannelException && endedHandshake(failure))
				|| (failure instanceof IOException && passed(failure, HttpFailures::isConnecting));
	}

	// Netty's way to say that a channel was closed while the handshake was under way
	private static boolean endedHandshake(Throwable failure) {
		return Arrays.stream(failure.getSuppressed()).anyMatch(SSLHandshakeException.class::isInstance);
	}

	/**
	 * Connecting and TLS handshakes throw what reading throws (a connect time-out is a
	 * {@link java.net.SocketTimeoutException} as a read time-out is): only the stack
	 * tells.
	 */
	private static boolean isConnecting(StackTraceElement frame) {
		String type = frame.getClassName();
		String method = frame.getMethodName();
		return (type.equals("java.net.Socket") && method.equals("connect"))
				|| (type.contains("SSLSocket") && method.equals("startHandshake"))
				|| (type.startsWith("org.eclipse.jetty.io.") && type.endsWith("$Connect"));
	}

	/**
	 * Whether the JDK's URL connection connected anew because the far side had closed the
	 * connection over which the request had been sent.
	 */
	private static boolean isSecondTry(Throwable failure) {
		return chain(failure)
			.anyMatch((link) -> passed(link, (frame) -> frame.getClassName().equals("sun.net.www.http.HttpClient")
					&& frame.getMethodName().startsWith("parseHTTP")));
	}

	private static boolean passed(Throwable failure, Predicate<StackTraceElement> frame) {
		return Arrays.stream(failure.getStackTrace()).anyMatch(frame);
	}

	private static boolean isAny(Set<String> names, Throwable failure) {
		return Stream.<Class<?>>iterate(failure.getClass(), (type) -> type != null, Class::getSuperclass)
			.anyMatch((type) -> names.contains(type.getName()));
	}

	private static Stream<Throwable> chain(Throwable failure) {
		Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
		return Stream.iterate(failure, (link) -> link != null && seen.add(link), Throwable::getCause);
	}

}
