package dev.once.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.once.Resolution;
import dev.once.ledger.EffectRules.Asking;
import dev.once.ledger.EffectRules.Attempted;
import dev.once.ledger.EffectRules.BodyEnd;
import dev.once.ledger.EffectRules.Earlier;
import dev.once.ledger.EffectRules.LateAnswer;
import dev.once.ledger.EffectRules.ReadBack;
import dev.once.ledger.EffectRules.Step;
import dev.once.ledger.Failure.About;
import dev.once.ledger.Failure.Next;
import dev.once.ledger.ModelState.Awaited;
import dev.once.ledger.ModelState.Doing;
import dev.once.ledger.ModelState.FarSide;
import dev.once.ledger.ModelState.Fault;
import dev.once.ledger.ModelState.Heard;
import dev.once.ledger.ModelState.Late;
import dev.once.ledger.ModelState.Lease;
import dev.once.ledger.ModelState.Left;
import dev.once.ledger.ModelState.Live;
import dev.once.ledger.ModelState.Request;
import dev.once.ledger.ModelState.Said;
import dev.once.ledger.ModelState.Seen;
import dev.once.ledger.ModelState.Worker;
import dev.once.ledger.ModelWorld.Place;
import dev.once.ledger.MoveSemantics.Around;
import dev.once.ledger.MoveSemantics.Result;
import dev.once.test.StateSearch;
import org.jspecify.annotations.Nullable;

import static dev.once.ledger.ModelWorld.FOR_EVER;

/**
 * Two workers that call for one effect, a caretaker that asks, and a far side: every
 * order in which their steps can happen, and every fault that the world allows between
 * them. It decides nothing by itself: see {@link ModelProtocol}.
 */
final class ProtocolModel implements StateSearch.Model<ModelState> {

	static final String I1 = "I1 applied more than once";

	static final String I2 = "I2 sent without a durable submitted";

	static final String I3 = "I3 starts under a stale token";

	static final String I5 = "I5 leaves done, or its answer changes";

	static final String I7 = "I7 stuck";

	static final String J1 = "J1 done, never applied";

	static final String J2 = "J2 a known answer thrown away";

	static final String J5 = "J5 a contradiction is hidden";

	private static final EffectFacts FACTS = new EffectFacts("key", 1, "charge", "inv-1", null, "digest", null,
			"charge/inv-1");

	private static final String JOB = "job";

	private static final int QUIET_TICKS = 60;

	private static final int QUIET_STEPS = 200;

	private final ModelWorld world;

	private final ModelProtocol protocol;

	private final Map<Integer, Around> arounds = new HashMap<>();

	private final Set<ModelState> endsWell = new HashSet<>();

	ProtocolModel(ModelWorld world, ModelProtocol protocol) {
		this.world = world;
		this.protocol = protocol;
	}

	@Override
	public ModelState initial() {
		return ModelState.initial(new Left(this.world.calls, this.world.faults));
	}

	@Override
	public void next(ModelState state, StateSearch.Steps<ModelState> steps) {
		Turn turn = new Turn(state, steps, Pace.ANY);
		turn.everybody();
		if (state.left().calls() > 0) {
			turn.call(0);
			turn.call(1);
		}
		turn.tick();
	}

	/**
	 * I7: nothing goes wrong any more, everybody goes on, and somebody calls at every
	 * tick.
	 */
	@Override
	public @Nullable String stuck(ModelState state) {
		if (!this.world.liveness) {
			return null;
		}
		List<ModelState> passed = new ArrayList<>();
		ModelState present = state.left(new Left(0, 0));
		for (int i = 0; i < QUIET_TICKS; i++) {
			if (this.endsWell.contains(present)) {
				break;
			}
			passed.add(present);
			ModelState settled = quietly(present);
			if (settled != null && !isAtRest(settled)) {
				ModelState called = first(settled, (turn) -> turn.call(0));
				settled = (called != null) ? quietly(called) : settled;
			}
			if (settled == null) {
				return I7;
			}
			if (isAtRest(settled)) {
				break;
			}
			present = later(settled);
			if (i == QUIET_TICKS - 1) {
				return I7;
			}
		}
		this.endsWell.addAll(passed);
		return null;
	}

	// Everybody goes on until nobody has anything to do at this tick
	private @Nullable ModelState quietly(ModelState state) {
		ModelState present = state;
		for (int i = 0; i < QUIET_STEPS; i++) {
			ModelState next = first(present, Turn::everybody);
			if (next == null) {
				return present;
			}
			present = next;
		}
		return null;
	}

	private @Nullable ModelState first(ModelState state, Consumer<Turn> what) {
		List<ModelState> found = new ArrayList<>();
		what.accept(new Turn(state, (actor, did, next, broken) -> found.add(next), Pace.QUIET));
		return found.isEmpty() ? null : found.get(0);
	}

