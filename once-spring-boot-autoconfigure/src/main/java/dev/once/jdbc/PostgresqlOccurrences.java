package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import org.jspecify.annotations.Nullable;

/**
 * The statements of occurrences for PostgreSQL. Each move is one statement and one
 * commit.
 */
final class PostgresqlOccurrences implements OccurrenceStatements {

	// O2, L1: what is not free is only read. The lease's row is locked before it is
	// looked
	// at again, so the token is the row's own; the occurrence is written before the
	// lease,
	// by "on conflict", which sees what a rival has committed since the statement began:
	// then neither is written, and there is no answer. Nor is there one where the job's
	// first claim makes its lease row.
	private static final String CLAIM = """
			with clock as materialized (
				select clock_timestamp() as at
			), lease as materialized (
				select {lease}, clock.at as read_at, purged_until, lease_until > clock.at as is_held, looked_until
				from {job_lease} cross join clock where job_key = :job
			), known as materialized (
				select {row}, clock.at as read_at from {occurrence} cross join clock
				where job_key = :job and occurrence = :occurrence
			), verdict as materialized (
				select case
					when known.state is null and :again = 'as_read' then 'gone'
					when known.state is null then case
						when :dueAt <= lease.purged_until then 'purged'
						when :dueAt > clock.at + interval '1 second' then 'early'
						when lease.is_held then 'held'
						when :order = 'due' and exists (
							select from {occurrence} as other
							where other.job_key = :job and other.state <> 'finished' and (other.state in ('queued', 'running')
								or other.state = 'open' and other.next_attempt_at <= clock.at)) then 'after'
						when :previous > lease.looked_until then 'behind'
						else 'free' end
					when known.state = 'finished' or known.state = 'abandoned' and :again <> 'by_person' then 'known'
					when known.state = 'refused' and :again not in ('asked', 'when_due', 'by_person') then 'known'
					when known.state = 'missed' and :again = 'as_read' then 'known'
					when :again = 'as_read' and coalesce(known.fencing_token, 0) <> :seenToken then 'known'
					when known.state = 'open' and (:again in ('no', 'asked')
							or :again = 'when_due' and known.next_attempt_at > clock.at) then 'known'
					when known.state = 'running' and lease.is_held and lease.fencing_token = known.fencing_token
						then 'known'
					when known.state = 'running' and known.attempt >= :attempts and :again <> 'by_person' then 'spent'
					when lease.is_held then 'held'
					when :order = 'due' and exists (
						select from {occurrence} as other
						where other.job_key = :job and other.state <> 'finished' and (other.state in ('queued', 'running')
								or other.state = 'open' and other.next_attempt_at <= clock.at)
							and (other.due_at, other.occurrence) < (known.due_at, known.occurrence)) then 'after'
					else 'free' end as word
				from clock left join lease on true left join known on true
			), placed as (
				insert into {job_lease} (job_key, fencing_token, lease_seconds, lease_until, declared_by)
				select :job, 0, ceil(:length / 1e6), clock_timestamp(), :declaredBy
				from verdict where word = 'free' and not exists (select from lease)
				on conflict (job_key) do nothing
			), locked as materialized (
				select job_key, fencing_token from {job_lease}
				where job_key = :job and lease_until <= clock_timestamp()
					and (purged_until is null or purged_until < :dueAt or exists (select from known))
					and exists (select from verdict where word = 'free')
				for update
			), taken as (
				insert into {occurrence} as present (job_key, occurrence, due_at, zone, state, attempt, run_id, owner,
					fencing_token, arguments, started_at)
				select :job, :occurrence, :dueAt, :zone, 'running', 1, :runId, :owner, fencing_token + 1, :arguments,
					clock_timestamp()
				from locked
				on conflict (job_key, occurrence) do update set state = 'running',
					attempt = case present.state when 'running' then present.attempt + 1 when 'open' then present.attempt
						else 1 end,
					next_attempt_at = null, run_id = excluded.run_id, owner = excluded.owner,
					fencing_token = excluded.fencing_token, started_at = excluded.started_at, finished_at = null,
					counts = null, detail = null
				where (:again <> 'as_read' or coalesce(present.fencing_token, 0) = :seenToken) and (
					present.state = 'running' and (present.attempt < :attempts or :again = 'by_person')
					or present.state = 'open' and (:again in ('as_read', 'by_person') or :again = 'when_due'
							and (present.next_attempt_at is null or present.next_attempt_at <= clock_timestamp()))
					or present.state = 'queued'
					or present.state = 'refused' and :again in ('asked', 'when_due', 'by_person')
					or present.state = 'missed' and :again <> 'as_read'
					or present.state = 'abandoned' and :again = 'by_person')
				returning {row}, clock_timestamp() as read_at
			), claimed as (
				update {job_lease} as mine set owner = :owner, run_id = :runId, fencing_token = taken.fencing_token,
					lease_seconds = ceil(:length / 1e6),
					lease_until = clock_timestamp() + :length * interval '1 microsecond',
					acquired_at = clock_timestamp(), renewed_at = null, declared_by = :declaredBy,
					looked_until = greatest(mine.looked_until, :passes)
				from taken where mine.job_key = taken.job_key
				returning mine.job_key
			)
			select case word when 'free' then 'granted' else word end, clock.at, lease.purged_until, shown.*, lease.*
			from verdict cross join clock left join lease on true left join (
				select * from taken union all select * from known where not exists (select from taken)) as shown on true
			where word <> 'free' or exists (select from claimed)
			""";

