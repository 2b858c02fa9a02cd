package dev.once.actuate;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectLedger.Standing;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the ledger holds for whoever asks often: one read serves all that ask within
 * its freshness, and nobody waits long for a database that does not answer.
 */
public final class StandingReader implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(StandingReader.class);

	/** How long one read serves. */
	static final Duration FRESHNESS = Duration.ofSeconds(1);

	/** How long is waited for a read. */
	static final Duration PATIENCE = Duration.ofSeconds(2);

	private final EffectLedger ledger;

	private final OccurrenceStore occurrences;

	private final Duration freshness;

	private final Duration patience;

	private final ExecutorService executor;

	private @Nullable Future<Overview> reading;

	private Optional<Overview> latest = Optional.empty();

	private long readAt;

	/**
	 * Creates a reader.
	 * @param ledger the ledger
	 * @param occurrences the table of occurrences
	 */
	public StandingReader(EffectLedger ledger, OccurrenceStore occurrences) {
		this(ledger, occurrences, FRESHNESS, PATIENCE);
	}

	StandingReader(EffectLedger ledger, OccurrenceStore occurrences, Duration freshness, Duration patience) {
		this.ledger = ledger;
		this.occurrences = occurrences;
		this.freshness = freshness;
		this.patience = patience;
		this.readAt = System.nanoTime() - freshness.toNanos();
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
				StandingReader::thread);
		executor.allowCoreThreadTimeOut(true);
		this.executor = executor;
	}

	private static Thread thread(Runnable task) {
		Thread thread = new Thread(task, "once-standing");
		thread.setDaemon(true);
		return thread;
	}

	/**
	 * What the ledger holds, at most a second old, or empty when it could not be read
	 * within two. Failures, too, serve for a second, so that the many gauges of one
	 * scrape wait once.
	 * @return what the ledger holds, as far as is known
	 */
	public Optional<Standing> standing() {
		return overview().map(Overview::effects);
	}

	/**
	 * As {@link #standing()}, the occurrences included.
	 * @return what the ledger and the table of occurrences hold, as far as is known
	 */
	synchronized Optional<Overview> overview() {
		if (System.nanoTime() - this.readAt >= this.freshness.toNanos()) {
			this.latest = read();
			this.readAt = System.nanoTime();
		}
		return this.latest;
	}

	private Optional<Overview> read() {
		try {
			Future<Overview> reading = this.reading;
			// One that ended after nobody waited for it any more is of no use: it may be
			// old
			if (reading == null || reading.isDone()) {
				reading = this.executor.submit(() -> new Overview(this.ledger.standing(), this.occurrences.standing()));
				this.reading = reading;
			}
			return Optional.of(reading.get(this.patience.toNanos(), TimeUnit.NANOSECONDS));
		}
		catch (TimeoutException ex) {
			// While it is out no other is begun, so that reads do not pile up
			logger.debug("The ledger's standing could not be read within " + this.patience.toMillis() + " ms");
		}
		catch (ExecutionException ex) {
			logger.debug("The ledger's standing could not be read", ex.getCause());
		}
		catch (RejectedExecutionException ex) {
			logger.trace("The ledger's standing is no longer read", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return Optional.empty();
	}

	@Override
	public void close() {
		// Not interrupted: H2 closes its file under an interrupted thread
		this.executor.shutdown();
	}

	/**
	 * What the tables hold.
	 *
	 * @param effects what the ledger holds
	 * @param occurrences what the table of occurrences holds, finished ones left out
	 */
	record Overview(Standing effects, OccurrenceStore.Standing occurrences) {

	}

}
