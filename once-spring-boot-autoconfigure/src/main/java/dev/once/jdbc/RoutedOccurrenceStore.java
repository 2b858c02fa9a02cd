package dev.once.jdbc;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.UUID;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.once.occurrence.PassedDueTimes;
import org.jspecify.annotations.Nullable;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import org.jspecify.annotations.Nullable;

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

	@Override
	public PutOffAnswer putOff(PutOff putOff) {
		LedgerConnections here = this.databases.currentOrHome();
		PutOffAnswer answer = this.stores.apply(here).putOff(putOff);
		return (answer instanceof PutOffAnswer.Known known) ? new PutOffAnswer.Known(remember(known.row(), here))
				: answer;
	}

	@Override
	public PassedDueTimes.Judged look(String job, PassedDueTimes dueTimes) {
		return this.stores.apply(this.databases.currentOrHome()).look(job, dueTimes);
	}

	private LedgerConnections place(@Nullable String runId) {
		LedgerConnections place = (runId != null) ? this.databases.remembered(runId) : null;
		return (place != null) ? place : this.databases.currentOrHome();
	}

	private OccurrenceRow remember(OccurrenceRow row, LedgerConnections place) {
		// One that waits has no run yet, and is where it is all the same
		String id = (row.runId() != null) ? row.runId() : UUID.randomUUID().toString();
		return row.ofRun(this.databases.remember(id, place));
	}

	// E2: a run that came back is not where its thread would go
	@Override
	public Optional<OccurrenceRow> find(String job, String occurrence) {
		LedgerConnections here = this.databases.currentOrHome();
		Optional<OccurrenceRow> found = this.stores.apply(here).find(job, occurrence);
		if (found.filter((row) -> isOf(row, here)).isPresent()) {
			return found;
		}
		for (LedgerConnections place : this.databases.all()) {
			Optional<OccurrenceRow> elsewhere = (place != here) ? this.stores.apply(place).find(job, occurrence)
					: Optional.empty();
			if (elsewhere.filter((row) -> isOf(row, place)).isPresent()) {
				return elsewhere;
			}
		}
		return found.map((row) -> remember(row, here));
	}

	private boolean isOf(OccurrenceRow row, LedgerConnections place) {
		return row.runId() != null && this.databases.remembered(row.runId()) == place;
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
	public Standing standing() {
		return this.databases.all()
			.stream()
			.map((place) -> this.stores.apply(place).standing())
			.reduce(Standing.NONE, Standing::plus);
	}

	@Override
	public List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit) {
		return this.databases.all()
			.stream()
			.flatMap((place) -> this.stores.apply(place).list(job, state, limit).stream())
			.sorted(Comparator.comparing(OccurrenceRow::dueAt).thenComparing(OccurrenceRow::occurrence).reversed())
			.limit(limit)
			.toList();
	}

}
