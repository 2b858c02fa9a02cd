package dev.once.lease;

import java.time.Duration;
import java.time.Instant;

import dev.once.lease.LeaseMoves.Result;
import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Release;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.lease.LeaseStore.Request;
import dev.once.test.StateSearch;
import org.jspecify.annotations.Nullable;

/**
 * Two runs that claim, renew and release one lease, start effects under its token, crash
 * and are late.
 */
final class LeaseModel implements StateSearch.Model<LeaseModel.State> {

	static final String I3 = "I3 starts under a stale token";

	static final String I4 = "I4 a token is granted twice, or falls";

	static final String X1 = "X1 taken over while it is held";

	static final String X2 = "X2 a released lease is held again";

	static final String X4 = "X4 touches another run's lease";

	private static final String JOB = "job";

	private static final Duration TICK = Duration.ofSeconds(10);

	/** A tick and a half: no two instants are the same. */
	private static final Duration LENGTH = Duration.ofSeconds(15);

	private final LeaseMoves moves;

	private final Owners owners;

	private final int horizon;

	private final int claims;

	LeaseModel(LeaseMoves moves, Owners owners, int horizon, int claims) {
		this.moves = moves;
		this.owners = owners;
		this.horizon = horizon;
		this.claims = claims;
	}

	@Override
	public State initial() {
		return new State(0, null, Run.IDLE, Run.IDLE, 0, 0);
	}

	@Override
	public void next(State state, StateSearch.Steps<State> steps) {
		for (int i = 0; i < 2; i++) {
			run(state, i, steps);
		}
		if (state.now() < this.horizon) {
			steps.to("time", "passes", state.at(state.now() + 1), null);
		}
	}

	private void run(State state, int index, StateSearch.Steps<State> steps) {
		Run run = state.run(index);
		Instant now = instant(state.now());
		String actor = "run " + (index + 1);
		switch (run.doing()) {
			case NOTHING -> {
				if (state.claims() < this.claims) {
					steps.to(actor, "begins to claim", state.claimed().run(index, run.claiming(state.row())), null);
				}
			}
			case CLAIMING -> claim(state, index, steps, now);
			case HOLDING -> {
				Hold hold = run.hold();
				if (this.moves.checksUnderLock()) {
					steps.to(actor, "starts an effect", state, isStale(state, hold) && starts(state, hold) ? I3 : null);
				}
				else if (starts(state, hold)) {
					steps.to(actor, "finds its token to be the job's", state.run(index, run.to(Doing.CHECKED)), null);
				}
				release(state, index, steps, now);
				crash(state, index, steps);
			}
			case CHECKED -> {
				steps.to(actor, "starts an effect", state.run(index, run.to(Doing.HOLDING)),
						isStale(state, run.hold()) ? I3 : null);
				crash(state, index, steps);
			}
		}
		renew(state, index, steps, now);
	}

	// E1's own condition
	private static boolean starts(State state, Hold hold) {
		return state.row() != null && state.row().token() == hold.token();
	}

	private static boolean isStale(State state, Hold hold) {
		return hold.token() != state.granted();
	}

	private void claim(State state, int index, StateSearch.Steps<State> steps, Instant now) {
		Run run = state.run(index);
		LeaseRow row = state.row();
		Request request = new Request(JOB, owner(index), "run-" + (state.number() + 1), LENGTH, "model");
		Result<Claim> result = this.moves.claim(row, run.snapshot(), request, now);
		if (!(result.answer() instanceof Claim.Granted granted)) {
			steps.to("run " + (index + 1), "is declined", state.run(index, Run.IDLE), null);
			return;
		}
		boolean held = row != null && row.owner() != null && now.isBefore(row.leaseUntil());
		long token = granted.hold().token();
		String broken = (token <= state.granted()) ? I4 : held ? X1 : null;
		State next = state.row(result.row()).granted(token).run(index, run.holding(granted.hold()));
		steps.to("run " + (index + 1), "is granted token " + token, next, broken);
		steps.to("run " + (index + 1), "is granted token " + token + " and is not told",
				state.row(result.row()).granted(token).run(index, Run.IDLE), broken);
	}

	private void release(State state, int index, StateSearch.Steps<State> steps, Instant now) {
		Run run = state.run(index);
		Result<Release> result = this.moves.release(state.row(), run.hold(), now);
		String broken = (result.answer() == Release.RELEASED) ? touches(state, run.hold()) : null;
		steps.to("run " + (index + 1), "releases: " + result.answer(), state.row(result.row()).run(index, run.ended()),
				broken);
	}

