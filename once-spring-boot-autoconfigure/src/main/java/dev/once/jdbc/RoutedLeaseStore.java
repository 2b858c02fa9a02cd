package dev.once.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;

/**
 * The lease tables in the databases behind a data source that routes. A run's lease stays
 * where it was claimed: there it is renewed and released, from whichever thread.
 */
final class RoutedLeaseStore implements LeaseStore {

	private final RoutedDatabases databases;

	private final Function<LedgerConnections, LeaseStore> stores;

	RoutedLeaseStore(RoutedDatabases databases, Function<LedgerConnections, LeaseStore> stores) {
		this.databases = databases;
		this.stores = stores;
	}

	// A job most often fires without a tenant
	@Override
	public List<Claim> claim(List<Request> requests) {
		LedgerConnections here = this.databases.currentOrHome();
		requests.forEach((request) -> this.databases.remember(request.runId(), here));
		return this.stores.apply(here).claim(requests);
	}

	@Override
	public List<Renewal> renew(List<Hold> holds) {
		Renewal[] answers = new Renewal[holds.size()];
		// L4: a database that is away must not end the leases in the others
		Arrays.fill(answers, Renewal.BUSY);
		ByPlace.of(holds, (hold) -> place(hold)).eachOrAllFail((place, part) -> {
			List<Renewal> renewals = this.stores.apply(place).renew(part.items());
			for (int i = 0; i < renewals.size(); i++) {
				answers[part.positions().get(i)] = renewals.get(i);
			}
		});
		return List.of(answers);
	}

	@Override
	public List<Release> release(List<Hold> holds) {
		return holds.stream().map((hold) -> this.stores.apply(place(hold)).release(List.of(hold)).get(0)).toList();
	}

	private LedgerConnections place(Hold hold) {
		LedgerConnections place = this.databases.remembered(hold.runId());
		return (place != null) ? place : this.databases.currentOrHome();
	}

	@Override
	public List<Optional<Registration>> register(List<Registration> registrations) {
		return this.stores.apply(this.databases.currentOrHome()).register(registrations);
	}

	@Override
	public Optional<LeaseRow> find(String job) {
		return this.stores.apply(this.databases.currentOrHome()).find(job);
	}

	@Override
	public List<LeaseRow> findAll() {
		List<LeaseRow> all = new ArrayList<>();
		this.databases.all().forEach((place) -> all.addAll(this.stores.apply(place).findAll()));
		return all;
	}

}
