package dev.once.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.once.lease.Hold;
import dev.once.lease.LeaseStore;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * The occurrence table in a database.
 */
final class JdbcOccurrenceStore implements OccurrenceStore {

	private static final Log logger = LogFactory.getLog(JdbcOccurrenceStore.class);

	private final StoreCalls calls;

	private final OccurrenceStatements statements;

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	JdbcOccurrenceStore(StoreCalls calls, OccurrenceStatements statements) {
		this.calls = calls;
		this.statements = statements;
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return requests.stream().map(this::claim).toList();
	}

	private Claim claim(Request request) {
		LeaseStore.Request lease = request.lease();
		Parameters parameters = parameters(lease.job(), request.occurrence()).text("owner", lease.owner())
			.text("runId", lease.runId())
			.micros("length", lease.length())
			.text("declaredBy", lease.declaredBy())
			.time("dueAt", request.dueAt())
			.text("zone", (request.zone() != null) ? request.zone().getId() : null)
			.number("attempts", request.attempts())
			.text("arguments", request.arguments());
		again(parameters, request.again());
		String what = "the claim of " + name(lease.job(), request.occurrence());
		return claim(request, this.statements.claim(this.calls, what, parameters).get(0));
	}

	private static void again(Parameters parameters, Again again) {
		boolean asRead = again instanceof Again.AsRead;
		parameters.text("again", asRead ? "as_read" : (again instanceof Again.WhenDue) ? "when_due" : "no")
			.number("seenToken", (again instanceof Again.AsRead read) ? read.row().token() : null);
	}

	private static Claim claim(Request request, OccurrenceStatements.Verdict verdict) {
		return switch (verdict.word()) {
			case "granted" -> granted(request.lease(), Objects.requireNonNull(verdict.row()));
			case "known" -> new Claim.Known(Objects.requireNonNull(verdict.row()));
			case "gone" -> new Claim.Known(((Again.AsRead) request.again()).row());
			case "spent" -> new Claim.Spent(Objects.requireNonNull(verdict.row()));
			case "held" -> new Claim.Held(Objects.requireNonNull(verdict.lease()));
			case "early" -> new Claim.Early(Duration.between(verdict.readAt(), request.dueAt()));
			case "purged" -> new Claim.Purged(Objects.requireNonNull(verdict.purgedUntil()));
			default -> throw new IllegalStateException("Unknown verdict " + verdict.word());
		};
	}

	private static Claim granted(LeaseStore.Request lease, OccurrenceRow row) {
		return new Claim.Granted(new Hold(lease.job(), lease.owner(), lease.runId(), row.token(), lease.length()), row);
	}

	@Override
	public List<Ended> end(List<End> ends) {
		return ends.stream().map(this::end).toList();
	}

	private Ended end(End end) {
		Hold hold = end.hold();
		Parameters parameters = parameters(hold.job(), end.occurrence()).text("owner", hold.owner())
			.text("runId", hold.runId())
			.number("token", hold.token())
			.text("state", EffectRows.toColumn(end.state()))
			.number("attempt", end.attempt())
			.micros("nextAttemptIn", end.nextAttemptIn())
			.text("earlier", EffectRows.toColumn(end.earlier()))
			.text("closing",
					"closed by " + end.occurrence() + ", which was due later and "
							+ ((end.earlier() == Earlier.REPLACED) ? "waits for the same" : "has finished"))
			.text("counts", end.counts())
			.text("detail", end.detail());
		String what = "the end of " + name(hold.job(), end.occurrence());
		return (this.statements.end(this.calls, what, parameters) || hasEnded(end)) ? Ended.ENDED : Ended.FENCED;
	}

	// E2: by an earlier call, whose answer was lost
	private boolean hasEnded(End end) {
		return find(end.hold().job(), end.occurrence())
			.filter((row) -> row.runId().equals(end.hold().runId()) && row.token() == end.hold().token()
					&& row.state() == end.state())
			.isPresent();
	}

	@Override
	public boolean abandon(OccurrenceRow row, String detail) {
		Parameters parameters = parameters(row.job(), row.occurrence()).text("state", EffectRows.toColumn(row.state()))
			.number("attempt", row.attempt())
			.number("token", row.token())
			.text("detail", detail);
		return this.statements.abandon(this.calls, "the abandoning of " + name(row.job(), row.occurrence()),
				parameters);
	}

	@Override
	public Optional<OccurrenceRow> find(String job, String occurrence) {
		Parameters parameters = parameters(job, occurrence);
		return this.calls
			.single("the reading of " + name(job, occurrence),
					(connection) -> this.statements.find(connection, parameters))
			.stream()
			.findFirst();
	}

	@Override
	public List<OccurrenceRow> comingBack(Collection<String> jobs, int limit) {
		Parameters parameters = new Parameters().texts("jobs", jobs).number("limit", limit);
		return this.calls
			.single("the reading of occurrences that come back",
					(connection) -> this.statements.comingBack(connection, parameters, this::readOrTell))
			.stream()
			.flatMap(Optional::stream)
			.toList();
	}

	// One that this node cannot read must not keep it from all others
	private Optional<OccurrenceRow> readOrTell(ResultSet rows) throws SQLException {
		try {
			return Optional.of(OccurrenceRows.read(rows));
		}
		catch (OccurrenceRows.UnknownZoneException ex) {
			if (this.told.add(ex.getMessage())) {
				logger.error(ex.getMessage() + ". What was claimed in it is left to other nodes: update the time zone "
						+ "data of this one");
			}
			return Optional.empty();
		}
	}

	@Override
	public Map<OccurrenceState, Long> standing() {
		Map<OccurrenceState, Long> standing = new EnumMap<>(OccurrenceState.class);
		this.calls
			.single("the counting of occurrences",
					(connection) -> this.statements.standing(connection,
							(rows) -> Map.entry(OccurrenceState.valueOf(rows.getString(1).toUpperCase(Locale.ROOT)),
									rows.getLong(2))))
			.forEach((count) -> standing.put(count.getKey(), count.getValue()));
		return standing;
	}

	private static Parameters parameters(String job, String occurrence) {
		return new Parameters().text("job", job).text("occurrence", occurrence);
	}

	private static String name(String job, String occurrence) {
		return "occurrence " + occurrence + " of job '" + job + "'";
	}

}