	// O2, L3: the lease first, as its release does; whoever finds it another's touches
	// nothing. O4: of those that were due before, an open effect with a grain keeps its
	// own
	// open.
	private static final String END = """
			with released as (
				update {job_lease} set owner = null, run_id = null, lease_until = least(lease_until, clock_timestamp())
				where job_key = :job and owner = :owner and fencing_token = :token
				returning job_key
			), ended as (
				update {occurrence} as present set state = :state, attempt = :attempt,
					next_attempt_at = clock_timestamp() + :nextAttemptIn * interval '1 microsecond',
					finished_at = clock_timestamp(), counts = :counts, detail = :detail
				from released
				where present.job_key = released.job_key and present.occurrence = :occurrence
					and present.run_id = :runId and present.fencing_token = :token and present.state = 'running'
				returning present.job_key, present.due_at
			), closed as (
				update {occurrence} as earlier set state = 'finished', next_attempt_at = null, detail = :closing
				from ended
				where earlier.job_key = ended.job_key and earlier.state = 'open'
					and (:earlier = 'closed' or :earlier = 'replaced' and earlier.detail is null)
					and earlier.due_at < ended.due_at and not exists (
						select from {effect_ledger} as effect
						where effect.job_key = earlier.job_key and effect.occurrence = earlier.occurrence
							and (effect.grain is not null or :earlier = 'replaced') and effect.state <> 'done')
			)
			select job_key from ended
			""";

	// O6: a renewal under way is waited for, and one that comes later finds its token
	// gone
	private static final String ABANDON = """
			with dead as materialized (
				select job_key from {job_lease}
				where :state = 'running' and job_key = :job
					and not (fencing_token = :token and lease_until > clock_timestamp())
				for update
			), abandoned as (
				update {occurrence} set state = 'abandoned', next_attempt_at = null,
					finished_at = coalesce(finished_at, clock_timestamp()), detail = :detail
				where job_key = :job and occurrence = :occurrence and state = :state and state in ('running', 'open')
					and attempt = :attempt and fencing_token = :token
					and (:state = 'open' or exists (select from dead))
				returning job_key
			), fenced as (
				update {job_lease} as lease set owner = null, run_id = null, fencing_token = lease.fencing_token + 1
				from abandoned
				where :state = 'running' and lease.job_key = abandoned.job_key and lease.fencing_token = :token
			)
			select job_key from abandoned
			""";