	private static boolean isAtRest(ModelState state) {
		EffectRow row = state.row();
		return row != null && (row.state() == EffectState.DONE
				|| (row.attention() != null && row.state() != EffectState.SUBMITTED));
	}

	// What has passed has passed, however long ago: that keeps the states few
	private ModelState later(ModelState state) {
		int now = state.now() + 1;
		Lease lease = state.lease();
		FarSide farSide = state.farSide();
		boolean shown = farSide.applied() > 0 && now > farSide.at() + this.world.lag;
		boolean timeless = this.world.shows == FOR_EVER && this.world.forgetsNever();
		return state.at(now)
			.row((state.row() != null) ? later(state.row(), now) : null)
			.lease((lease.until() < now) ? new Lease(lease.token(), -1) : lease)
			.farSide((shown && timeless) ? new FarSide(1, -FOR_EVER, farSide.key(), farSide.by()) : farSide)
			.worker(0, later(state.first(), now))
			.worker(1, later(state.second(), now));
	}

	private EffectRow later(EffectRow row, int now) {
		Instant instant = ModelWorld.instant(now);
		boolean attempt = row.nextAttemptAt() != null && !instant.isBefore(row.nextAttemptAt());
		boolean resolve = row.nextResolveAt() != null && !instant.isBefore(row.nextResolveAt());
		return (attempt || resolve) ? new EffectRow(row.facts(), row.attempt(), row.state(), row.outcome(),
				row.attention(), row.refusals(), row.firstSubmittedAt(), attempt ? null : row.nextAttemptAt(),
				row.resolveTries(), resolve ? null : row.nextResolveAt(), row.answer(), row.detail(), row.readAt())
				: row;
	}

	private Worker later(Worker worker, int now) {
		Doing doing = worker.doing();
		int past = now - this.world.window - 1;
		if (doing instanceof Doing.Submitting submitting && submitting.since() < past) {
			return worker.doing(new Doing.Submitting(past, submitting.seen(), submitting.attempt()));
		}
		if (doing instanceof Doing.ReadingBack reading && reading.since() < past) {
			return worker.doing(new Doing.ReadingBack(past, reading.seen(), reading.attempt()));
		}
		return worker;
	}

	private Around around(int token) {
		return this.arounds.computeIfAbsent(token, (key) -> new Around(Map.of(JOB, (long) token), List.of()));
	}

	/**
	 * The row without what makes no difference any more: texts, and times that no rule
	 * reads in its state.
	 */
	private EffectRow plain(EffectRow row, Instant readAt) {
		boolean open = row.state() == EffectState.SUBMITTED || row.state() == EffectState.UNKNOWN;
		boolean done = row.state() == EffectState.DONE;
		AttemptFacts attempt = row.attempt();
		AttemptFacts plain = new AttemptFacts(1, attempt.id(), null, open ? attempt.submittedAt() : Instant.EPOCH,
				open ? attempt.windowUntil() : Instant.EPOCH, attempt.settleAfter());
		boolean aged = !done && (this.world.remembers > 0 || this.world.shows != FOR_EVER);
		return new EffectRow(row.facts(), plain, row.state(), row.outcome(), row.attention(), row.refusals(),
				aged ? row.firstSubmittedAt() : Instant.EPOCH, done ? null : row.nextAttemptAt(),
				done ? 0 : row.resolveTries(), done ? null : row.nextResolveAt(), row.answer(), null, readAt);
	}

	private static String id(int attempt) {
		return "a" + attempt;
	}

	private static Answer answer(int attempt) {
		return new Answer("of " + id(attempt), "model");
	}

	@Override
	public String describe(ModelState state) {
		StringBuilder text = new StringBuilder("t" + state.now());
		EffectRow row = state.row();
		if (row != null) {
			text.append("  row ").append(row.state().name().toLowerCase(Locale.ROOT));
			text.append(' ').append(row.attempt().id());
			text.append(" window ").append(tick(row.attempt().windowUntil()));
			text.append((row.attention() != null) ? " attention " + row.attention() : "");
		}
		text.append("  far side ").append(state.farSide().applied());
		text.append((state.lease().token() > 0) ? "  token " + state.lease().token() : "");
		text.append(state.wire().isEmpty() ? ""
				: "  wire " + state.wire().stream().map((request) -> id(request.attempt())).toList());
		return text.toString();
	}

	private static double tick(Instant instant) {
		return Duration.between(Instant.EPOCH, instant).toMillis() / (double) ModelWorld.ticks(1).toMillis();
	}

	/**
	 * Whether everything may happen, or only what happens when nothing goes wrong.
	 */
	private enum Pace {

