package dev.once.test;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;

/**
 * A table of occurrences of which only the standing is asked.
 */
public final class StubOccurrences implements OccurrenceStore {

	private final Map<OccurrenceState, Long> standing = new EnumMap<>(OccurrenceState.class);

	public StubOccurrences with(OccurrenceState state, long occurrences) {
		this.standing.put(state, occurrences);
		return this;
	}

	@Override
	public Map<OccurrenceState, Long> standing() {
		return Map.copyOf(this.standing);
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

}
