package dev.once.lease;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * L4: the one thread that renews leases and extends windows. An exception never ends it,
 * and it is started anew if it dies all the same.
 */
public final class Renewer implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Renewer.class);

	private final List<Runnable> renewals;

	private final Duration interval;

	private final Set<Runnable> failing = ConcurrentHashMap.newKeySet();

	private @Nullable Thread thread;

	private volatile boolean closed;

	/**
	 * Creates the renewer; it starts with {@link #ensureRunning()}.
	 * @param renewals what is done at every tick, each by itself
	 * @param interval the time between two ticks
	 */
	public Renewer(List<Runnable> renewals, Duration interval) {
		this.renewals = List.copyOf(renewals);
		this.interval = interval;
	}

	/**
	 * Starts the thread unless it runs. Called before every claim and every submit, so
	 * that nothing starts that nobody renews.
	 */
	public void ensureRunning() {
		if (!isRunning() && !this.closed) {
			start();
		}
	}

	/**
	 * Whether the thread runs, for health.
	 */
	public boolean isRunning() {
		Thread thread = this.thread;
		return thread != null && thread.isAlive();
	}

	private synchronized void start() {
		if (isRunning() || this.closed) {
			return;
		}
		Thread thread = new Thread(this::run, "once-renewal");
		thread.setDaemon(true);
		this.thread = thread;
		thread.start();
	}

	private void run() {
		while (!this.closed) {
			this.renewals.forEach(this::renew);
			try {
				Thread.sleep(this.interval.toMillis());
			}
			catch (InterruptedException ex) {
				// Only closing ends the renewing
			}
		}
	}

	private void renew(Runnable renewal) {
		try {
			renewal.run();
			if (this.failing.remove(renewal)) {
				logger.info("Renewal fails no more");
			}
		}
		catch (Throwable ex) {
			// A database that is away is told of once, not four times a second
			String message = "Renewal failed and is tried again every " + this.interval.toMillis() + " ms";
			if (this.failing.add(renewal)) {
				logger.warn(message, ex);
			}
			else {
				logger.debug(message, ex);
			}
		}
	}

	@Override
	public void close() {
		this.closed = true;
		Thread thread = this.thread;
		if (thread != null) {
			thread.interrupt();
		}
	}

}