		ANY, QUIET

	}

	/**
	 * The steps out of one state.
	 */
	private final class Turn {

		private final ModelWorld world = ProtocolModel.this.world;

		private final ModelProtocol protocol = ProtocolModel.this.protocol;

		private final ModelState state;

		private final StateSearch.Steps<ModelState> steps;

		private final Pace pace;

		private final Instant now;

		private Turn(ModelState state, StateSearch.Steps<ModelState> steps, Pace pace) {
			this.state = state;
			this.steps = steps;
			this.pace = pace;
			this.now = ModelWorld.instant(state.now());
		}

		private void everybody() {
			deliver();
			late();
			for (int i = 0; i < 2; i++) {
				worker(i);
			}
			caretaker();
		}

		// The far side, and the way to it

		private void deliver() {
			for (Request request : this.state.wire()) {
				ModelState taken = this.state.wire(without(request));
				FarSide farSide = this.state.farSide();
				boolean known = farSide.applied() > 0 && farSide.key().equals(request.key()) && remembers();
				FarSide after = known ? farSide : new FarSide(farSide.applied() + 1, this.state.now(), request.key(),
						(farSide.applied() > 0) ? farSide.by() : request.attempt());
				go("far side", (known ? "knows the request of " : "applies the request of ") + id(request.attempt()),
						answered(taken.farSide(after), request, Heard.ANSWER));
				if (may(Fault.REFUSAL) && !known) {
					go("far side", "refuses the request of " + id(request.attempt()),
							answered(taken.after(Fault.REFUSAL), request, Heard.REFUSAL));
				}
				if (may(Fault.LOST_REQUEST)) {
					go("wire", "loses the request of " + id(request.attempt()), taken.after(Fault.LOST_REQUEST));
				}
			}
		}

		private List<Request> without(Request request) {
			List<Request> rest = new ArrayList<>(this.state.wire());
			rest.remove(request);
			return List.copyOf(rest);
		}

		private ModelState answered(ModelState state, Request request, Heard heard) {
			for (int i = 0; i < 2; i++) {
				Worker worker = state.worker(i);
				if (request.answer() == Awaited.YES && worker.doing() instanceof Doing.Waiting waiting
						&& waiting.live().attempt() == request.attempt()) {
					return state.worker(i, worker.doing(new Doing.Waiting(waiting.live(), heard)));
				}
			}
			return state;
		}

		private boolean remembers() {
			return this.world.remembers > 0 && (this.world.forgetsNever()
					|| this.state.now() <= this.state.farSide().at() + this.world.remembers);
		}

		private boolean isShown() {
			FarSide farSide = this.state.farSide();
			boolean stillShown = this.world.shows == FOR_EVER || this.state.now() <= farSide.at() + this.world.shows;
			return farSide.applied() > 0 && this.state.now() > farSide.at() + this.world.lag && stillShown;
		}

		// E2: a statement whose exception has been seen and which is executed all the
		// same
		private void late() {
			Late late = this.state.late();
			if (late == null) {
				return;
			}
			Move move = (late.end() != null) ? late.end() : submission(late.seen(), id(late.attempt()), late.token());
			Result result = apply(move);
			ModelState next = this.state.late(null).row(stored(result));
			boolean starts = late.end() == null && applied(result);
			go("database", "executes a statement late (" + name(move) + ")",
					starts ? next.submitted(late.attempt()) : next, starts ? fence(late.token()) : null);
		}

		// Workers

		private void worker(int index) {
			Worker worker = this.state.worker(index);
			Doing doing = worker.doing();
			if (doing instanceof Doing.Nothing) {
				return;
			}
			if (doing instanceof Doing.Submitting submitting) {
				submit(index, submitting);
			}
			else if (doing instanceof Doing.ReadingBack reading) {
				readBack(index, reading);
			}
			else if (doing instanceof Doing.Entering entering) {
				enter(index, entering.live());
			}
			else if (doing instanceof Doing.Sending sending) {
				extensions(index, sending.live());
				send(index, sending.live());
			}
			else if (doing instanceof Doing.Writing writing) {
				write(index, writing.live());
			}
			else if (doing instanceof Doing.Waiting waiting) {
				extensions(index, waiting.live());
				await(index, waiting);
			}
			else if (doing instanceof Doing.Ending ending) {
				end(index, ending);
			}
			else if (doing instanceof Doing.Asking asking) {
				ask(actor(index), asking.asked(), (next) -> doing(this.state, index, next));
			}
			else if (doing instanceof Doing.Judging judging) {
				judge(index, judging);
			}
			if (may(Fault.CRASH)) {
				go(actor(index), "crashes",
						gone(this.state, worker).after(Fault.CRASH).worker(index, new Worker(0, new Doing.Nothing())));
			}
		}

