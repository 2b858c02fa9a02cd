package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

import dev.once.ledger.EffectRules.Asking;
import dev.once.ledger.EffectRules.ResolveSchedule;
import dev.once.ledger.EffectRules.Terms;
import dev.once.ledger.FarSideContract.RefusalKey;
import dev.once.ledger.ModelState.Fault;
import org.jspecify.annotations.Nullable;

/**
 * The world that a {@link ProtocolModel} lives in: how the effect is called, what the far
 * side promises and does, and what may go wrong. Times are in ticks. A window of
 * {@code n} ticks is {@code n} and a half long, so that no two instants are the same: a
 * request may leave at {@code n + 1} ticks, the submit's included.
 */
final class ModelWorld {

	static final int FOR_EVER = 1000;

	private static final Duration TICK = Duration.ofSeconds(10);

	private static final Duration HALF = Duration.ofSeconds(5);

	private static final Instant[] INSTANTS = new Instant[FOR_EVER];

	static {
		for (int i = 0; i < INSTANTS.length; i++) {
			INSTANTS[i] = Instant.EPOCH.plus(TICK.multipliedBy(i));
		}
	}

	Place place = Place.RUN;

	Asking asking = Asking.RESOLVER;

	int window = 1;

	int maxWindow = 2;

	int settle = 2;

	int delay = 1;

	int lag = 1;

	int shows = FOR_EVER;

	int remembers;

	int lease = 1;

	int attemptsOnLadder = 2;

	RefusalKey refusalKey = RefusalKey.SAME;

	int horizon = 6;

	int calls = 3;

	int attempts = 2;

	int faults;

	Set<Fault> kinds = EnumSet.noneOf(Fault.class);

	boolean sendsTwice;

	boolean pausesInGap;

	boolean liveness;

	private @Nullable Terms terms;

	static ModelWorld run() {
		return new ModelWorld();
	}

	static ModelWorld standalone() {
		ModelWorld world = new ModelWorld();
		world.place = Place.STANDALONE;
		return world;
	}

	static ModelWorld threads() {
		ModelWorld world = new ModelWorld();
		world.place = Place.THREADS_OF_ONE_RUN;
		return world;
	}

	ModelWorld withoutResolver() {
		this.asking = Asking.NOBODY;
		return this;
	}

	ModelWorld window(int window, int maxWindow) {
		this.window = window;
		this.maxWindow = maxWindow;
		return this;
	}

	/**
	 * What the far side and the way to it take.
	 * @param lag the ticks until a lookup shows an effect
	 * @param delay the ticks that a request may be on its way
	 * @param settle settle-after
	 */
	ModelWorld farSide(int lag, int delay, int settle) {
		this.lag = lag;
		this.delay = delay;
		this.settle = settle;
		return this;
	}

	ModelWorld shows(int shows) {
		this.shows = shows;
		return this;
	}

	ModelWorld remembers(int remembers) {
		this.remembers = remembers;
		return this;
	}

	ModelWorld freshKeyAfterRefusal() {
		this.refusalKey = RefusalKey.FRESH;
		return this;
	}

	/**
	 * How much happens.
	 * @param horizon the last tick
	 * @param calls the calls for the effect
	 * @param attempts the attempts at it
	 */
	ModelWorld upTo(int horizon, int calls, int attempts) {
		this.horizon = horizon;
		this.calls = calls;
		this.attempts = attempts;
		return this;
	}

	ModelWorld faults(int faults, Fault... kinds) {
		this.faults = faults;
		this.kinds = EnumSet.noneOf(Fault.class);
		this.kinds.addAll(Set.of(kinds));
		return this;
	}

	ModelWorld clientSendsTwice() {
		this.sendsTwice = true;
		return this;
	}

	ModelWorld pausesInGap() {
		this.pausesInGap = true;
		return this;
	}

	ModelWorld endsWell() {
		this.liveness = true;
		return this;
	}

	boolean forgetsNever() {
		return this.remembers == 0 || this.remembers == FOR_EVER;
	}

	static Instant instant(int tick) {
		return INSTANTS[tick];
	}

	static Duration ticks(int ticks) {
		return TICK.multipliedBy(ticks);
	}

	static Duration window(int ticks) {
		return ticks(ticks).plus(HALF);
	}

	/**
	 * The terms on which the rules decide.
	 */
	Terms terms() {
		Terms terms = this.terms;
		if (terms == null) {
			FarSideContract contract = new FarSideContract("far-side", Set.of(), window(this.window),
					window(this.maxWindow), ticks(this.settle), (this.remembers > 0) ? ticks(this.remembers) : null,
					(this.shows < FOR_EVER) ? ticks(this.shows) : null, this.refusalKey, Set.of(), Set.of(),
					this.attemptsOnLadder, ticks(1));
			terms = new Terms(contract, this.asking, new ResolveSchedule(2, ticks(1), ticks(1)));
			this.terms = terms;
		}
		return terms;
	}

	FarSideContract contract() {
		return terms().contract();
	}

	/**
	 * Where the effect is called from.
	 */
	enum Place {

		/**
		 * From the runs of a job, one of each worker.
		 */
		RUN,

		/**
		 * From two threads of a job's run, or of its next one.
		 */
		THREADS_OF_ONE_RUN,

		/**
		 * From outside a run.
		 */
		STANDALONE

	}

}
