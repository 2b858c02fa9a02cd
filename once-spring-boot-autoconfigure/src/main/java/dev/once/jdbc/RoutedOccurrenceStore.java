package dev.once.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;

/**
 * The occurrence tables in the databases behind a data source that routes. A run stays
 * where it was claimed, and an occurrence comes back where its row was read.
 */
final class RoutedOccurrenceStore implements OccurrenceStore {

	private final RoutedDatabases databases;

	private final Function<LedgerConnections, OccurrenceStore> stores;

	RoutedOccurrenceStore(RoutedDatabases databases, Function<LedgerConnections, OccurrenceStore> stores) {
		this.databases = databases;
		this.stores = stores;
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return requests.stream().map(this::claim).toList();
	}

	private Claim claim(Request request) {
		LedgerConnections place = (request.again() instanceof Again.AsRead read) ? place(read.row().runId())
				: this.databases.currentOrHome();
		this.databases.remember(request.lease().runId(), place);
		Claim claim = this.stores.apply(place).claim(List.of(request)).get(0);
		if (claim instanceof Claim.Known known) {
			return new Claim.Known(remember(known.row(), place));
		}
		if (claim instanceof Claim.Spent spent) {
			return new Claim.Spent(remember(spent.row(), place));
		}
		return claim;
	}

	@Override
	public List<Ended> end(List<End> ends) {
		return ends.stream()
			.map((end) -> this.stores.apply(place(end.hold().runId())).end(List.of(end)).get(0))
			.toList();
	}

	@Override
	public boolean abandon(OccurrenceRow row, String detail) {
		return this.stores.apply(place(row.runId())).abandon(row, detail);
	}

	private LedgerConnections place(String runId) {
		LedgerConnections place = this.databases.remembered(runId);
		return (place != null) ? place : this.databases.currentOrHome();
	}

	private OccurrenceRow remember(OccurrenceRow row, LedgerConnections place) {
		return row.ofRun(this.databases.remember(row.runId(), place));
	}

	// E2: a run that came back is not where its thread would go
	@Override
	public Optional<OccurrenceRow> find(String job, String occurrence) {
		LedgerConnections here = this.databases.currentOrHome();
		Optional<OccurrenceRow> found = this.stores.apply(here).find(job, occurrence);
		if (found.filter((row) -> this.databases.remembered(row.runId()) == here).isPresent()) {
			return found;
		}
		for (LedgerConnections place : this.databases.all()) {
			Optional<OccurrenceRow> elsewhere = (place != here) ? this.stores.apply(place).find(job, occurrence)
					: Optional.empty();
			if (elsewhere.filter((row) -> this.databases.remembered(row.runId()) == place).isPresent()) {
				return elsewhere;
			}
		}
		return found.map((row) -> remember(row, here));
	}

	@Override
	public List<OccurrenceRow> comingBack(Collection<String> jobs, int limit) {
		List<OccurrenceRow> comingBack = new ArrayList<>();
		List<LedgerConnections> all = this.databases.all();
		// One with much to do must not keep the others waiting
		int share = Math.max(1, limit / all.size());
		ByPlace.of(all, Function.identity())
			.eachOrAllFail((place, part) -> this.stores.apply(place)
				.comingBack(jobs, share)
				.forEach((row) -> comingBack.add(remember(row, place))));
		return comingBack;
	}

	@Override
	public Map<OccurrenceState, Long> standing() {
		Map<OccurrenceState, Long> standing = new EnumMap<>(OccurrenceState.class);
		this.databases.all()
			.forEach((place) -> this.stores.apply(place)
				.standing()
				.forEach((state, rows) -> standing.merge(state, rows, Long::sum)));
		return standing;
	}

}