		// L1: a run claims a lease that is free or has lapsed
		private void call(int index) {
			Worker worker = this.state.worker(index);
			if (!(worker.doing() instanceof Doing.Nothing) || (index == 1 && worker.equals(this.state.first()))) {
				return;
			}
			Lease lease = this.state.lease();
			int other = this.state.worker(1 - index).token();
			if (this.world.place == Place.STANDALONE) {
				call(index, "calls", this.state, 0);
			}
			else if (this.world.place == Place.THREADS_OF_ONE_RUN && other != 0 && other == lease.token()) {
				call(index, "calls in the same run", this.state, other);
			}
			else if (lease.until() < this.state.now()) {
				Lease claimed = new Lease(lease.token() + 1, this.state.now() + this.world.lease);
				call(index, "claims the lease and calls", this.state.lease(claimed), claimed.token());
			}
		}

		private void call(int index, String what, ModelState claimed, int token) {
			Left left = this.state.left();
			ModelState called = claimed.left(new Left(Math.max(0, left.calls() - 1), left.faults()))
				.worker(index, new Worker(token, new Doing.Nothing()));
			EffectRow row = read();
			if (row == null) {
				go(actor(index), what, doing(called, index, new Doing.Submitting(this.state.now(), null, 0)));
				return;
			}
			// A row once there stays: its submit is turned away, whenever it comes
			meet(index, what, called, row);
		}

		private void submit(int index, Doing.Submitting doing) {
			int token = this.state.worker(index).token();
			int attempt = (doing.attempt() != 0) ? doing.attempt() : this.state.attempts() + 1;
			Move move = submission(doing.seen(), id(attempt), token);
			Result result = apply(move);
			if (!applied(result)) {
				turnedAway(index, name(move), result.moved(), doing);
				return;
			}
			if (attempt > this.world.attempts && this.pace == Pace.ANY) {
				return;
			}
			String did = name(move) + " " + id(attempt);
			ModelState numbered = this.state.attempts(Math.max(attempt, this.state.attempts()));
			ModelState moved = numbered.row(stored(result)).submitted(attempt);
			int refusals = (result.moved() instanceof Moved.Applied applied) ? applied.row().refusals() : 0;
			go(actor(index), did, doing(moved, index, begun(doing.since(), attempt, refusals, doing.seen())),
					fence(token));
			Doing readingBack = new Doing.ReadingBack(doing.since(), doing.seen(), attempt);
			if (may(Fault.AMBIGUOUS_COMMIT)) {
				go(actor(index), did + ", committed, exception",
						doing(moved.after(Fault.AMBIGUOUS_COMMIT), index, readingBack), fence(token));
				go(actor(index), did + ", not committed, exception",
						doing(numbered.after(Fault.AMBIGUOUS_COMMIT), index, readingBack));
			}
			if (may(Fault.LATE_STATEMENT) && this.state.late() == null) {
				go(actor(index), did + ", still on its way, exception",
						doing(numbered.after(Fault.LATE_STATEMENT).late(new Late(null, doing.seen(), attempt, token)),
								index, readingBack));
			}
		}

		private Move submission(@Nullable Seen seen, String id, int token) {
			FarSideContract contract = this.world.contract();
			Fence fence = (this.world.place != Place.STANDALONE) ? new Fence(JOB, null, "run", token) : null;
			return (seen == null)
					? new Move.Submit(FACTS, id, fence, contract.window(), contract.settleAfter(),
							Move.Waiting.FOR_OPEN_FACTS)
					: new Move.Resubmit(FACTS.key(), FACTS.revision(), seen.state(), seen.attemptId(), id, fence,
							contract.window(), contract.settleAfter(), contract.remembers());
		}

		private void turnedAway(int index, String did, Moved moved, Doing.Submitting doing) {
			if (!(moved instanceof Moved.Met met)) {
				go(actor(index), did + ", fenced", ended(this.state, index));
				return;
			}
			EffectRow row = met.row();
			if (doing.attempt() != 0 && this.protocol.onReadBack(row, id(doing.attempt())) == ReadBack.COMMITTED) {
				go(actor(index), did + ", finds it committed",
						doing(this.state, index, begun(doing.since(), doing.attempt(), row.refusals(), doing.seen())));
				return;
			}
			meet(index, did + ", turned away", this.state, row);
		}

		private Doing begun(int since, int attempt, int refusals, @Nullable Seen seen) {
			int from = this.protocol.countedFrom(since, this.state.now());
			Earlier earlier = (seen != null) ? seen.earlier() : Earlier.SETTLED;
			Live live = new Live(attempt, from, from + this.world.window, refusals, earlier, 0, 0, -1);
			// With the check as the request leaves, the one on entry makes no difference
			return this.protocol.checksAsRequestLeaves() ? new Doing.Sending(live) : new Doing.Entering(live);
		}

