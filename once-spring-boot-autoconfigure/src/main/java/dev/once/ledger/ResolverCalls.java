package dev.once.ledger;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.EffectResolver;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Asks resolvers, each within a time-out. A throw or a time-out is "cannot tell" (E7).
 */
final class ResolverCalls implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ResolverCalls.class);

	private final AtomicInteger count = new AtomicInteger();

	private final ExecutorService threads = Executors.newCachedThreadPool((work) -> {
		Thread thread = new Thread(work, "once-resolver-" + this.count.incrementAndGet());
		thread.setDaemon(true);
		return thread;
	});

	private final Duration timeout;

	ResolverCalls(Duration timeout) {
		this.timeout = timeout;
	}

	Duration timeout() {
		return this.timeout;
	}

	<T extends @Nullable Object> Resolution<T> ask(EffectResolver<T> resolver, UnresolvedEffect effect) {
		Future<@Nullable Resolution<T>> asking;
		try {
			asking = this.threads.submit(() -> resolver.resolve(effect));
		}
		catch (RejectedExecutionException ex) {
			// The application shuts down: another process asks
			return Resolution.cannotTell();
		}
		try {
			Resolution<T> said = asking.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS);
			return (said != null) ? said : Resolution.cannotTell();
		}
		catch (TimeoutException ex) {
			asking.cancel(true);
			logger.warn("Resolver of action '" + effect.action() + "' did not answer about '" + effect.label()
					+ "' within " + this.timeout.toMillis() + " ms");
		}
		catch (InterruptedException ex) {
			asking.cancel(true);
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			logger.warn("Resolver of action '" + effect.action() + "' failed for '" + effect.label() + "': "
					+ Failures.describe(ex));
		}
		return Resolution.cannotTell();
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
	}

}
