package dev.once.actuate;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import dev.once.actuate.EffectCounts.Turn;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectLedger.Standing;
import dev.once.ledger.EffectListener.Resolved;
import dev.once.ledger.EffectState;
import dev.once.ledger.Ending;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Once's meters. All are registered at once, at zero, and no call adds one: their tags
 * are the declared names and fixed words, never keys, targets or texts.
 */
public final class OnceMeters implements MeterBinder {

	private final EffectCounts counts;

	private final StandingReader reader;

	/**
	 * Creates the meters.
	 * @param counts what this process did
	 * @param reader reads what the ledger holds
	 */
	public OnceMeters(EffectCounts counts, StandingReader reader) {
		this.counts = counts;
		this.reader = reader;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		bindEndings(registry);
		bindTurns(registry);
		counter("once.effects.duplicates", EffectCounts::duplicates)
			.description("Calls that met the row of their own key and did nothing new")
			.register(registry);
		counter("once.effects.changed", EffectCounts::changed)
			.description("Effects on a target that had been acted on with other inputs")
			.register(registry);
		counter("once.effects.contradictions", EffectCounts::contradictions)
			.description("Answers to attempts that had been resolved as \"did not happen\"")
			.register(registry);
		for (Resolved how : Resolved.values()) {
			counter("once.effects.resolved", (counts) -> counts.resolved().of(how)).tag("how", Words.of(how))
				.description("What came of asking the far side")
				.register(registry);
		}
		bindStanding(registry);
	}

	private void bindEndings(MeterRegistry registry) {
		Set<String> actions = declared(this.counts.endings().keySet());
		for (Ending ending : Ending.values()) {
			actions
				.forEach((action) -> register(registry, action, ending, (counts) -> counts.endings(action).of(ending)));
			register(registry, EffectCounts.OTHER, ending, (counts) -> counts.endingsBeside(actions, ending));
		}
	}

	private void register(MeterRegistry registry, String action, Ending ending, ToDoubleFunction<EffectCounts> count) {
		counter("once.effects", count).tags("action", action, "outcome", Words.of(ending))
			.description("Calls for an effect by what became of them")
			.register(registry);
	}

	private void bindTurns(MeterRegistry registry) {
		Set<String> jobs = declared(this.counts.turns().keySet());
		for (Turn turn : Turn.values()) {
			jobs.forEach((job) -> register(registry, job, turn, (counts) -> counts.turns(job).of(turn)));
			register(registry, EffectCounts.OTHER, turn, (counts) -> counts.turnsBeside(jobs, turn));
		}
	}

	private void register(MeterRegistry registry, String job, Turn turn, ToDoubleFunction<EffectCounts> count) {
		switch (turn) {
			case SUPPRESSED -> counter("once.job.suppressed", count).tag("job", job)
				.description("Firings that found the job's lease held, or their occurrence known")
				.register(registry);
			case REFUSED -> counter("once.job.refused", count).tag("job", job)
				.description("Occurrences that came while a run of their job was live, and were refused")
				.register(registry);
			case QUEUE_REFUSED -> counter("once.job.queue.refused", count).tag("job", job)
				.description("Occurrences that found their job's queue full")
				.register(registry);
			case MISSED -> counter("once.job.missed", count).tag("job", job)
				.description("Due times that passed while no run of their job was live")
				.register(registry);
			case FENCED -> counter("once.fenced", count).tag("job", job)
				.description("Runs that were turned away because their token is no longer the job's")
				.register(registry);
		}
	}

	private void bindStanding(MeterRegistry registry) {
		for (String job : declared(this.counts.turns().keySet())) {
			Gauge
				.builder("once.job.queue.depth", this.reader,
						(reader) -> reader.overview()
							.map((overview) -> overview.occurrences().queued().getOrDefault(job, 0L).doubleValue())
							.orElse(Double.NaN))
				.tag("job", job)
				.description("Occurrences that wait in their job's queue")
				.register(registry);
		}
		Gauge
			.builder("once.effects.unknown", this.reader,
					(reader) -> read(reader, (standing) -> standing.open().getOrDefault(EffectState.UNKNOWN, 0L)))
			.description("Effects in the ledger whose answer was lost")
			.register(registry);
		TimeGauge.builder("once.effects.unknown.age", this.reader, TimeUnit.MILLISECONDS, OnceMeters::oldestUnknown)
			.description("Age of the oldest unknown effect since its submit, 0 without one")
			.register(registry);
		for (Attention reason : Attention.values()) {
			Gauge
				.builder("once.effects.attention", this.reader,
						(reader) -> read(reader, (standing) -> standing.attention().getOrDefault(reason, 0L)))
				.tag("reason", Words.of(reason))
				.description("Effects in the ledger that need a person")
				.register(registry);
		}
	}

	private FunctionCounter.Builder<EffectCounts> counter(String name, ToDoubleFunction<EffectCounts> count) {
		return FunctionCounter.builder(name, this.counts, count);
	}

	private static double oldestUnknown(StandingReader reader) {
		return read(reader, (standing) -> (standing.oldestUnknown() != null) ? standing.oldestUnknown().toMillis() : 0);
	}

	// I8: what is not known is no number
	private static double read(StandingReader reader, ToDoubleFunction<Standing> value) {
		return reader.standing().map(value::applyAsDouble).orElse(Double.NaN);
	}

	private static Set<String> declared(Set<String> names) {
		Set<String> declared = new TreeSet<>(names);
		declared.remove(EffectCounts.OTHER);
		return declared;
	}

}
