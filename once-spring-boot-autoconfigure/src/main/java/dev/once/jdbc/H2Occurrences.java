package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import org.jspecify.annotations.Nullable;

/**
 * The statements of occurrences for H2. A move that writes is one transaction, which
 * locks the lease's row first: its {@code current_timestamp} is taken by the first
 * statement that asks for it, so nothing may be waited for after that.
 */
final class H2Occurrences implements OccurrenceStatements {

	private static final String LOOK = """
			select case
				when known.state is null and :again = 'as_read' then 'gone'
				when known.state is null then case
					when cast(:dueAt as timestamp(6) with time zone) <= lease.purged_until then 'purged'
					when cast(:dueAt as timestamp(6) with time zone) > dateadd(second, 1, current_timestamp(6)) then 'early'
					when lease.is_held then 'held'
					when :order = 'due' and exists (
						select 1 from {occurrence} as other
						where other.job_key = :job and (other.state in ('queued', 'running')
							or other.state = 'open' and other.next_attempt_at <= current_timestamp(6))) then 'after'
					when cast(:previous as timestamp(6) with time zone) > lease.looked_until then 'behind'
					else 'free' end
				when known.state = 'finished' or known.state = 'abandoned' and :again <> 'by_person' then 'known'
				when known.state = 'refused' and :again not in ('asked', 'when_due', 'by_person') then 'known'
				when known.state = 'missed' and :again = 'as_read' then 'known'
				when :again = 'as_read' and coalesce(known.fencing_token, 0) <> cast(:seenToken as bigint) then 'known'
				when known.state = 'open' and (:again in ('no', 'asked')
					or :again = 'when_due' and known.next_attempt_at > current_timestamp(6)) then 'known'
				when known.state = 'running' and lease.is_held and lease.fencing_token = known.fencing_token then 'known'
				when known.state = 'running' and known.attempt >= :attempts and :again <> 'by_person' then 'spent'
				when lease.is_held then 'held'
				when :order = 'due' and exists (
					select 1 from {occurrence} as other
					where other.job_key = :job and (other.state in ('queued', 'running')
							or other.state = 'open' and other.next_attempt_at <= current_timestamp(6))
						and (other.due_at < known.due_at
							or other.due_at = known.due_at and other.occurrence < known.occurrence)) then 'after'
				else 'free' end as verdict, current_timestamp(6), lease.purged_until, known.*, lease.*
			from (select 1) as one
			left join (
				select {row}, current_timestamp(6) as read_at from {occurrence}
				where job_key = :job and occurrence = :occurrence) as known on true
			left join (
				select {lease}, current_timestamp(6) as read_at, purged_until, lease_until > current_timestamp(6) as is_held,
					looked_until
				from {job_lease} where job_key = :job) as lease on true
			""";

	private static final String LOCK = """
			select job_key from {job_lease} where job_key = :job for update
			""";

	private static final String PLACE_LEASE = """
			select job_key from final table (
				insert into {job_lease} (job_key, fencing_token, lease_seconds, lease_until, declared_by)
				values (:job, 0, ceil(:length / 1e6), current_timestamp(6), :declaredBy))
			""";

	private static final String TAKE_NEW = """
			select 'granted' as verdict, current_timestamp(6), cast(null as timestamp with time zone), {row},
				current_timestamp(6)
			from final table (
				insert into {occurrence} (job_key, occurrence, due_at, zone, state, attempt, run_id, owner, fencing_token,
					arguments, started_at)
				select :job, :occurrence, :dueAt, :zone, 'running', 1, :runId, :owner, fencing_token + 1, :arguments,
					current_timestamp(6)
				from {job_lease} where job_key = :job)
			""";

	private static final String TAKE_KNOWN = """
			select 'granted' as verdict, current_timestamp(6), cast(null as timestamp with time zone), {row},
				current_timestamp(6)
			from final table (
				update {occurrence} set attempt = case state when 'running' then attempt + 1 when 'open' then attempt
						else 1 end,
					state = 'running', next_attempt_at = null, run_id = :runId, owner = :owner,
					fencing_token = (select lease.fencing_token + 1 from {job_lease} as lease where lease.job_key = :job),
					started_at = current_timestamp(6), finished_at = null, counts = null, detail = null
				where job_key = :job and occurrence = :occurrence and state <> 'finished')
			""";

	private static final String HOLD = """
			select job_key from final table (
				update {job_lease} set owner = :owner, run_id = :runId, fencing_token = fencing_token + 1,
					lease_seconds = ceil(:length / 1e6),
					lease_until = dateadd(microsecond, :length, current_timestamp(6)),
					acquired_at = current_timestamp(6), renewed_at = null, declared_by = :declaredBy,
					looked_until = case when looked_until > cast(:passes as timestamp(6) with time zone) then looked_until
						else coalesce(:passes, looked_until) end
				where job_key = :job)
			""";

	private static final String RELEASE = """
			select job_key from final table (
				update {job_lease} set owner = null, run_id = null, lease_until = least(lease_until, current_timestamp(6))
				where job_key = :job and owner = :owner and fencing_token = :token)
			""";