		private void readBack(int index, Doing.ReadingBack doing) {
			EffectRow row = read();
			int refusals = (row != null) ? row.refusals() : 0;
			Doing begun = begun(doing.since(), doing.attempt(), refusals, doing.seen());
			if (!this.protocol.readsBack()) {
				go(actor(index), "does not read back", doing(this.state, index, begun));
				return;
			}
			ReadBack shown = this.protocol.onReadBack(row, id(doing.attempt()));
			if (shown == ReadBack.TOO_LATE && row != null) {
				meet(index, "reads back: too late", this.state, row);
			}
			else {
				go(actor(index), "reads back: " + shown, doing(this.state, index, (shown == ReadBack.COMMITTED) ? begun
						: new Doing.Submitting(doing.since(), doing.seen(), doing.attempt())));
			}
		}

		/**
		 * E6: what a caller does about a row. It marks the row at once where it must: a
		 * row that moved on before that had been met as it then was.
		 */
		private void meet(int index, String did, ModelState state, EffectRow row) {
			Step step = this.protocol.onMeeting(row, this.world.terms());
			if (step instanceof Step.Again again) {
				Seen seen = new Seen(row.state(), row.attempt().id(), again.earlier());
				go(actor(index), did + ", will attempt again",
						doing(state, index, new Doing.Submitting(this.state.now(), seen, 0)));
				return;
			}
			Result marked = (step instanceof Step.Ask) ? apply(state, askAbout(row.attempt().id())) : null;
			if (marked != null && marked.moved() instanceof Moved.Applied applied) {
				ModelState moved = state.row(stored(marked));
				go(actor(index), did + ", marks the row to ask", doing(moved, index, asking(applied.row())));
				if (may(Fault.AMBIGUOUS_COMMIT)) {
					go(actor(index), did + ", marks the row, committed, exception",
							ended(moved.after(Fault.AMBIGUOUS_COMMIT), index));
				}
				return;
			}
			go(actor(index), did + ", " + step.getClass().getSimpleName(), ended(state, index));
		}

		// L2: a run releases its lease unless another thread of it goes on
		private ModelState ended(ModelState state, int index) {
			int token = state.worker(index).token();
			ModelState idle = state.worker(index, new Worker(0, new Doing.Nothing()));
			boolean last = token != 0 && token == state.lease().token() && state.worker(1 - index).token() != token;
			return last ? idle.lease(new Lease(token, -1)) : idle;
		}

		// The body: E3, E5

		private void enter(int index, Live live) {
			if (this.protocol.checksOnEntry() && isPast(live)) {
				go(actor(index), "is past its deadline on entry", ending(index, live, BodyEnd.Failed.pastDeadline()));
			}
			else {
				go(actor(index), "enters the body", doing(this.state, index, new Doing.Sending(live)));
			}
		}

		private boolean isPast(Live live) {
			return this.state.now() > live.deadline();
		}

		private void send(int index, Live live) {
			if (this.protocol.checksAsRequestLeaves() && isPast(live)) {
				go(actor(index), "may not send any more", ending(index, live, BodyEnd.Failed.pastDeadline()));
				go(actor(index), "may not send, and swallows it",
						ending(index, live, this.protocol.onSwallowedDeadline()));
				return;
			}
			// A second one in an attempt whose first one is open: only where the far side
			// knows it
			boolean mayRepeat = live.openBeforeLast() + live.lastOpen() == 0 || this.world.remembers > 0;
			if (mayRepeat && this.world.pausesInGap) {
				go(actor(index), "passes the last check", doing(this.state, index, new Doing.Writing(live)));
			}
			else if (mayRepeat) {
				write(index, live);
			}
			if (may(Fault.NOT_SENT) || !mayRepeat) {
				go(actor(index), "cannot connect: not sent",
						ending(mayRepeat ? this.state.after(Fault.NOT_SENT) : this.state, index, live.counted(),
								new BodyEnd.Failed(new Failure.NotSent(About.THE_LAST_REQUEST), null, null)));
			}
		}

		private void write(int index, Live live) {
			String key = this.protocol.idempotencyKey(FACTS, live.refusals(), live.attempt(), this.world.contract());
			Request request = new Request(live.attempt(), key, this.state.now(), Awaited.YES);
			ModelState waiting = doing(this.state, index, new Doing.Waiting(live.counted(), Heard.NOTHING));
			String broken = this.state.isDurablySubmitted(live.attempt()) ? null : I2;
			go(actor(index), "sends the request", waiting.wire(with(this.state.wire(), request)), broken);
			if (this.world.sendsTwice) {
				Request twin = new Request(live.attempt(), key, this.state.now(), Awaited.NO);
				go(actor(index), "sends the request, and its client sends it again",
						waiting.wire(with(with(this.state.wire(), request), twin)), broken);
			}
		}

