package dev.once.occurrence;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;

import dev.once.DueTime;
import dev.once.EffectUnsettledException;
import dev.once.JobRun;
import dev.once.OnceException;
import dev.once.RunFencedException;
import dev.once.lease.Run;
import dev.once.ledger.Ending;
import dev.once.ledger.Failures;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A run while its body runs: counts what becomes of its effects and items.
 */
public final class CurrentRun implements JobRun {

	private static final Log logger = LogFactory.getLog(CurrentRun.class);

	private final Run run;

	private final @Nullable DueTime due;

	private final BooleanSupplier stopping;

	private final AtomicIntegerArray endings = new AtomicIntegerArray(Ending.values().length);

	private final AtomicInteger failedItems = new AtomicInteger();

	/**
	 * Begins a run.
	 * @param run the run with its lease
	 * @param due when it was due, or {@code null}
	 * @param stopping whether the application is shutting down
	 */
	CurrentRun(Run run, @Nullable DueTime due, BooleanSupplier stopping) {
		this.run = run;
		this.due = due;
		this.stopping = stopping;
	}

	/**
	 * The run with its lease, for the effects that start in it.
	 */
	public Run run() {
		return this.run;
	}

	/**
	 * Counts what became of a call for an effect.
	 * @param ending what became of it
	 */
	public void count(Ending ending) {
		this.endings.incrementAndGet(ending.ordinal());
	}

	@Override
	public String job() {
		return this.run.hold().job();
	}

	@Override
	public String id() {
		return this.run.hold().runId();
	}

	@Override
	public long fencingToken() {
		return this.run.hold().token();
	}

	@Override
	public @Nullable String occurrence() {
		return this.run.occurrence();
	}

	@Override
	public @Nullable DueTime due() {
		return this.due;
	}

	@Override
	public boolean isFenced() {
		return this.run.isFenced();
	}

	@Override
	public void stopIfFenced() {
		this.run.stopIfFenced();
	}

	@Override
	public <E> void each(Iterable<? extends E> items, ItemAction<? super E> action) {
		for (E item : items) {
			stopIfFenced();
			stopIfEnding();
			try {
				action.accept(item);
			}
			catch (RunFencedException ex) {
				throw ex;
			}
			catch (EffectUnsettledException ex) {
				// Its ending has been counted
				logger.warn(describe("An effect stays unsettled", ex));
			}
			catch (Exception ex) {
				if (ex instanceof InterruptedException) {
					Thread.currentThread().interrupt();
				}
				this.failedItems.incrementAndGet();
				logger.warn(describe("An item failed", ex));
			}
		}
		stopIfFenced();
	}

	/**
	 * An interrupted thread's requests fail half-way, and every further item would end up
	 * unknown; a context that shuts down would refuse each of them.
	 */
	private void stopIfEnding() {
		boolean interrupted = Thread.currentThread().isInterrupted();
		if (interrupted || this.stopping.getAsBoolean()) {
			throw new OnceException("Run " + id() + " of job '" + job() + "' ends: "
					+ (interrupted ? "its thread was interrupted" : "the application is shutting down")
					+ ". The items that are left were not started");
		}
	}

	// Types only: messages echo what far sides were sent
	private String describe(String what, Exception ex) {
		return what + " in run " + id() + " of job '" + job() + "', which goes on: " + Failures.describe(ex);
	}

	/**
	 * What the run did, for its report line.
	 * @param duration how long it took
	 */
	String report(Duration duration) {
		StringBuilder text = new StringBuilder("Run of job '").append(job())
			.append("' (token ")
			.append(fencingToken())
			.append(") took ")
			.append(duration.toMillis())
			.append(" ms: ");
		for (Ending ending : Ending.values()) {
			text.append(this.endings.get(ending.ordinal())).append(' ').append(word(ending)).append(", ");
		}
		return text.append(this.failedItems.get()).append(" failed items").toString();
	}

	private static String word(Ending ending) {
		return (ending == Ending.DUPLICATE) ? "duplicates" : ending.name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