	private static final String END = """
			select job_key from final table (
				update {occurrence} set state = :state, attempt = :attempt,
					next_attempt_at = dateadd(microsecond, :nextAttemptIn, current_timestamp(6)),
					finished_at = current_timestamp(6), counts = :counts, detail = :detail
				where job_key = :job and occurrence = :occurrence and run_id = :runId and fencing_token = :token
					and state = 'running')
			""";

	private static final String CLOSE = """
			select job_key from final table (
				update {occurrence} as earlier set state = 'finished', next_attempt_at = null, detail = :closing
				where earlier.job_key = :job and earlier.state = 'open'
					and (:earlier = 'closed' or :earlier = 'replaced' and earlier.detail is null)
					and earlier.due_at < (
						select ended.due_at from {occurrence} as ended
						where ended.job_key = :job and ended.occurrence = :occurrence)
					and not exists (
						select 1 from {effect_ledger} as effect
						where effect.job_key = earlier.job_key and effect.occurrence = earlier.occurrence
							and (effect.grain is not null or :earlier = 'replaced') and effect.state <> 'done'))
			""";

	private static final String ABANDON = """
			select job_key from final table (
				update {occurrence} set state = 'abandoned', next_attempt_at = null,
					finished_at = coalesce(finished_at, current_timestamp(6)), detail = :detail
				where job_key = :job and occurrence = :occurrence and state = :state and state in ('running', 'open')
					and attempt = :attempt and fencing_token = :token
					and (state = 'open' or not exists (
						select 1 from {job_lease} as lease
						where lease.job_key = :job and lease.fencing_token = :token
							and lease.lease_until > current_timestamp(6))))
			""";

	private static final String FENCE = """
			select job_key from final table (
				update {job_lease} set owner = null, run_id = null, fencing_token = fencing_token + 1
				where :state = 'running' and job_key = :job and fencing_token = :token)
			""";

	private static final String FIND = """
			select {row}, current_timestamp(6) from {occurrence} where job_key = :job and occurrence = :occurrence
			""";

	// O5: counted under the lease's lock
	private static final String PUT_OFF = """
			select job_key from final table (
				insert into {occurrence} (job_key, occurrence, due_at, zone, state, attempt, arguments, queued_at, detail)
				select :job, :occurrence, coalesce(cast(:dueAt as timestamp(6) with time zone), current_timestamp(6)), :zone,
					:state, 0, :arguments, current_timestamp(6), :detail
				where not exists (select 1 from {occurrence} where job_key = :job and occurrence = :occurrence)
					and (:state <> 'queued' or :depth > (
						select count(*) from {occurrence} where job_key = :job and state = 'queued')))
			""";

	private static final String LOCK_MARK = """
			select looked_until, current_timestamp(6), acquired_at, lease_until from {job_lease} where job_key = :job
			for update
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
			select count(*) from {occurrence} where job_key = :job and state = 'queued'
			""";

	private static final String MOVE_MARK = """
			select job_key from final table (
				update {job_lease} set looked_until = :mark where job_key = :job)
			""";

	// O4 to O6. An effect that became done or free behind the run's back did so after its
	// end, or by another's hand while it ran.
	private static final String COMING_BACK = """
			select {row}, current_timestamp(6) from (
				select known.*, row_number() over (partition by job_key order by due_at, occurrence) as place
				from {occurrence} as known
			where known.state in ('running', 'open', 'queued') and array_contains(:jobs, known.job_key)
				and not exists (
					select 1 from {job_lease} as lease
					where lease.job_key = known.job_key and lease.lease_until > current_timestamp(6))
				and (known.state in ('running', 'queued') or known.next_attempt_at <= current_timestamp(6) or not exists (
						select 1 from {effect_ledger} as effect
						where effect.job_key = known.job_key and effect.occurrence = known.occurrence
							and effect.state in ('submitted', 'unknown'))
					and (known.next_attempt_at is null and not exists (
							select 1 from {effect_ledger} as effect
							where effect.job_key = known.job_key and effect.occurrence = known.occurrence
								and effect.state = 'claimed'
								and (effect.attention is not null or effect.next_attempt_at > current_timestamp(6)))
						or exists (
							select 1 from {effect_ledger} as effect
							where effect.job_key = known.job_key and effect.occurrence = known.occurrence and (
								effect.state = 'done' and effect.updated_at
									> case effect.outcome when 'performed' then known.finished_at else known.started_at end
								or effect.state = 'claimed' and effect.attention is null
									and (effect.next_attempt_at is null or effect.next_attempt_at <= current_timestamp(6))
									and coalesce(effect.next_attempt_at, effect.updated_at)
										> case effect.run_id when known.run_id then known.finished_at else known.started_at end))))
			) as mine where place <= :limit order by due_at, job_key, occurrence
			""";

