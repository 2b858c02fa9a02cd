package dev.once.jdbc;

import java.sql.Connection;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.TreeMap;
import dev.once.occurrence.DuePoint;
import dev.once.occurrence.PassedDueTimes;
import dev.once.occurrence.PassedDueTimes.Judged;
import dev.once.occurrence.PassedDueTimes.Note;
import dev.once.occurrence.PassedDueTimes.Seen;
import dev.once.occurrence.PassedDueTimes.Span;
import dev.once.occurrence.Timetable.Neighbours;
import dev.once.occurrence.Timetable.Passed;
import org.jspecify.annotations.Nullable;
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
import org.jspecify.annotations.Nullable;

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
		Neighbours neighbours = request.neighbours();
		Parameters parameters = parameters(lease.job(), request.occurrence()).text("owner", lease.owner())
			.text("runId", lease.runId())
			.micros("length", lease.length())
			.text("declaredBy", lease.declaredBy())
			.time("dueAt", request.dueAt())
			.text("zone", (request.zone() != null) ? request.zone().getId() : null)
			.number("attempts", request.attempts())
			.text("arguments", request.arguments())
			.text("order", EffectRows.toColumn(request.order()))
			.time("previous", (neighbours != null) ? neighbours.previous() : null)
			.time("passes", (neighbours != null) ? neighbours.passes() : null);
		again(parameters, request.again());
		String what = "the claim of " + name(lease.job(), request.occurrence());
		return claim(request, this.statements.claim(this.calls, what, parameters).get(0));
	}

	private static void again(Parameters parameters, Again again) {
		parameters.text("again", word(again))
			.number("seenToken", (again instanceof Again.AsRead read) ? read.row().token() : null);
	}

	private static String word(Again again) {
		if (again instanceof Again.AsRead) {
			return "as_read";
		}
		if (again instanceof Again.WhenDue) {
			return "when_due";
		}
		if (again instanceof Again.Asked) {
			return "asked";
		}
		return (again instanceof Again.ByPerson) ? "by_person" : "no";
	}

	private static Claim claim(Request request, OccurrenceStatements.Verdict verdict) {
		return switch (verdict.word()) {
			case "granted" -> granted(request.lease(), Objects.requireNonNull(verdict.row()));
			case "known" -> new Claim.Known(Objects.requireNonNull(verdict.row()));
			case "gone" -> new Claim.Known(((Again.AsRead) request.again()).row());
			case "spent" -> new Claim.Spent(Objects.requireNonNull(verdict.row()));
			case "held" -> new Claim.Held(Objects.requireNonNull(verdict.lease()));
			case "after" -> new Claim.After();
			case "behind" -> new Claim.Behind();
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
			.filter((row) -> end.hold().runId().equals(row.runId()) && row.token() == end.hold().token()
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

	// O5: in a transaction of its own, so that no two count before either writes
	@Override
	public PutOffAnswer putOff(PutOff putOff) {
		Parameters parameters = parameters(putOff.job(), putOff.occurrence()).time("dueAt", putOff.dueAt())
			.text("zone", (putOff.zone() != null) ? putOff.zone().getId() : null)
			.text("state", EffectRows.toColumn(putOff.state()))
			.number("depth", putOff.depth())
			.text("arguments", putOff.arguments())
			.text("detail", putOff.detail());
		return this.calls.transaction("the putting off of " + name(putOff.job(), putOff.occurrence()), (connection) -> {
			this.statements.dueTimes().lock().query(connection, parameters, LockedJob::read);
			if (!this.statements.dueTimes()
				.putOff()
				.query(connection, parameters, (rows) -> rows.getString(1))
				.isEmpty()) {
				return new PutOffAnswer.Noted();
			}
			List<OccurrenceRow> known = this.statements.find(connection, parameters);
			return known.isEmpty() ? new PutOffAnswer.Full() : new PutOffAnswer.Known(known.get(0));
		});
	}

	@Override
	public Judged look(String job, PassedDueTimes dueTimes) {
		return this.calls.transaction("the look at passed due times of job '" + job + "'", (connection) -> {
			Parameters parameters = new Parameters().text("job", job);
			List<LockedJob> locked = this.statements.dueTimes().lock().query(connection, parameters, LockedJob::read);
			LockedJob lease = locked.isEmpty() ? null : locked.get(0);
			if (lease == null || lease.mark() == null) {
				return Judged.NOTHING;
			}
			Passed passed = dueTimes.since(lease.mark(), lease.now());
			if (passed.points().isEmpty()) {
				return Judged.NOTHING;
			}
			Judged judged = dueTimes.judge(passed, seen(connection, parameters, lease, lease.mark(), passed));
			for (Note note : judged.rows()) {
				this.statements.dueTimes().putOff().query(connection, of(job, note), (rows) -> rows.getString(1));
			}
			if (judged.mark().isAfter(lease.mark())) {
				parameters.time("mark", judged.mark());
				this.statements.dueTimes().moveMark().query(connection, parameters, (rows) -> rows.getString(1));
			}
			return judged;
		});
	}

	private Seen seen(Connection connection, Parameters parameters, LockedJob lease, Instant mark, Passed passed)
			throws SQLException {
		parameters.texts("names", passed.points().stream().map(DuePoint::name).toList()).time("mark", mark);
		List<Span> live = new ArrayList<>(lease.live());
		live.addAll(this.statements.dueTimes().live().query(connection, parameters, LockedJob::span));
		return new Seen(mark, lease.now(), Set
			.copyOf(this.statements.dueTimes().knownNames().query(connection, parameters, (rows) -> rows.getString(1))),
				live,
				this.statements.dueTimes().waiting().query(connection, parameters, (rows) -> rows.getLong(1)).get(0));
	}

	// The bound has been looked at
	private static Parameters of(String job, Note note) {
		DuePoint point = note.point();
		return parameters(job, point.name()).time("dueAt", point.dueAt())
			.text("zone", (point.zone() != null) ? point.zone().getId() : null)
			.text("state", EffectRows.toColumn(note.state()))
			.number("depth", Integer.MAX_VALUE)
			.text("arguments", null)
			.text("detail", note.detail());
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
	public Standing standing() {
		Map<OccurrenceState, Map<String, Long>> counts = new EnumMap<>(OccurrenceState.class);
		this.calls.single("the counting of occurrences",
				(connection) -> this.statements.standing(connection, (rows) -> count(rows, counts)));
		return new Standing(sum(counts, OccurrenceState.OPEN), sum(counts, OccurrenceState.ABANDONED),
				counts.getOrDefault(OccurrenceState.QUEUED, Map.of()),
				counts.getOrDefault(OccurrenceState.REFUSED, Map.of()));
	}

	private static OccurrenceState count(ResultSet rows, Map<OccurrenceState, Map<String, Long>> counts)
			throws SQLException {
		OccurrenceState state = OccurrenceState.valueOf(rows.getString(2).toUpperCase(Locale.ROOT));
		counts.computeIfAbsent(state, (key) -> new TreeMap<>()).put(rows.getString(1), rows.getLong(3));
		return state;
	}

	private static long sum(Map<OccurrenceState, Map<String, Long>> counts, OccurrenceState state) {
		return counts.getOrDefault(state, Map.of()).values().stream().mapToLong(Long::longValue).sum();
	}

	private static Parameters parameters(String job, String occurrence) {
		return new Parameters().text("job", job).text("occurrence", occurrence);
	}

	private static String name(String job, String occurrence) {
		return "occurrence " + occurrence + " of job '" + job + "'";
	}

	@Override
	public List<OccurrenceRow> list(String job, @Nullable OccurrenceState state, int limit) {
		Parameters parameters = new Parameters().text("job", job)
			.text("state", EffectRows.toColumn(state))
			.number("limit", limit);
		return this.calls
			.single("the reading of the occurrences of job '" + job + "'",
					(connection) -> this.statements.list(connection, parameters, state, this::readOrTell))
			.stream()
			.flatMap(Optional::stream)
			.toList();
	}

	/**
	 * A job's row, locked.
	 *
	 * @param mark up to where its due times have been looked at, or {@code null}
	 * @param now the database's clock
	 * @param acquiredAt when its lease was claimed last, or {@code null}
	 * @param leaseUntil when that ends or ended
	 */
	private record LockedJob(@Nullable Instant mark, Instant now, @Nullable Instant acquiredAt, Instant leaseUntil) {

		static LockedJob read(ResultSet rows) throws SQLException {
			return new LockedJob(instant(rows, 1), Objects.requireNonNull(instant(rows, 2)), instant(rows, 3),
					Objects.requireNonNull(instant(rows, 4)));
		}

		static Span span(ResultSet rows) throws SQLException {
			return new Span(Objects.requireNonNull(instant(rows, 1)), Objects.requireNonNull(instant(rows, 2)));
		}

		private static @Nullable Instant instant(ResultSet rows, int column) throws SQLException {
			OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
			return (time != null) ? time.toInstant() : null;
		}

		/** The lease's own run, which may have died. */
		List<Span> live() {
			return (this.acquiredAt != null) ? List.of(new Span(this.acquiredAt, this.leaseUntil)) : List.of();
		}

	}

}
