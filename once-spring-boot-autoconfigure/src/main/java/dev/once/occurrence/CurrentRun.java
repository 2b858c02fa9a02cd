package dev.once.occurrence;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;

import dev.once.DueTime;
import dev.once.EffectAbandonedException;
import dev.once.EffectDeniedException;
import dev.once.EffectUnsettledException;
import dev.once.JobRun;
import dev.once.OnceException;
import dev.once.RunFencedException;
import dev.once.lease.Run;
import dev.once.ledger.CallListener;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.Ending;
import dev.once.ledger.Failures;
import dev.once.occurrence.OccurrenceStore.Earlier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A run while its body runs: counts what becomes of its effects and items.
 */
public final class CurrentRun implements JobRun, CallListener {

	private static final Log logger = LogFactory.getLog(CurrentRun.class);

	private final Run run;

	private final @Nullable DueTime due;

	private final Caller caller;

	private final BooleanSupplier stopping;

	private final AtomicIntegerArray endings = new AtomicIntegerArray(Ending.values().length);

	/** The effects that are not done, by key. */
	private final Map<String, Open> open = new ConcurrentHashMap<>();

	private final Set<Throwable> passing = Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

	private final AtomicInteger failedItems = new AtomicInteger();

	/**
	 * Begins a run.
	 * @param run the run with its lease
	 * @param due when it was due, or {@code null}
	 * @param caller whether its occurrence is run again
	 * @param stopping whether the application is shutting down
	 */
	CurrentRun(Run run, @Nullable DueTime due, Caller caller, BooleanSupplier stopping) {
		this.run = run;
		this.due = due;
		this.caller = caller;
		this.stopping = stopping;
	}

	/**
	 * The run with its lease, for the effects that start in it.
	 */
	public Run run() {
		return this.run;
	}

	/**
	 * The run meets an effect, which is open until something else is told.
	 * @param facts what names the effect
	 * @return is told what became of the call
	 */
	public CallListener meeting(EffectFacts facts) {
		this.open.put(facts.key(), Open.UNTIL_MOVED);
		return this;
	}

	@Override
	public Caller caller() {
		return this.caller;
	}

	@Override
	public void ended(EffectFacts facts, Ending ending, @Nullable Duration again) {
		this.endings.incrementAndGet(ending.ordinal());
		if (ending == Ending.PERFORMED || ending == Ending.DUPLICATE) {
			this.open.remove(facts.key());
		}
		else {
			this.open.put(facts.key(), new Open(again));
		}
	}

	/**
	 * An effect's own failure is on its way to the body, which may let it pass: the
	 * effect is open, and the run has not failed otherwise.
	 * @param failure the failure
	 */
	public void passes(Throwable failure) {
		this.passing.add(failure);
	}

	/**
	 * O4: how the run ends.
	 * @param call what was run
	 * @param attempt the attempt's number
	 * @param thrown what the body threw, or {@code null}
	 */
	OccurrenceStore.End end(JobCall call, int attempt, @Nullable Throwable thrown) {
		boolean failed = this.failedItems.get() > 0 || (thrown != null && !isOpenEffect(thrown));
		if (!failed) {
			return this.open.isEmpty() ? end(call, OccurrenceState.FINISHED, attempt, null, null)
					: end(call, OccurrenceState.OPEN, attempt, nextAttemptIn(), null);
		}
		String detail = (thrown != null) ? Failures.describe(thrown) : this.failedItems.get() + " items failed";
		if (this.stopping.getAsBoolean()) {
			// Any other node goes on at once
			return end(call, OccurrenceState.OPEN, attempt, Duration.ZERO, detail);
		}
		return (attempt < call.attempts()) ? end(call, OccurrenceState.OPEN, attempt + 1, call.backoff(), detail)
				: end(call, OccurrenceState.ABANDONED, attempt, null, detail);
	}

	private OccurrenceStore.End end(JobCall call, OccurrenceState state, int attempt, @Nullable Duration nextAttemptIn,
			@Nullable String detail) {
		return new OccurrenceStore.End(this.run.hold(), Objects.requireNonNull(occurrence()), state, attempt,
				nextAttemptIn, earlier(call, state, detail), counts(), detail);
	}

	// O4
	private static Earlier earlier(JobCall call, OccurrenceState state, @Nullable String detail) {
		if (!call.isNamedByTime()) {
			return Earlier.KEPT;
		}
		return switch (state) {
			case FINISHED -> Earlier.CLOSED;
			// What threw is on its ladder
			case OPEN -> (detail == null) ? Earlier.REPLACED : Earlier.KEPT;
			case RUNNING, ABANDONED, QUEUED, REFUSED, MISSED -> Earlier.KEPT;
		};
	}

	// Coming back for an effect that is open is no failed attempt
	private boolean isOpenEffect(Throwable thrown) {
		for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
			if (cause instanceof EffectUnsettledException || this.passing.contains(cause)) {
				return !this.open.isEmpty();
			}
		}
		return false;
	}

	private @Nullable Duration nextAttemptIn() {
		return this.open.values()
			.stream()
			.map(Open::again)
			.filter(Objects::nonNull)
			.min(Comparator.naturalOrder())
			.orElse(null);
	}

	/** How many calls for effects there were. */
	int calls() {
		int calls = 0;
		for (Ending ending : Ending.values()) {
			calls += this.endings.get(ending.ordinal());
		}
		return calls;
	}

	/** How many of them met the row of their own key. */
	int duplicates() {
		return this.endings.get(Ending.DUPLICATE.ordinal());
	}

	/** What became of its effects, by ending, as JSON. */
	private String counts() {
		StringBuilder json = new StringBuilder("{");
		for (Ending ending : Ending.values()) {
			json.append('"').append(lower(ending)).append("\":").append(this.endings.get(ending.ordinal())).append(',');
		}
		return json.append("\"failed_items\":").append(this.failedItems.get()).append('}').toString();
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
			catch (EffectAbandonedException | EffectDeniedException ex) {
				// A person has settled it, and another run would find it so
				logger.warn(describe("An effect was given up", ex));
			}
			catch (Exception ex) {
				if (ex instanceof InterruptedException) {
					Thread.currentThread().interrupt();
				}
				if (!isOpenEffect(ex)) {
					this.failedItems.incrementAndGet();
				}
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
		StringBuilder text = new StringBuilder("Run of job '").append(job()).append('\'');
		if (occurrence() != null) {
			text.append(" for '").append(occurrence()).append('\'');
		}
		text.append(" (token ").append(fencingToken()).append(") took ").append(duration.toMillis()).append(" ms: ");
		for (Ending ending : Ending.values()) {
			text.append(this.endings.get(ending.ordinal())).append(' ').append(word(ending)).append(", ");
		}
		return text.append(this.failedItems.get()).append(" failed items").toString();
	}

	private static String word(Ending ending) {
		return (ending == Ending.DUPLICATE) ? "duplicates" : lower(ending).replace('_', ' ');
	}

	private static String lower(Ending ending) {
		return ending.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * An effect that is not done.
	 *
	 * @param again how long until another call may come further, or {@code null} where
	 * its row is moved first
	 */
	private record Open(@Nullable Duration again) {

		static final Open UNTIL_MOVED = new Open(null);

	}

}
