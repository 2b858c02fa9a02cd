package dev.once.actuate;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.once.lease.LeaseListener;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener;
import dev.once.ledger.EffectRow;
import dev.once.occurrence.JobListener;
import dev.once.ledger.Ending;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Counts what this process did since its start, for endpoint and meters alike. Names that
 * the code does not declare are counted together, so that no more is kept than the code
 * has names.
 */
public final class EffectCounts implements EffectListener, LeaseListener, JobListener {

	/** What undeclared names are counted under. */
	static final String OTHER = "other";

	private final SingletonSupplier<KnownNames> names;

	private final Instant since = Instant.now();

	private final Map<String, Tally<Ending>> endings = new ConcurrentHashMap<>();

	private final Map<String, Tally<Turn>> turns = new ConcurrentHashMap<>();

	private final Tally<Resolved> resolved = new Tally<>(Resolved.class);

	private final LongAdder duplicates = new LongAdder();

	private final LongAdder changed = new LongAdder();

	private final LongAdder contradictions = new LongAdder();

	/**
	 * Creates counts that stand at zero.
	 * @param names gives the declared names, asked with the first undeclared one or when
	 * the counts are read
	 */
	public EffectCounts(Supplier<KnownNames> names) {
		this.names = SingletonSupplier.of(names);
	}

	@Override
	public void ended(EffectFacts facts, Ending ending) {
		tally(this.endings, facts.action(), KnownNames::actions, Ending.class).add(ending);
	}

	@Override
	public void repeated(EffectRow row, Ending ending, Caller caller) {
		this.duplicates.increment();
	}

	@Override
	public void changed(EffectFacts facts) {
		this.changed.increment();
	}

	@Override
	public void resolved(EffectRow row, Resolved how) {
		this.resolved.add(how);
	}

	@Override
	public void contradiction(EffectFacts facts, @Nullable EffectRow row) {
		this.contradictions.increment();
	}

	@Override
	public void suppressed(String job) {
		tally(this.turns, job, KnownNames::jobs, Turn.class).add(Turn.SUPPRESSED);
	}

	@Override
	public void fenced(String job) {
		tally(this.turns, job, KnownNames::jobs, Turn.class).add(Turn.FENCED);
	}

	@Override
	public void refused(String job) {
		tally(this.turns, job, KnownNames::jobs, Turn.class).add(Turn.REFUSED);
	}

	@Override
	public void queueFull(String job) {
		tally(this.turns, job, KnownNames::jobs, Turn.class).add(Turn.QUEUE_REFUSED);
	}

	@Override
	public void missed(String job, long dueTimes) {
		tally(this.turns, job, KnownNames::jobs, Turn.class).add(Turn.MISSED, dueTimes);
	}

	Instant since() {
		return this.since;
	}

	/** By action, in order: the declared ones and {@link #OTHER}. */
	Map<String, Tally<Ending>> endings() {
		return all(this.endings, KnownNames::actions, Ending.class);
	}

	/** By job, in order: the declared ones and {@link #OTHER}. */
	Map<String, Tally<Turn>> turns() {
		return all(this.turns, KnownNames::jobs, Turn.class);
	}

	Tally<Ending> endings(String action) {
		return this.endings.getOrDefault(action, new Tally<>(Ending.class));
	}

	Tally<Turn> turns(String job) {
		return this.turns.getOrDefault(job, new Tally<>(Turn.class));
	}

	/** All calls that ended so, but for those of some actions. */
	long endingsBeside(Set<String> actions, Ending ending) {
		return beside(this.endings, actions, ending);
	}

	/** All turns of a kind, but for those of some jobs. */
	long turnsBeside(Set<String> jobs, Turn turn) {
		return beside(this.turns, jobs, turn);
	}

	Tally<Resolved> resolved() {
		return this.resolved;
	}

	/** Calls that met the row of their own key and did nothing new. */
	long duplicates() {
		return this.duplicates.sum();
	}

	long changed() {
		return this.changed.sum();
	}

	long contradictions() {
		return this.contradictions.sum();
	}

	private <E extends Enum<E>> Tally<E> tally(Map<String, Tally<E>> tallies, String name,
			Function<KnownNames, Collection<String>> declared, Class<E> events) {
		Tally<E> tally = tallies.get(name);
		if (tally != null) {
			return tally;
		}
		String counted = declared.apply(this.names.obtain()).contains(name) ? name : OTHER;
		return tallies.computeIfAbsent(counted, (key) -> new Tally<>(events));
	}

	private <E extends Enum<E>> Map<String, Tally<E>> all(Map<String, Tally<E>> tallies,
			Function<KnownNames, Collection<String>> declared, Class<E> events) {
		Set<String> names = Set.copyOf(declared.apply(this.names.obtain()));
		names.forEach((name) -> tallies.computeIfAbsent(name, (key) -> new Tally<>(events)));
		tallies.computeIfAbsent(OTHER, (key) -> new Tally<>(events));
		return new TreeMap<>(tallies);
	}

	private static <E extends Enum<E>> long beside(Map<String, Tally<E>> tallies, Set<String> names, E event) {
		return tallies.entrySet()
			.stream()
			.filter((entry) -> !names.contains(entry.getKey()))
			.mapToLong((entry) -> entry.getValue().of(event))
			.sum();
	}

	/**
	 * What befalls a job besides running.
	 */
	enum Turn {

		/**
		 * A firing found the lease held.
		 */
		SUPPRESSED,

		/**
		 * A run was turned away.
		 */
		FENCED,

		/**
		 * An occurrence came while a run was live, and was refused.
		 */
		REFUSED,

		/**
		 * An occurrence found its job's queue full.
		 */
		QUEUE_REFUSED,

		/**
		 * A due time passed while no run was live.
		 */
		MISSED

	}

	/**
	 * How often each event of a kind was counted.
	 *
	 * @param <E> the events
	 */
	static final class Tally<E extends Enum<E>> {

		private final Map<E, LongAdder> counts;

		Tally(Class<E> events) {
			this.counts = new EnumMap<>(events);
			Arrays.stream(events.getEnumConstants()).forEach((event) -> this.counts.put(event, new LongAdder()));
		}

		void add(E event) {
			add(event, 1);
		}

		void add(E event, long times) {
			adder(event).add(times);
		}

		long of(E event) {
			return adder(event).sum();
		}

		private LongAdder adder(E event) {
			LongAdder adder = this.counts.get(event);
			if (adder == null) {
				throw new IllegalArgumentException("Not an event of this tally: " + event);
			}
			return adder;
		}

	}

}
