package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;

/**
 * The lease table in a database.
 */
final class JdbcLeaseStore implements LeaseStore {

	private final StoreCalls calls;

	private final RenewalGate gate;

	private final Statements.ManyRows manyRows;

	private final Sql claim;

	private final Sql renew;

	private final Sql release;

	private final List<Sql> register;

	private final Sql find;

	private final Sql findAll;

	JdbcLeaseStore(StoreCalls calls, Statements statements, OnceTables tables, RenewalGate gate) {
		this.calls = calls;
		this.gate = gate;
		this.manyRows = statements.manyRows();
		this.claim = Sql.of(tables, statements.claim());
		this.renew = Sql.of(tables, statements.renew());
		this.release = Sql.of(tables, statements.releaseLease());
		this.register = statements.register().stream().map((text) -> Sql.of(tables, text)).toList();
		this.find = Sql.of(tables, statements.findLease());
		this.findAll = Sql.of(tables, statements.findLeases());
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return requests.stream().map(this::claim).toList();
	}

	private Claim claim(Request request) {
		Parameters parameters = new Parameters().text("job", request.job())
			.text("owner", request.owner())
			.text("runId", request.runId())
			.micros("length", request.length())
			.text("declaredBy", request.declaredBy());
		return this.calls.untilAnswered("the claim of the lease of job '" + request.job() + "'",
				(connection) -> this.claim.query(connection, parameters, (rows) -> switch (rows.getString(1)) {
					case "granted" -> new Claim.Granted(new Hold(request.job(), request.owner(), request.runId(),
							LeaseRows.readFrom(rows, 2).token(), request.length()));
					default -> new Claim.Declined(LeaseRows.readFrom(rows, 2));
				}))
			.get(0);
	}

	@Override
	public List<Renewal> renew(List<Hold> holds) {
		if (holds.isEmpty()) {
			return List.of();
		}
		return switch (this.manyRows) {
			case IN_ARRAYS -> renewTogether(holds);
			case ONE_BY_ONE -> holds.stream().map(this::renew).toList();
		};
	}

	private List<Renewal> renewTogether(List<Hold> holds) {
		Parameters arrays = Parameters.arrays(holds.stream().map(JdbcLeaseStore::parameters).toList());
		return this.calls.renewal("the renewal of " + holds.size() + " leases",
				(connection) -> this.renew.query(connection, arrays, (rows) -> renewal(rows.getString(1))));
	}

	private Renewal renew(Hold hold) {
		Parameters parameters = parameters(hold);
		return this.gate.renew(hold.job(), () -> this.calls.renewal(
				"the renewal of the lease of job '" + hold.job() + "'",
				(connection) -> this.renew.query(connection, parameters, (rows) -> renewal(rows.getString(1))).get(0)));
	}

	private static Renewal renewal(String verdict) {
		return Renewal.valueOf(verdict.toUpperCase(Locale.ROOT));
	}

	@Override
	public List<Release> release(List<Hold> holds) {
		return holds.stream().map(this::release).toList();
	}

	private Release release(Hold hold) {
		List<String> released = this.calls.single("the release of the lease of job '" + hold.job() + "'",
				(connection) -> this.release.query(connection, parameters(hold), (rows) -> rows.getString(1)));
		return released.isEmpty() ? Release.FENCED : Release.RELEASED;
	}

	@Override
	public List<Optional<Registration>> register(List<Registration> registrations) {
		return registrations.stream().map(this::register).toList();
	}

	private Optional<Registration> register(Registration registration) {
		Parameters parameters = new Parameters().text("job", registration.job())
			.text("declaredBy", registration.declaredBy())
			.text("schedule", registration.schedule())
			.text("zone", registration.zone())
			.text("keyCheck", registration.keyCheck());
		return this.calls
			.untilAnswered("the registration of job '" + registration.job() + "'",
					(connection) -> register(connection, parameters))
			.get(0);
	}

	// Each statement is a transaction of its own: no later one relies on an earlier one
	private List<Optional<Registration>> register(Connection connection, Parameters parameters) throws SQLException {
		for (Sql sql : this.register) {
			List<Optional<Registration>> before = sql.query(connection, parameters,
					(rows) -> rows.getString(1).equals("known") ? Optional.of(new Registration(rows.getString(2),
							rows.getString(3), rows.getString(4), rows.getString(5), rows.getString(6)))
							: Optional.empty());
			if (!before.isEmpty()) {
				return before;
			}
		}
		return List.of();
	}

	@Override
	public Optional<LeaseRow> find(String job) {
		Parameters parameters = new Parameters().text("job", job);
		return this.calls
			.single("the reading of the lease of job '" + job + "'",
					(connection) -> this.find.query(connection, parameters, LeaseRows::read))
			.stream()
			.findFirst();
	}

	@Override
	public List<LeaseRow> findAll() {
		return new ArrayList<>(this.calls.single("the reading of all leases",
				(connection) -> this.findAll.query(connection, new Parameters(), LeaseRows::read)));
	}

	private static Parameters parameters(Hold hold) {
		return new Parameters().text("job", hold.job())
			.text("owner", hold.owner())
			.number("token", hold.token())
			.micros("length", hold.length());
	}

}
