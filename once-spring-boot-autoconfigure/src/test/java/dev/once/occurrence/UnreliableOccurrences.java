package dev.once.occurrence;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.once.lease.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * A table of occurrences whose connection breaks when a test says so.
 */
final class UnreliableOccurrences implements OccurrenceStore {

	private final OccurrenceStore occurrences;

	private Fault fault = Fault.NONE;

	UnreliableOccurrences(OccurrenceStore occurrences) {
		this.occurrences = occurrences;
	}

	/** The next statement is committed, and nobody learns of it. */
	void losesTheNextAnswer() {
		this.fault = Fault.ANSWER_LOST;
	}

	/** The next statement is not committed. */
	void failsTheNext() {
		this.fault = Fault.NOT_COMMITTED;
	}

	/** No end is written any more, as if the process had died. */
	void losesEnds() {
		this.fault = Fault.DEAD;
	}

	void losesNothing() {
		this.fault = Fault.NONE;
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return call(() -> this.occurrences.claim(requests));
	}

	@Override
	public List<Ended> end(List<End> ends) {
		if (this.fault == Fault.DEAD) {
			throw new StoreException.Closed("dead", new IllegalStateException());
		}
		return call(() -> this.occurrences.end(ends));
	}

	private <T> T call(Supplier<T> statement) {
		Fault now = this.fault;
		if (now != Fault.DEAD) {
			this.fault = Fault.NONE;
		}
		if (now == Fault.NOT_COMMITTED) {
			throw new StoreException("not committed", new IllegalStateException());
		}
		T answer = statement.get();
		if (now == Fault.ANSWER_LOST) {
			throw new StoreException("answer lost", new IllegalStateException());
		}
		return answer;
	}

	@Override
	public boolean abandon(OccurrenceRow row, String detail) {
		return this.occurrences.abandon(row, detail);
	}

	@Override
	public Optional<OccurrenceRow> find(String job, String occurrence) {
		return this.occurrences.find(job, occurrence);
	}

	@Override
	public List<OccurrenceRow> comingBack(Collection<String> jobs, int limit) {
		return this.occurrences.comingBack(jobs, limit);
	}

	@Override
	public PutOffAnswer putOff(PutOff putOff) {
		return this.occurrences.putOff(putOff);
	}

	@Override
	public PassedDueTimes.Judged look(String job, PassedDueTimes dueTimes) {
		return this.occurrences.look(job, dueTimes);
	}

	@Override
	public Standing standing() {
		return this.occurrences.standing();
	}

	@Override
	public List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit) {
		return this.occurrences.list(job, state, limit);
	}

	private enum Fault {

		NONE, ANSWER_LOST, NOT_COMMITTED, DEAD

	}

}