		private List<Request> with(List<Request> wire, Request request) {
			List<Request> requests = new ArrayList<>(wire);
			requests.add(request);
			requests.sort(null);
			return List.copyOf(requests);
		}

		private void await(int index, Doing.Waiting waiting) {
			Live live = waiting.live();
			ModelState deaf = gone(this.state, this.state.worker(index));
			if (waiting.heard() == Heard.ANSWER) {
				go(actor(index), "takes the answer",
						ending(index, live, new BodyEnd.Answered(answer(this.state.farSide().by()))));
			}
			if (waiting.heard() == Heard.REFUSAL) {
				go(actor(index), "takes the refusal", ending(index, live,
						new BodyEnd.Failed(new Failure.Refused(null, Next.ANOTHER_ATTEMPT), null, null)));
				if (may(Fault.RETRY_IN_BODY)) {
					go(actor(index), "is refused and tries again in its body", this.state.after(Fault.RETRY_IN_BODY)
						.worker(index, worker(index, new Doing.Sending(live.didNothing()))));
				}
			}
			boolean hopes = waiting.heard() != Heard.NOTHING
					|| this.state.wire().stream().anyMatch((request) -> request.attempt() == live.attempt());
			if (this.pace == Pace.ANY || !hopes) {
				go(actor(index), "gives up waiting: time-out",
						ending(deaf, index, live, new BodyEnd.Failed(new Failure.Ambiguous(), null, null)));
			}
			if (may(Fault.RETRY_IN_BODY)) {
				go(actor(index), "times out and tries again in its body",
						deaf.after(Fault.RETRY_IN_BODY).worker(index, worker(index, new Doing.Sending(live))));
			}
		}

		private ModelState ending(int index, Live live, BodyEnd end) {
			return ending(this.state, index, live, end);
		}

		private ModelState ending(ModelState state, int index, Live live, BodyEnd end) {
			Attempted attempted = new Attempted(FACTS.key(), FACTS.revision(), id(live.attempt()), live.refusals(),
					live.earlier(), live.openBeforeLast(), live.lastOpen() != 0);
			Move move = this.protocol.onBodyEnd(attempted, end, this.world.contract());
			return state.worker(index, worker(index, new Doing.Ending(live, textless(move))));
		}

		// Texts make no difference to anything
		private static Move textless(Move move) {
			if (move instanceof Move.Release release) {
				return new Move.Release(release.key(), release.revision(), release.attemptId(), release.nextAttemptIn(),
						null);
			}
			return move;
		}

		// E4
		private void end(int index, Doing.Ending doing) {
			Move move = doing.move();
			Live live = doing.live();
			if (move instanceof Move.Settle && this.protocol.givesAnswerUp(this.state.now(), live.deadline())) {
				go(actor(index), "gives its answer up", ended(this.state, index), lost(live));
				return;
			}
			Result result = apply(move);
			ModelState moved = this.state.row(stored(result));
			boolean changes = applied(result);
			if (move instanceof Move.Settle && result.moved() instanceof Moved.Met met) {
				LateAnswer late = this.protocol.onLateAnswer(met.row(), id(live.attempt()), this.world.asking);
				ModelState next = (late == LateAnswer.CONTRADICTION)
						? doing(moved, index,
								new Doing.Ending(live, new Move.Contradict(FACTS.key(), FACTS.revision(), "late")))
						: ended(moved, index);
				go(actor(index), "stores its answer: " + late, next, lost(live));
				return;
			}
			go(actor(index), name(move) + (changes ? "" : ", but the row has moved on"), ended(moved, index));
			if (changes && may(Fault.AMBIGUOUS_COMMIT)) {
				go(actor(index), name(move) + ", committed, exception", moved.after(Fault.AMBIGUOUS_COMMIT));
			}
			if (changes && may(Fault.LATE_STATEMENT) && this.state.late() == null) {
				go(actor(index), name(move) + ", and a first try is still on its way",
						ended(moved.after(Fault.LATE_STATEMENT).late(new Late(move, null, live.attempt(), 0)), index));
			}
		}

		private @Nullable String lost(Live live) {
			EffectRow row = this.state.row();
			return (row != null && row.isAttempt(id(live.attempt())) && row.state() != EffectState.DONE) ? J2 : null;
		}