	private void crash(State state, int index, StateSearch.Steps<State> steps) {
		steps.to("run " + (index + 1), "crashes", state.run(index, state.run(index).ended()), null);
	}

	// L4: a renewal is issued, and executed at any later time, also after the run's end
	private void renew(State state, int index, StateSearch.Steps<State> steps, Instant now) {
		Run run = state.run(index);
		Hold renewing = run.renewing();
		String actor = "run " + (index + 1);
		if (renewing == null) {
			if (run.doing() == Doing.HOLDING) {
				steps.to(actor, "issues a renewal", state.run(index, run.renewing(run.hold())), null);
			}
			return;
		}
		Result<Renewal> result = this.moves.renew(state.row(), renewing, now);
		String broken = null;
		if (result.answer() == Renewal.RENEWED) {
			broken = touches(state, renewing);
			broken = (broken == null && state.row() != null && state.row().owner() == null) ? X2 : broken;
		}
		boolean fenced = result.answer() == Renewal.FENCED && renewing.equals(run.held());
		Run after = fenced ? run.renewing(null).ended() : run.renewing(null);
		steps.to(actor, "has its renewal executed: " + result.answer(), state.row(result.row()).run(index, after),
				broken);
		steps.to(actor, "loses its renewal", state.run(index, run.renewing(null)), null);
	}

	private static @Nullable String touches(State state, Hold hold) {
		LeaseRow row = state.row();
		return (row != null && row.runId() != null && !row.runId().equals(hold.runId())) ? X4 : null;
	}

	private String owner(int index) {
		return (this.owners == Owners.ONE) ? "context" : "context-" + index;
	}

	private static Instant instant(int tick) {
		return Instant.EPOCH.plus(TICK.multipliedBy(tick));
	}

	/**
	 * Whether the runs belong to one application context or to two.
	 */
	enum Owners {

		ONE, TWO

	}

	/**
	 * What a run is about to do.
	 */
	enum Doing {

		NOTHING, CLAIMING, HOLDING, CHECKED

	}

	/**
	 * A run.
	 *
	 * @param doing what it is about to do
	 * @param snapshot the row when its claim began, or {@code null}
	 * @param held its lease, or {@code null}
	 * @param renewing the lease that a renewal on its way is about, or {@code null}
	 */
	record Run(Doing doing, @Nullable LeaseRow snapshot, @Nullable Hold held, @Nullable Hold renewing) {

		static final Run IDLE = new Run(Doing.NOTHING, null, null, null);

		Hold hold() {
			if (this.held == null) {
				throw new IllegalStateException("Holds nothing");
			}
			return this.held;
		}

		Run claiming(@Nullable LeaseRow snapshot) {
			return new Run(Doing.CLAIMING, snapshot, null, this.renewing);
		}

		Run holding(Hold hold) {
			return new Run(Doing.HOLDING, null, hold, this.renewing);
		}

		Run to(Doing doing) {
			return new Run(doing, null, this.held, this.renewing);
		}

		Run renewing(@Nullable Hold hold) {
			return new Run(this.doing, this.snapshot, this.held, hold);
		}

		Run ended() {
			return new Run(Doing.NOTHING, null, null, this.renewing);
		}

	}

	/**
	 * A state.
	 *
	 * @param now the time, in ticks
	 * @param row the lease row, or {@code null}
	 * @param first a run
	 * @param second another run
	 * @param granted the highest token that was ever granted
	 * @param claims how many claims have begun
	 */
	record State(int now, @Nullable LeaseRow row, Run first, Run second, long granted, int claims) {

		Run run(int index) {
			return (index == 0) ? this.first : this.second;
		}

		int number() {
			return (int) this.granted;
		}

		State at(int now) {
			return new State(now, this.row, this.first, this.second, this.granted, this.claims);
		}

		// When a row was acquired, renewed and read makes no difference
		State row(@Nullable LeaseRow row) {
			LeaseRow plain = (row != null) ? new LeaseRow(row.job(), row.owner(), row.runId(), row.token(),
					row.leaseUntil(), Instant.EPOCH, null, Instant.EPOCH) : null;
			return new State(this.now, plain, this.first, this.second, this.granted, this.claims);
		}

		State run(int index, Run run) {
			return new State(this.now, this.row, (index == 0) ? run : this.first, (index == 0) ? this.second : run,
					this.granted, this.claims);
		}

		State granted(long token) {
			return new State(this.now, this.row, this.first, this.second, Math.max(token, this.granted), this.claims);
		}

		State claimed() {
			return new State(this.now, this.row, this.first, this.second, this.granted, this.claims + 1);
		}

	}

}
