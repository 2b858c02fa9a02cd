package dev.once.ledger;

import java.util.List;
import java.util.Objects;

import dev.once.ledger.EffectRules.Earlier;
import org.jspecify.annotations.Nullable;

/**
 * A state of the {@link ProtocolModel}: the ledger's row, the lease, two workers, a
 * caretaker, and a far side with requests on their way to it.
 *
 * @param now the time, in ticks
 * @param row the effect's row, read at tick 0, or {@code null}
 * @param lease the job's lease
 * @param first a worker
 * @param second another worker
 * @param caretaker what the caretaker does
 * @param farSide the far side
 * @param wire the requests on their way
 * @param late a statement whose exception has been seen and which may still be executed,
 * or {@code null}
 * @param attempts how many attempt ids have been given out
 * @param submitted the attempts that were durably submitted, as bits
 * @param left what may still go wrong
 */
record ModelState(int now, @Nullable EffectRow row, Lease lease, Worker first, Worker second, Doing caretaker,
		FarSide farSide, List<Request> wire, @Nullable Late late, int attempts, int submitted, Left left) {

	private static final int CURRENT = 2;

	private static final int STALE = 1;

	static ModelState initial(Left left) {
		Worker idle = new Worker(0, new Doing.Nothing());
		return new ModelState(0, null, new Lease(STALE, -1), idle, idle, new Doing.Nothing(), FarSide.UNTOUCHED,
				List.of(), null, 0, 0, left);
	}

	Worker worker(int index) {
		return (index == 0) ? this.first : this.second;
	}

	boolean isDurablySubmitted(int attempt) {
		return (this.submitted & (1 << attempt)) != 0;
	}

	ModelState at(int now) {
		return new ModelState(now, this.row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, this.late, this.attempts, this.submitted, this.left);
	}

	ModelState row(@Nullable EffectRow row) {
		return new ModelState(this.now, row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, this.late, this.attempts, this.submitted, this.left);
	}

	ModelState lease(Lease lease) {
		return new ModelState(this.now, this.row, lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, this.late, this.attempts, this.submitted, this.left);
	}

	ModelState worker(int index, Worker worker) {
		return new ModelState(this.now, this.row, this.lease, (index == 0) ? worker : this.first,
				(index == 0) ? this.second : worker, this.caretaker, this.farSide, this.wire, this.late, this.attempts,
				this.submitted, this.left);
	}

	ModelState caretaker(Doing caretaker) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, caretaker, this.farSide,
				this.wire, this.late, this.attempts, this.submitted, this.left);
	}

	ModelState farSide(FarSide farSide) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, this.caretaker, farSide,
				this.wire, this.late, this.attempts, this.submitted, this.left);
	}

	ModelState wire(List<Request> wire) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				wire, this.late, this.attempts, this.submitted, this.left);
	}

	ModelState late(@Nullable Late late) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, late, this.attempts, this.submitted, this.left);
	}

	ModelState attempts(int attempts) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, this.late, attempts, this.submitted, this.left);
	}

	ModelState submitted(int attempt) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, this.late, this.attempts, this.submitted | (1 << attempt), this.left);
	}

	ModelState left(Left left) {
		return new ModelState(this.now, this.row, this.lease, this.first, this.second, this.caretaker, this.farSide,
				this.wire, this.late, this.attempts, this.submitted, left);
	}

	ModelState after(Fault fault) {
		return left(new Left(this.left.calls(), this.left.faults() - 1));
	}

	/**
	 * Spread out: the states are many, and what they are made of is alike.
	 */
	@Override
	public int hashCode() {
		int hash = mix(this.now, Objects.hashCode(this.row));
		hash = mix(hash, this.lease.hashCode());
		hash = mix(hash, this.first.hashCode());
		hash = mix(hash, this.second.hashCode());
		hash = mix(hash, this.caretaker.hashCode());
		hash = mix(hash, this.farSide.hashCode());
		hash = mix(hash, this.wire.hashCode());
		hash = mix(hash, Objects.hashCode(this.late));
		hash = mix(hash, this.attempts * 64 + this.submitted);
		return mix(hash, this.left.hashCode());
	}

	private static int mix(int hash, int more) {
		int mixed = (hash ^ more) * 0x9E3779B1;
		return mixed ^ (mixed >>> 15);
	}

	/**
	 * The state without what makes no difference: the workers are alike, and of a token
	 * it only matters whether it is the job's.
	 */
	ModelState inOrder() {
		int token = this.lease.token();
		Worker one = this.first.standing(token);
		Worker two = this.second.standing(token);
		boolean swapped = one.compareTo(two) > 0;
		Late late = this.late;
		return new ModelState(this.now, this.row,
				(token > CURRENT) ? new Lease(CURRENT, this.lease.until()) : this.lease, swapped ? two : one,
				swapped ? one : two, this.caretaker, this.farSide, this.wire,
				(late != null) ? late.standing(token) : null, this.attempts, this.submitted, this.left);
	}

	private static int standing(int token, int current) {
		return (token == 0 || current < CURRENT) ? token : (token == current) ? CURRENT : STALE;
	}

	/**
	 * What may go wrong, or happens seldom: their number is bounded.
	 */
	enum Fault {

		CRASH, AMBIGUOUS_COMMIT, LATE_STATEMENT, LOST_REQUEST, REFUSAL, NOT_SENT, RETRY_IN_BODY, EXTENSION, CANNOT_TELL

	}

	/**
	 * What may still happen.
	 *
	 * @param calls how many calls for the effect
	 * @param faults how many faults of any kind
	 */
	record Left(int calls, int faults) {

	}

	/**
	 * The job's lease row.
	 *
	 * @param token its fencing token
	 * @param until the last tick at which it is held
	 */
	record Lease(int token, int until) {

	}

	/**
	 * The far side. A second application ends the search, so that it need not be kept.
	 *
	 * @param applied how often it applied the effect
	 * @param at when
	 * @param key under which key
	 * @param by for which attempt
	 */
	record FarSide(int applied, int at, String key, int by) {

		static final FarSide UNTOUCHED = new FarSide(0, 0, "", 0);

	}

	/**
	 * A request on its way.
	 *
	 * @param attempt whose it is
	 * @param key the key that it carries
	 * @param sentAt when it was sent
	 * @param answer whether its sender still waits for it
	 */
	record Request(int attempt, String key, int sentAt, Awaited answer) implements Comparable<Request> {

		@Override
		public int compareTo(Request other) {
			int order = Integer.compare(this.attempt, other.attempt);
			order = (order != 0) ? order : Integer.compare(this.sentAt, other.sentAt);
			return (order != 0) ? order : this.answer.compareTo(other.answer);
		}

	}

	/**
	 * Whether a sender waits for an answer.
	 */
	enum Awaited {

		YES, NO

	}

	/**
	 * A statement that is executed later than its exception was seen.
	 *
	 * @param end the end of a body that it stores, or {@code null} for a submit
	 * @param seen the row that is attempted again, or {@code null}
	 * @param attempt the attempt
	 * @param token the token that it was made under
	 */
	record Late(@Nullable Move end, @Nullable Seen seen, int attempt, int token) {

		private Late standing(int current) {
			int standing = ModelState.standing(this.token, current);
			return (standing == this.token) ? this : new Late(this.end, this.seen, this.attempt, standing);
		}

	}

	/**
	 * A process that calls for the effect.
	 *
	 * @param token the token of its run, 0 for none
	 * @param doing what it is about to do
	 */
	record Worker(int token, Doing doing) implements Comparable<Worker> {

		Worker doing(Doing doing) {
			return new Worker(this.token, doing);
		}

		private Worker standing(int current) {
			int standing = ModelState.standing(this.token, current);
			return (standing == this.token) ? this : new Worker(standing, this.doing);
		}

		@Override
		public int compareTo(Worker other) {
			return Integer.compare(rank(), other.rank());
		}

		private int rank() {
			return (this.token * 16 + this.doing.place()) * 16 + this.doing.attempt();
		}

	}

	/**
	 * What a process is about to do. Any amount of time may pass before it does.
	 */
	sealed interface Doing {

		int place();

		default int attempt() {
			return 0;
		}

		record Nothing() implements Doing {

			@Override
			public int place() {
				return 0;
			}

		}

		/**
		 * Submit.
		 *
		 * @param since when the local deadline began to count
		 * @param seen the row that is attempted again, or {@code null}
		 * @param attempt the attempt's number when its submit is made again (E2), else 0
		 */
		record Submitting(int since, @Nullable Seen seen, int attempt) implements Doing {

			@Override
			public int place() {
				return 1;
			}

		}

		/**
		 * Read back after an exception (E2).
		 *
		 * @param since when the local deadline began to count
		 * @param seen the row that is attempted again, or {@code null}
		 * @param attempt the attempt
		 */
		record ReadingBack(int since, @Nullable Seen seen, int attempt) implements Doing {

			@Override
			public int place() {
				return 2;
			}

		}

		/**
		 * Enter the body.
		 *
		 * @param live the attempt
		 */
		record Entering(Live live) implements Doing {

			@Override
			public int place() {
				return 3;
			}

			@Override
			public int attempt() {
				return this.live.attempt();
			}

		}

		/**
		 * Send.
		 *
		 * @param live the attempt
		 */
		record Sending(Live live) implements Doing {

			@Override
			public int place() {
				return 4;
			}

			@Override
			public int attempt() {
				return this.live.attempt();
			}

		}

		/**
		 * Write to the socket, after the last check: only where a world lets time pass
		 * here.
		 *
		 * @param live the attempt
		 */
		record Writing(Live live) implements Doing {

			@Override
			public int place() {
				return 5;
			}

			@Override
			public int attempt() {
				return this.live.attempt();
			}

		}

		/**
		 * Take the answer, or give up waiting for it.
		 *
		 * @param live the attempt
		 * @param heard what has come back
		 */
		record Waiting(Live live, Heard heard) implements Doing {

			@Override
			public int place() {
				return 6;
			}

			@Override
			public int attempt() {
				return this.live.attempt();
			}

		}

		/**
		 * Store the end of a body.
		 *
		 * @param live the attempt
		 * @param move what is stored
		 */
		record Ending(Live live, Move move) implements Doing {

			@Override
			public int place() {
				return 7;
			}

			@Override
			public int attempt() {
				return this.live.attempt();
			}

		}

		/**
		 * Ask the far side.
		 *
		 * @param asked the row as marked
		 */
		record Asking(EffectRow asked) implements Doing {

			@Override
			public int place() {
				return 9;
			}

		}

		/**
		 * Record what the far side said.
		 *
		 * @param asked the row as marked
		 * @param said what it said
		 */
		record Judging(EffectRow asked, Said said) implements Doing {

			@Override
			public int place() {
				return 10;
			}

		}

	}

	/**
	 * The row that an attempt goes on from.
	 *
	 * @param state its state
	 * @param attemptId its attempt
	 * @param earlier whether an earlier attempt's fate is open
	 */
	record Seen(EffectState state, String attemptId, Earlier earlier) {

	}

	/**
	 * An attempt while its body runs.
	 *
	 * @param attempt its number
	 * @param since when its local deadline began to count
	 * @param deadline the last tick at which it may send
	 * @param refusals how often the far side had refused before
	 * @param earlier whether an earlier attempt's fate is open
	 * @param openBeforeLast how many writing requests before the last one are open
	 * @param lastOpen 1 if the last one is open
	 * @param extending when an extension was issued that is on its way, or -1
	 */
	record Live(int attempt, int since, int deadline, int refusals, Earlier earlier, int openBeforeLast, int lastOpen,
			int extending) {

		Live deadline(int deadline) {
			return new Live(this.attempt, this.since, deadline, this.refusals, this.earlier, this.openBeforeLast,
					this.lastOpen, this.extending);
		}

		Live counted() {
			return new Live(this.attempt, this.since, this.deadline, this.refusals, this.earlier,
					this.openBeforeLast + this.lastOpen, 1, this.extending);
		}

		Live didNothing() {
			return new Live(this.attempt, this.since, this.deadline, this.refusals, this.earlier, this.openBeforeLast,
					0, this.extending);
		}

		Live extending(int issuedAt) {
			return new Live(this.attempt, this.since, this.deadline, this.refusals, this.earlier, this.openBeforeLast,
					this.lastOpen, issuedAt);
		}

	}

	/**
	 * What has come back to a sender.
	 */
	enum Heard {

		NOTHING, ANSWER, REFUSAL

	}

	/**
	 * What the far side said to a resolver.
	 */
	enum Said {

		HAPPENED, DID_NOT_HAPPEN, CANNOT_TELL

	}

}