		// E3, L4: over another connection, while the body runs
		private void extensions(int index, Live live) {
			if (live.extending() < 0) {
				int longer = extended(live, this.state.now());
				if (may(Fault.EXTENSION) && !isPast(live) && longer > live.deadline()) {
					Live issued = live.extending(this.state.now());
					go(actor(index), "asks for a longer window", alive(this.state.after(Fault.EXTENSION), index,
							this.protocol.extendsBeforeConfirmed() ? issued.deadline(longer) : issued));
				}
				return;
			}
			Result result = apply(new Move.Extend(FACTS.key(), FACTS.revision(), id(live.attempt()),
					this.world.contract().window(), this.world.contract().maxWindow()));
			ModelState moved = this.state.row(stored(result));
			Live known = live.extending(-1);
			if (result.moved() instanceof Moved.Applied) {
				int from = this.protocol.extensionCountedFrom(live.extending(), this.state.now());
				go(actor(index), "has its window extended", alive(moved, index, known.deadline(extended(live, from))));
				go(actor(index), "has its window extended and is not told", alive(moved, index, known));
			}
			else {
				go(actor(index), "has its extension refused", alive(moved, index, known));
			}
		}

		private int extended(Live live, int from) {
			return Math.min(from + this.world.window, live.since() + this.world.maxWindow);
		}

		private ModelState alive(ModelState state, int index, Live live) {
			Doing doing = this.state.worker(index).doing();
			return state.worker(index, worker(index, (doing instanceof Doing.Waiting waiting)
					? new Doing.Waiting(live, waiting.heard()) : new Doing.Sending(live)));
		}

		// Asking: E7, E8

		private Move askAbout(String attemptId) {
			return new Move.Ask(FACTS.key(), FACTS.revision(), attemptId, ModelWorld.ticks(1));
		}

		private Doing asking(EffectRow row) {
			EffectRow asked = plain(row, row.readAt());
			return (this.world.asking == Asking.RESOLVER) ? new Doing.Asking(asked)
					: new Doing.Judging(asked, Said.CANNOT_TELL);
		}

		private void ask(String actor, EffectRow asked, Function<Doing, ModelState> then) {
			Said said = isShown() ? Said.HAPPENED : Said.DID_NOT_HAPPEN;
			go(actor, "asks the far side: " + said, then.apply(new Doing.Judging(asked, said)));
			if (may(Fault.CANNOT_TELL)) {
				go(actor, "asks the far side: it cannot tell",
						then.apply(new Doing.Judging(asked, Said.CANNOT_TELL)).after(Fault.CANNOT_TELL));
			}
		}

		private Move judgement(Doing.Judging judging) {
			EffectRow asked = judging.asked();
			if (this.world.asking == Asking.NOBODY) {
				return this.protocol.onNobodyToAsk(asked, this.world.contract());
			}
			Answer answer = answer(this.state.farSide().by());
			return switch (judging.said()) {
				case HAPPENED ->
					this.protocol.onResolution(asked, Resolution.happened("it"), this.world.terms(), answer, this.now);
				case DID_NOT_HAPPEN ->
					this.protocol.onResolution(asked, Resolution.didNotHappen(), this.world.terms(), null, this.now);
				case CANNOT_TELL ->
					this.protocol.onResolution(asked, Resolution.cannotTell(), this.world.terms(), null, this.now);
			};
		}

		private void judge(int index, Doing.Judging judging) {
			Move move = judgement(judging);
			Result result = apply(move);
			ModelState moved = this.state.row(stored(result));
			boolean changes = applied(result);
			EffectRow row = (result.moved() instanceof Moved.Applied applied) ? applied.row()
					: ((Moved.Met) result.moved()).row();
			meet(index, "records " + name(move) + (changes ? "" : ", but the row has moved on"), moved, row);
			if (changes && may(Fault.AMBIGUOUS_COMMIT)) {
				go(actor(index), "records " + name(move) + ", committed, exception",
						ended(moved.after(Fault.AMBIGUOUS_COMMIT), index));
			}
		}

		private void caretaker() {
			Doing doing = this.state.caretaker();
			EffectRow row = read();
			if (doing instanceof Doing.Nothing && row != null) {
				Move open = (row.state() == EffectState.SUBMITTED && !row.windowEnded())
						? this.protocol.onOpenWindow(row) : null;
				if (open != null) {
					go("caretaker", name(open), this.state.row(stored(apply(open))));
				}
				Result result = isDue(row) ? apply(askAbout(row.attempt().id())) : null;
				if (result != null && result.moved() instanceof Moved.Applied applied) {
					go("caretaker", "marks the row before asking",
							this.state.row(stored(result)).caretaker(asking(applied.row())));
				}
			}
			else if (doing instanceof Doing.Asking asking) {
				ask("caretaker", asking.asked(), this.state::caretaker);
			}
			else if (doing instanceof Doing.Judging judging) {
				Move move = judgement(judging);
				Result result = apply(move);
				boolean changes = applied(result);
				go("caretaker", "records " + name(move) + (changes ? "" : ", but the row has moved on"),
						this.state.row(stored(result)).caretaker(new Doing.Nothing()));
			}
			if (!(doing instanceof Doing.Nothing) && may(Fault.CRASH)) {
				go("caretaker", "crashes", this.state.after(Fault.CRASH).caretaker(new Doing.Nothing()));
			}
		}

