package dev.once.test;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.PassedDueTimes;
import org.jspecify.annotations.Nullable;

/**
 * A table of occurrences of which only the standing and pages are asked.
 */
public final class StubOccurrences implements OccurrenceStore {

	private Standing standing = Standing.NONE;

	private final List<OccurrenceRow> rows = new CopyOnWriteArrayList<>();

	/**
	 * Puts a row last on every page.
	 * @param row the row
	 * @return this
	 */
	public StubOccurrences with(OccurrenceRow row) {
		this.rows.add(row);
		return this;
	}

	public StubOccurrences with(Standing standing) {
		this.standing = standing;
		return this;
	}

	@Override
	public PutOffAnswer putOff(PutOff putOff) {
		throw new UnsupportedOperationException();
	}

	@Override
	public PassedDueTimes.Judged look(String job, PassedDueTimes dueTimes) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Standing standing() {
		return this.standing;
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<Ended> end(List<End> ends) {
		throw new UnsupportedOperationException();
	}

	@Override
	public boolean abandon(OccurrenceRow row, String detail) {
		throw new UnsupportedOperationException();
	}

	@Override
	public Optional<OccurrenceRow> find(String job, String occurrence) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<OccurrenceRow> comingBack(Collection<String> jobs, int limit) {
		throw new UnsupportedOperationException();
	}

	@Override
	public List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit) {
		return this.rows.stream()
			.filter((row) -> row.job().equals(job) && (state == null || row.state() == state))
			.limit(limit)
			.toList();
	}

}