	private static final String STANDING = """
			select job_key, state, count(*) from {occurrence} as known
			where state in ('open', 'abandoned', 'queued', 'refused') and (state <> 'refused' or not exists (
				select 1 from {occurrence} as later
				where later.job_key = known.job_key and later.finished_at > known.queued_at
					and later.started_at > known.queued_at and later.state = 'finished'))
			group by job_key, state
			""";

	// It reads in an index's order only where all of that is said, and takes the index of
	// due times only where they have a bound
	private static final String LIST = """
			select {row}, current_timestamp(6) from {occurrence}
			where job_key = :job and due_at > timestamp with time zone '0001-01-01 00:00:00Z'
			order by job_key desc, due_at desc, occurrence desc limit :limit
			""";

	private static final String LIST_OF_STATE = """
			select {row}, current_timestamp(6) from {occurrence} where job_key = :job and state = :state
			order by state desc, job_key desc, due_at desc, occurrence desc limit :limit
			""";

	private final Sql look;

	private final Sql lock;

	private final Sql placeLease;

	private final Sql takeNew;

	private final Sql takeKnown;

	private final Sql hold;

	private final Sql release;

	private final Sql end;

	private final Sql close;

	private final Sql abandon;

	private final Sql fence;

	private final Sql find;

	private final DueTimes dueTimes;

	private final Sql comingBack;

	private final Sql standing;

	private final Sql list;

	private final Sql listOfState;

	H2Occurrences(OnceTables tables) {
		this.look = Sql.of(tables, LOOK);
		this.lock = Sql.of(tables, LOCK);
		this.placeLease = Sql.of(tables, PLACE_LEASE);
		this.takeNew = Sql.of(tables, TAKE_NEW);
		this.takeKnown = Sql.of(tables, TAKE_KNOWN);
		this.hold = Sql.of(tables, HOLD);
		this.release = Sql.of(tables, RELEASE);
		this.end = Sql.of(tables, END);
		this.close = Sql.of(tables, CLOSE);
		this.abandon = Sql.of(tables, ABANDON);
		this.fence = Sql.of(tables, FENCE);
		this.find = Sql.of(tables, FIND);
		this.dueTimes = new DueTimes(Sql.of(tables, PUT_OFF), Sql.of(tables, LOCK_MARK), Sql.of(tables, KNOWN_NAMES),
				Sql.of(tables, LIVE), Sql.of(tables, WAITING), Sql.of(tables, MOVE_MARK));
		this.comingBack = Sql.of(tables, COMING_BACK);
		this.standing = Sql.of(tables, STANDING);
		this.list = Sql.of(tables, LIST);
		this.listOfState = Sql.of(tables, LIST_OF_STATE);
	}

	/** Those that must not read finished rows. */
	List<Sql> standingOnes() {
		return List.of(this.comingBack, this.standing);
	}

	// O2: what is not free is only read, outside any transaction
	@Override
	public List<Verdict> claim(StoreCalls calls, String what, Parameters parameters) {
		List<Verdict> seen = calls.single(what, (connection) -> look(connection, parameters));
		return isFree(seen) ? calls.untilCommitted(what, (connection) -> take(connection, parameters)) : seen;
	}

	private List<Verdict> look(Connection connection, Parameters parameters) throws SQLException {
		return this.look.query(connection, parameters, Verdict::read);
	}

	private static boolean isFree(List<Verdict> seen) {
		return seen.get(0).word().equals("free");
	}

	// L1: looked at again under the lock, so that token and verdict are the rows' own
	private List<Verdict> take(Connection connection, Parameters parameters) throws SQLException {
		if (!has(connection, this.lock, parameters)) {
			has(connection, this.placeLease, parameters);
			return List.of();
		}
		List<Verdict> seen = look(connection, parameters);
		if (!isFree(seen)) {
			return seen;
		}
		Sql take = (seen.get(0).row() != null) ? this.takeKnown : this.takeNew;
		List<Verdict> taken = take.query(connection, parameters, Verdict::read);
		if (!taken.isEmpty()) {
			has(connection, this.hold, parameters);
		}
		return taken;
	}

	// O2, L3: whoever finds the lease another's touches nothing
	@Override
	public boolean end(StoreCalls calls, String what, Parameters parameters) {
		return calls.transaction(what, (connection) -> {
			if (!has(connection, this.release, parameters) || !has(connection, this.end, parameters)) {
				return false;
			}
			has(connection, this.close, parameters);
			return true;
		});
	}

	// O6: a renewal under way is waited for, and one that comes later finds its token
	// gone
	@Override
	public boolean abandon(StoreCalls calls, String what, Parameters parameters) {
		return calls.transaction(what, (connection) -> {
			has(connection, this.lock, parameters);
			boolean abandoned = has(connection, this.abandon, parameters);
			if (abandoned) {
				has(connection, this.fence, parameters);
			}
			return abandoned;
		});
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
		return List.of(this.list, this.listOfState);
	}

	@Override
	public <T> List<T> list(Connection connection, Parameters parameters, @Nullable OccurrenceState state,
			Sql.RowReader<T> reader) throws SQLException {
		return ((state != null) ? this.listOfState : this.list).query(connection, parameters, reader);
	}

}