	private static final String FIND = """
			select {row}, clock_timestamp() from {occurrence} where job_key = :job and occurrence = :occurrence
			""";

	// O5: counted under the lease's lock
	private static final String PUT_OFF = """
			insert into {occurrence} (job_key, occurrence, due_at, zone, state, attempt, arguments, queued_at, detail)
			select :job, :occurrence, coalesce(:dueAt, clock_timestamp()), :zone, :state, 0, :arguments, clock_timestamp(),
				:detail
			where :state <> 'queued' or :depth > (
				select count(*) from {occurrence} where job_key = :job and state = 'queued' and state <> 'finished')
			on conflict (job_key, occurrence) do nothing
			returning job_key
			""";

	private static final String LOCK = """
			select looked_until, clock_timestamp(), acquired_at, lease_until from {job_lease} where job_key = :job
			for no key update
			""";

	private static final String KNOWN_NAMES = """
			select occurrence from {occurrence} where job_key = :job and occurrence = any(:names)
			""";

	// Runs that ended since the mark
	private static final String LIVE = """
			select started_at, finished_at from {occurrence}
			where job_key = :job and finished_at > :mark and started_at is not null
			""";

	private static final String WAITING = """
			select count(*) from {occurrence} where job_key = :job and state = 'queued' and state <> 'finished'
			""";

	private static final String MOVE_MARK = """
			update {job_lease} set looked_until = :mark where job_key = :job returning job_key
			""";

	// O4 to O6. An effect that became done or free behind the run's back did so after its
	// end, or by another's hand while it ran.
	private static final String COMING_BACK = """
			select {row}, clock_timestamp() from (
				select known.*, row_number() over (partition by job_key order by due_at, occurrence) as place
				from {occurrence} as known
			where known.job_key = any(:jobs) and known.state in ('running', 'open', 'queued') and known.state <> 'finished'
				and not exists (
					select from {job_lease} as lease
					where lease.job_key = known.job_key and lease.lease_until > clock_timestamp())
				and (known.state in ('running', 'queued') or known.next_attempt_at <= clock_timestamp() or not exists (
						select from {effect_ledger} as effect
						where effect.job_key = known.job_key and effect.occurrence = known.occurrence
							and effect.state in ('submitted', 'unknown'))
					and (known.next_attempt_at is null and not exists (
							select from {effect_ledger} as effect
							where effect.job_key = known.job_key and effect.occurrence = known.occurrence
								and effect.state = 'claimed'
								and (effect.attention is not null or effect.next_attempt_at > clock_timestamp()))
						or exists (
							select from {effect_ledger} as effect
							where effect.job_key = known.job_key and effect.occurrence = known.occurrence and (
								effect.state = 'done' and effect.updated_at
									> case effect.outcome when 'performed' then known.finished_at else known.started_at end
								or effect.state = 'claimed' and effect.attention is null
									and (effect.next_attempt_at is null or effect.next_attempt_at <= clock_timestamp())
									and coalesce(effect.next_attempt_at, effect.updated_at)
										> case effect.run_id when known.run_id then known.finished_at else known.started_at end))))
			) as mine where place <= :limit order by due_at, job_key, occurrence
			""";

	private static final String STANDING = """
			select job_key, state, count(*) from {occurrence} as known
			where state in ('open', 'abandoned', 'queued', 'refused') and state <> 'finished'
				and (state <> 'refused' or (
					select max(later.finished_at) from {occurrence} as later
					where later.job_key = known.job_key and later.finished_at > known.queued_at
						and later.started_at > known.queued_at and later.state = 'finished') is null)
			group by job_key, state
			""";

	private static final String LIST = """
			select {row}, clock_timestamp() from {occurrence} where job_key = :job
			order by due_at desc, occurrence desc limit :limit
			""";

