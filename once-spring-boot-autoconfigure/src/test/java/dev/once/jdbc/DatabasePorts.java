package dev.once.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.ledger.Answer;
import dev.once.ledger.AttemptFacts;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.Fence;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceStore;
import dev.once.test.TestDatabase;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The ports in a database of its own.
 */
final class DatabasePorts implements PortsUnderTest {

	private static final String PUT_EFFECT = """
			insert into once_effect_ledger (effect_key, revision, action, target, grain, input_digest, inputs, label,
				attempt, attempt_id, job_key, occurrence, run_id, fencing_token, submitted_at, window_until, settle_after,
				state, outcome, attention, refusals, first_submitted_at, next_attempt_at, resolve_tries,
				next_resolve_at, response, response_type, detail, created_at, updated_at)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
				current_timestamp, current_timestamp)
			""";

	private static final String PUT_LEASE = """
			insert into once_job_lease (job_key, owner, run_id, fencing_token, lease_seconds, lease_until, acquired_at,
				renewed_at)
			values (?, ?, ?, ?, 30, ?, ?, ?)
			""";

	private static final String PUT_OCCURRENCE = """
			insert into once_occurrence (job_key, occurrence, due_at, zone, state, attempt, next_attempt_at, run_id, owner,
				fencing_token, arguments, started_at, finished_at, counts, detail)
			values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			""";

	private final TestDatabase database;

	private final LedgerConnections connections;

	private final JdbcPorts ports;

	DatabasePorts(TestDatabase database) {
		this(database, database.dataSource());
	}

	DatabasePorts(TestDatabase database, DataSource dataSource) {
		this.database = database;
		this.connections = LedgerConnections.of(dataSource, 4);
		this.ports = new JdbcPorts(this.connections, OnceTables.defaults());
	}

	TestDatabase database() {
		return this.database;
	}

	LedgerConnections connections() {
		return this.connections;
	}

	JdbcClient jdbc() {
		return this.database.jdbc();
	}

	@Override
	public LeaseStore leases() {
		return this.ports.leases();
	}

	@Override
	public EffectLedger ledger() {
		return this.ports.ledger();
	}

	@Override
	public OccurrenceStore occurrences() {
		return this.ports.occurrences();
	}

	@Override
	public void putOccurrence(OccurrenceRow row) {
		ZoneId zone = row.zone();
		jdbc().sql(PUT_OCCURRENCE)
			.params(row.job(), row.occurrence(), time(row.dueAt()), (zone != null) ? zone.getId() : null,
					EffectRows.toColumn(row.state()), row.attempt(), time(row.nextAttemptAt()), row.runId(),
					row.owner(), row.token(), row.arguments(), time(row.startedAt()), time(row.endedAt()), row.counts(),
					row.detail())
			.update();
	}

	@Override
	public void purge(String job, Instant until) {
		jdbc().sql("update once_job_lease set purged_until = ? where job_key = ?").params(time(until), job).update();
	}

	@Override
	public void mark(String job, Instant until) {
		jdbc().sql("update once_job_lease set looked_until = ? where job_key = ?").params(time(until), job).update();
	}

	@Override
	public Instant mark(String job) {
		return jdbc().sql("select looked_until from once_job_lease where job_key = ?")
			.param(job)
			.query((rows, i) -> rows.getObject(1, OffsetDateTime.class))
			.optional()
			.map(OffsetDateTime::toInstant)
			.orElse(null);
	}

	/** Each statement takes some. */
	@Override
	public void tick() {
		now();
	}

	@Override
	public void putEffects(List<EffectRow> rows) {
		try (Connection connection = this.database.dataSource().getConnection();
				PreparedStatement statement = connection.prepareStatement(PUT_EFFECT)) {
			for (EffectRow row : rows) {
				set(statement, row);
				statement.addBatch();
			}
			statement.executeBatch();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void set(PreparedStatement statement, EffectRow row) throws SQLException {
		EffectFacts facts = row.facts();
		AttemptFacts attempt = row.attempt();
		Fence fence = attempt.fence();
		Answer answer = row.answer();
		Object[] values = { facts.key(), facts.revision(), facts.action(), facts.target(), facts.grain(),
				facts.inputDigest(), facts.inputs(), facts.label(), attempt.number(), attempt.id(),
				(fence != null) ? fence.job() : null, (fence != null) ? fence.occurrence() : null,
				(fence != null) ? fence.runId() : null, (fence != null) ? fence.token() : null,
				time(attempt.submittedAt()), time(attempt.windowUntil()),
				ChronoUnit.MICROS.between(Instant.EPOCH, Instant.EPOCH.plus(attempt.settleAfter())),
				EffectRows.toColumn(row.state()), EffectRows.toColumn(row.outcome()),
				EffectRows.toColumn(row.attention()), row.refusals(), time(row.firstSubmittedAt()),
				time(row.nextAttemptAt()), row.resolveTries(), time(row.nextResolveAt()),
				(answer != null) ? answer.value() : null, (answer != null) ? answer.type() : null, row.detail() };
		for (int i = 0; i < values.length; i++) {
			statement.setObject(i + 1, values[i]);
		}
	}

	@Override
	public Stream<EffectRow> effects() {
		return jdbc().sql("select " + EffectRows.COLUMNS + ", current_timestamp from once_effect_ledger")
			.query((rows, i) -> EffectRows.read(rows))
			.list()
			.stream();
	}

	@Override
	public void putLease(LeaseRow row) {
		jdbc().sql(PUT_LEASE)
			.params(row.job(), row.owner(), row.runId(), row.token(), time(row.leaseUntil()), time(row.acquiredAt()),
					time(row.renewedAt()))
			.update();
	}

	private static OffsetDateTime time(Instant instant) {
		return (instant != null) ? instant.atOffset(ZoneOffset.UTC) : null;
	}

	@Override
	public Instant now() {
		String clock = this.database.isPostgresql() ? "select clock_timestamp()" : "select current_timestamp(6)";
		return jdbc().sql(clock).query((rows, i) -> rows.getObject(1, OffsetDateTime.class)).single().toInstant();
	}

	@Override
	public void clear() {
		jdbc().sql("delete from once_effect_ledger").update();
		jdbc().sql("delete from once_occurrence").update();
		jdbc().sql("delete from once_job_lease").update();
	}

	@Override
	public void close() {
		this.connections.close();
		this.database.close();
	}

}