		// What EffectLedger.due() finds
		private boolean isDue(EffectRow row) {
			return switch (row.state()) {
				case SUBMITTED -> row.windowEnded();
				case UNKNOWN ->
					row.attention() == null && (row.nextResolveAt() == null || !this.now.isBefore(row.nextResolveAt()));
				case CLAIMED, DONE -> false;
			};
		}

		// Time

		private void tick() {
			EffectRow row = this.state.row();
			boolean overdue = this.state.wire()
				.stream()
				.anyMatch((request) -> request.sentAt() + this.world.delay <= this.state.now());
			// Before the first submit nothing waits longer than its window, and after the
			// last nothing is left that time could make possible
			boolean pointless = (row == null)
					? this.state.now() > this.world.window || isIdle() && this.state.late() == null
					: row.state() == EffectState.DONE
							&& (this.world.forgetsNever() || isIdle() && this.state.wire().isEmpty());
			if (this.state.now() < this.world.horizon && !overdue && !pointless) {
				go("time", "passes", later(this.state));
			}
		}

		private boolean isIdle() {
			return this.state.first().doing() instanceof Doing.Nothing
					&& this.state.second().doing() instanceof Doing.Nothing;
		}

		// The ledger

		private Result apply(Move move) {
			return apply(this.state, move);
		}

		private Result apply(ModelState state, Move move) {
			return this.protocol.apply(state.row(), around(state.lease().token()), move, this.now);
		}

		private @Nullable EffectRow stored(Result result) {
			EffectRow row = result.row();
			return (row != null) ? plain(row, Instant.EPOCH) : null;
		}

		private @Nullable EffectRow read() {
			EffectRow row = this.state.row();
			return (row != null) ? plain(row, this.now) : null;
		}

		private static boolean applied(Result result) {
			return result.moved() instanceof Moved.Submitted || result.moved() instanceof Moved.Applied;
		}

		private @Nullable String fence(int token) {
			boolean stale = this.world.place != Place.STANDALONE && token != this.state.lease().token();
			return stale ? I3 : null;
		}

		// States

		private boolean may(Fault fault) {
			return this.state.left().faults() > 0 && this.world.kinds.contains(fault);
		}

		private Worker worker(int index, Doing doing) {
			return this.state.worker(index).doing(doing);
		}

		private ModelState doing(ModelState state, int index, Doing doing) {
			return state.worker(index, state.worker(index).doing(doing));
		}

		// Nobody waits for the answers of a process that is gone, or no longer listens
		private static ModelState gone(ModelState state, Worker worker) {
			if (worker.doing().attempt() == 0 || state.wire().isEmpty()) {
				return state;
			}
			return state.wire(state.wire()
				.stream()
				.map((request) -> (request.attempt() == worker.doing().attempt())
						? new Request(request.attempt(), request.key(), request.sentAt(), Awaited.NO) : request)
				.sorted()
				.toList());
		}

		private String actor(int index) {
			int attempt = this.state.worker(index).doing().attempt();
			return (attempt != 0) ? "worker (" + id(attempt) + ")" : "worker " + (index + 1);
		}

		private static String name(Move move) {
			return move.getClass().getSimpleName();
		}

		private void go(String actor, String what, ModelState next) {
			go(actor, what, next, null);
		}

		private void go(String actor, String what, ModelState next, @Nullable String broken) {
			String found = (broken != null) ? broken : broken(next);
			this.steps.to(actor, what, next.inOrder(), found);
		}

		private @Nullable String broken(ModelState next) {
			EffectRow before = this.state.row();
			EffectRow after = next.row();
			boolean wasDone = before != null && before.state() == EffectState.DONE;
			if (wasDone && (after == null || after.state() != EffectState.DONE || after.outcome() != before.outcome()
					|| !String.valueOf(after.answer()).equals(String.valueOf(before.answer())))) {
				return I5;
			}
			if (next.farSide().applied() > 1) {
				return I1;
			}
			if (before != null && before.attention() == Attention.CONTRADICTION
					&& (after == null || after.attention() != Attention.CONTRADICTION)) {
				return J5;
			}
			if (after != null && after.state() == EffectState.DONE && next.farSide().applied() == 0) {
				return J1;
			}
			return null;
		}

	}

}