	private static final String LIST_FINISHED = """
			select {row}, clock_timestamp() from {occurrence} where job_key = :job and state = 'finished'
			order by due_at desc, occurrence desc limit :limit
			""";

	private static final String LIST_UNFINISHED = """
			select {row}, clock_timestamp() from {occurrence}
			where job_key = :job and state = :state and state <> 'finished'
			order by due_at desc, occurrence desc limit :limit
			""";

	private final Sql claim;

	private final Sql end;

	private final Sql abandon;

	private final Sql find;

	private final DueTimes dueTimes;

	private final Sql comingBack;

	private final Sql standing;

	private final Sql list;

	private final Sql listFinished;

	private final Sql listUnfinished;

	PostgresqlOccurrences(OnceTables tables) {
		this.claim = Sql.of(tables, CLAIM);
		this.end = Sql.of(tables, END);
		this.abandon = Sql.of(tables, ABANDON);
		this.find = Sql.of(tables, FIND);
		this.dueTimes = new DueTimes(Sql.of(tables, PUT_OFF), Sql.of(tables, LOCK), Sql.of(tables, KNOWN_NAMES),
				Sql.of(tables, LIVE), Sql.of(tables, WAITING), Sql.of(tables, MOVE_MARK));
		this.comingBack = Sql.of(tables, COMING_BACK);
		this.standing = Sql.of(tables, STANDING);
		this.list = Sql.of(tables, LIST);
		this.listFinished = Sql.of(tables, LIST_FINISHED);
		this.listUnfinished = Sql.of(tables, LIST_UNFINISHED);
	}

	/** Those whose rows an index must find. */
	List<Sql> all() {
		return List.of(this.claim, this.end, this.abandon, this.find, this.dueTimes.putOff(), this.dueTimes.lock(),
				this.dueTimes.knownNames(), this.dueTimes.live(), this.dueTimes.waiting(), this.dueTimes.moveMark(),
				this.comingBack, this.standing);
	}

	@Override
	public List<Verdict> claim(StoreCalls calls, String what, Parameters parameters) {
		return calls.untilAnswered(what, (connection) -> this.claim.query(connection, parameters, Verdict::read));
	}

	@Override
	public boolean end(StoreCalls calls, String what, Parameters parameters) {
		return calls.single(what, (connection) -> has(connection, this.end, parameters));
	}

	@Override
	public boolean abandon(StoreCalls calls, String what, Parameters parameters) {
		return calls.single(what, (connection) -> has(connection, this.abandon, parameters));
	}

	private static boolean has(Connection connection, Sql sql, Parameters parameters) throws SQLException {
		return !sql.query(connection, parameters, (rows) -> rows.getString(1)).isEmpty();
	}

	@Override
	public List<OccurrenceRow> find(Connection connection, Parameters parameters) throws SQLException {
		return this.find.query(connection, parameters, OccurrenceRows::read);
	}

	@Override
	public DueTimes dueTimes() {
		return this.dueTimes;
	}

	@Override
	public <T> List<T> comingBack(Connection connection, Parameters parameters, Sql.RowReader<T> reader)
			throws SQLException {
		return this.comingBack.query(connection, parameters, reader);
	}

	@Override
	public <T> List<T> standing(Connection connection, Sql.RowReader<T> reader) throws SQLException {
		return this.standing.query(connection, new Parameters(), reader);
	}

	/** Those that read a page. */
	List<Sql> pages() {
		return List.of(this.list, this.listFinished, this.listUnfinished);
	}

	// A few that are not finished must not be looked for among all that are
	@Override
	public <T> List<T> list(Connection connection, Parameters parameters, @Nullable OccurrenceState state,
			Sql.RowReader<T> reader) throws SQLException {
		if (state == null) {
			return this.list.query(connection, parameters, reader);
		}
		Sql ofState = (state == OccurrenceState.FINISHED) ? this.listFinished : this.listUnfinished;
		return ofState.query(connection, parameters, reader);
	}

}
