package dev.once.jdbc;

import java.util.List;
import java.util.Map;

import dev.once.ledger.Move;

/**
 * The statements for PostgreSQL. Each is one statement and one commit. Times come from
 * {@code clock_timestamp()} (L5): {@code now()} stands still while a lock is waited for.
 */
final class PostgresqlStatements implements Statements {

	// L1: on conflict locks the row before it looks at it, so the token is the row's own
	// and not the snapshot's. A lease validly held is only read.
	private static final String CLAIM = """
			with holder as materialized (
				select {lease} from {job_lease} where job_key = :job and lease_until > clock_timestamp()
			), claimed as (
				insert into {job_lease} as lease (job_key, owner, run_id, fencing_token, lease_seconds, lease_until,
					acquired_at, renewed_at, declared_by)
				select :job, :owner, :runId, 1, ceil(:length / 1e6), clock_timestamp() + :length * interval '1 microsecond',
					clock_timestamp(), null, :declaredBy
				where not exists (select from holder)
				on conflict (job_key) do update set owner = excluded.owner, run_id = excluded.run_id,
					fencing_token = lease.fencing_token + 1, lease_seconds = excluded.lease_seconds,
					lease_until = clock_timestamp() + :length * interval '1 microsecond',
					acquired_at = clock_timestamp(), renewed_at = null, declared_by = excluded.declared_by
				where lease.lease_until <= clock_timestamp()
				returning {lease}
			)
			select 'granted' as verdict, {lease}, clock_timestamp() from claimed
			union all
			select 'held', {lease}, clock_timestamp() from holder
			""";

	// L3, L4: "for no key update" passes the key share of E1; what another transaction
	// has
	// locked otherwise is skipped, and told from what is fenced by a plain read
	private static final String RENEW = """
			with wanted as materialized (
				select * from unnest(:job::text[], :owner::text[], :token::bigint[], :length::bigint[])
					with ordinality as wanted (job_key, owner, fencing_token, length, position)
			), mine as materialized (
				select wanted.position from wanted join {job_lease} as lease using (job_key, owner, fencing_token)
			), free as materialized (
				select wanted.position, lease.job_key, wanted.length
				from wanted join {job_lease} as lease using (job_key, owner, fencing_token)
				for no key update of lease skip locked
			), renewed as (
				update {job_lease} as lease set lease_until = clock_timestamp() + free.length * interval '1 microsecond',
					renewed_at = clock_timestamp()
				from free where lease.job_key = free.job_key
				returning free.position
			)
			select case when position in (select position from renewed) then 'renewed'
				when position in (select position from mine) then 'busy' else 'fenced' end
			from wanted order by position
			""";

	private static final String RELEASE_LEASE = """
			update {job_lease} set owner = null, run_id = null, lease_until = least(lease_until, clock_timestamp())
			where job_key = :job and owner = :owner and fencing_token = :token
			returning job_key
			""";

	// A node that declares the job at the same time may be the one that inserts the row:
	// then there is no answer
	private static final String REGISTER = """
			with before as materialized (
				select job_key, declared_by, schedule, zone, key_check from {job_lease} where job_key = :job
			), placed as (
				insert into {job_lease} (job_key, fencing_token, lease_seconds, lease_until, declared_by, schedule, zone,
					key_check, looked_until)
				select :job, 0, 0, clock_timestamp(), :declaredBy, :schedule, :zone, :keyCheck, clock_timestamp()
				where not exists (select from before)
				on conflict (job_key) do nothing
				returning job_key
			), changed as (
				update {job_lease} set declared_by = :declaredBy, schedule = :schedule, zone = :zone, key_check = :keyCheck,
					looked_until = case when (schedule, zone) is distinct from (:schedule::text, :zone::text)
						then clock_timestamp() else looked_until end
				where job_key = :job and exists (
					select from before
					where (declared_by, schedule, zone, key_check)
						is distinct from (:declaredBy::text, :schedule::text, :zone::text, :keyCheck::text))
			)
			select 'known', job_key, declared_by, schedule, zone, key_check from before
			union all
			select 'new', job_key, null, null, null, null from placed
			""";

	private static final String FIND_LEASE = """
			select {lease}, clock_timestamp() from {job_lease} where job_key = :job
			""";

	private static final String FIND_LEASES = """
			select {lease}, clock_timestamp() from {job_lease} order by job_key
			""";

	private static final String APPEND_DECISION = """
			insert into {decision} (id, decided_at, kind, job_key, occurrence, effect_key, revision, who, why, detail)
			values (:id, clock_timestamp(), :kind, :job, :occurrence, :effectKey, :revision, :who, :why, :detail)
			on conflict (id) do nothing
			returning id
			""";

	private static final String LATEST_DECISIONS = """
			select id, decided_at, kind, job_key, occurrence, effect_key, revision, who, why, detail from {decision}
			where job_key = :job order by decided_at desc limit :limit
			""";

	// E1: "for key share" waits for a takeover under way and keeps the next one out until
	// the commit; a renewal passes. Who meets the key's row takes no lock and writes
	// nothing. No row at all in the answer: another submit of the key won meanwhile.
	private static final String SUBMIT = """
			with met as materialized (
				select {effect} from {effect_ledger} where effect_key = :key and revision = :revision
			), held as materialized (
				select from {job_lease} where job_key = :job and fencing_token = :token and not exists (select from met)
				for key share
			), other as materialized (
				select {effect} from {effect_ledger}
				where action = :action and target = :target and grain = :grain and effect_key <> :key
					and not exists (select from met)
				union all
				select {effect} from {effect_ledger}
				where action = :action and target = :target and grain is null and :grain::text is null
					and effect_key <> :key and not exists (select from met)
			), blocking as materialized (
				select {effect} from other where :waiting = 'for_open_facts' and state in ('submitted', 'unknown')
				order by submitted_at limit 1
			), placed as (
				insert into {effect_ledger} (effect_key, revision, action, target, grain, input_digest, inputs, label,
					job_key, occurrence, run_id, fencing_token, attempt, attempt_id, state, first_submitted_at,
					submitted_at, window_until, settle_after, created_at, updated_at)
				select :key, :revision, :action, :target, :grain, :inputDigest, :inputs, :label,
					:job, :occurrence, :runId, :token, 1, :attemptId, 'submitted', clock.at, clock.at,
					clock.at + :window * interval '1 microsecond', :settleAfter, clock.at, clock.at
				from (select clock_timestamp() as at) as clock
				where not exists (select from met) and (:job::text is null or exists (select from held))
					and not exists (select from blocking)
				on conflict (effect_key, revision) do nothing
				returning 1
			), verdict as materialized (
				select case when exists (select from met) then 'met'
					when exists (select from placed) then case when exists (select from other) then 'changed' else 'new' end
					when :job::text is not null and not exists (select from held) then 'fenced'
					when exists (select from blocking) then 'blocked' end as verdict
			)
			select verdict, {effect}, clock_timestamp()
			from verdict left join (select {effect} from met union all select {effect} from blocking) as shown on true
			where verdict is not null
			""";

	private static final String RESUBMIT = """
			with seen as materialized (
				select {effect}, attempt_id = :seenAttemptId and state = :seenState and (
						state = 'claimed' and attention is null and (next_attempt_at is null or next_attempt_at <= clock_timestamp())
						or state = 'unknown' and first_submitted_at + :remembers * interval '1 microsecond'
							>= clock_timestamp() + (:window::bigint + :settleAfter::bigint) * interval '1 microsecond'
					) is true as free
				from {effect_ledger} where effect_key = :key and revision = :revision
			), held as materialized (
				select from {job_lease}
				where job_key = :job and fencing_token = :token and exists (select from seen where free)
				for key share
			), moved as (
				update {effect_ledger} set state = 'submitted', attempt = attempt + 1, attempt_id = :attemptId,
					job_key = :job, occurrence = :occurrence, run_id = :runId, fencing_token = :token, submitted_at = clock.at,
					window_until = clock.at + :window * interval '1 microsecond', settle_after = :settleAfter,
					attention = null, detail = null, next_attempt_at = null, next_resolve_at = null, resolve_tries = 0,
					updated_at = clock.at
				from (select clock_timestamp() as at) as clock
				where effect_key = :key and revision = :revision and attempt_id = :seenAttemptId and state = :seenState
					and (
						state = 'claimed' and attention is null and (next_attempt_at is null or next_attempt_at <= clock.at)
						or state = 'unknown' and first_submitted_at + :remembers * interval '1 microsecond'
							>= clock.at + (:window::bigint + :settleAfter::bigint) * interval '1 microsecond'
					)
					and (:job::text is null or exists (select from held))
				returning {effect}
			), verdict as materialized (
				select case when exists (select from moved) then 'moved'
					when not exists (select from seen) then 'absent'
					when exists (select from seen where not free) then 'met'
					when :job::text is not null and not exists (select from held) then 'fenced' end as verdict
			)
			select verdict, {effect}, clock_timestamp()
			from verdict left join (
				select {effect} from moved union all select {effect} from seen where not free) as shown on true
			where verdict is not null
			""";

	// T1: a submit inside the caller's transaction, where a unique violation would be the
	// end of it; who meets a key that is not committed waits. The fence comes last.
	private static final String PLACE = """
			with met as materialized (
				select {effect} from {effect_ledger} where effect_key = :key and revision = :revision
			), other as materialized (
				select {effect} from {effect_ledger}
				where action = :action and target = :target and grain = :grain and effect_key <> :key
					and not exists (select from met)
				union all
				select {effect} from {effect_ledger}
				where action = :action and target = :target and grain is null and :grain::text is null
					and effect_key <> :key and not exists (select from met)
			), blocking as materialized (
				select {effect} from other where :waiting = 'for_open_facts' and state in ('submitted', 'unknown')
				order by submitted_at limit 1
			), placed as (
				insert into {effect_ledger} (effect_key, revision, action, target, grain, input_digest, inputs, label,
					job_key, occurrence, run_id, fencing_token, attempt, attempt_id, state, first_submitted_at,
					submitted_at, window_until, settle_after, created_at, updated_at)
				select :key, :revision, :action, :target, :grain, :inputDigest, :inputs, :label,
					:job, :occurrence, :runId, :token, 1, :attemptId, 'submitted', clock.at, clock.at,
					clock.at + :window * interval '1 microsecond', :settleAfter, clock.at, clock.at
				from (select clock_timestamp() as at) as clock
				where not exists (select from met) and not exists (select from blocking)
				on conflict (effect_key, revision) do nothing
				returning 1
			), verdict as materialized (
				select case when exists (select from met) then 'met'
					when exists (select from placed) then case when exists (select from other) then 'changed' else 'new' end
					when exists (select from blocking) then 'blocked' end as verdict
			)
			select verdict, {effect}, clock_timestamp()
			from verdict left join (select {effect} from met union all select {effect} from blocking) as shown on true
			where verdict is not null
			""";

	private static final String PLACE_AGAIN = """
			update {effect_ledger} set state = 'submitted', attempt = attempt + 1, attempt_id = :attemptId,
				job_key = :job, occurrence = :occurrence, run_id = :runId, fencing_token = :token, submitted_at = clock_timestamp(),
				window_until = clock_timestamp() + :window * interval '1 microsecond', settle_after = :settleAfter,
				detail = null, next_attempt_at = null, next_resolve_at = null, resolve_tries = 0,
				updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :seenAttemptId and state = 'claimed'
				and attention is null and (next_attempt_at is null or next_attempt_at <= clock_timestamp())
			returning {effect}, clock_timestamp()
			""";

	// T1, I3: as in E1, a renewal passes this lock, and a takeover waits for the commit
	private static final String FENCE = """
			select 1 from {job_lease} where job_key = :job and fencing_token = :token for key share
			""";

	private static final String SETTLE = """
			update {effect_ledger} set state = 'done', outcome = 'performed', response = :answer,
				response_type = :answerType,
				attention = case when state = 'claimed' or attention = 'contradiction' then 'contradiction' end,
				detail = case when state <> 'claimed' and attention = 'contradiction' then detail end,
				updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId
				and state in ('submitted', 'unknown', 'claimed')
			returning {effect}, clock_timestamp()
			""";

	private static final String RELEASE = """
			update {effect_ledger} set state = 'claimed', attention = case when attention = 'contradiction' then attention end,
				next_resolve_at = null, detail = :detail,
				next_attempt_at = clock_timestamp() + :nextAttemptIn * interval '1 microsecond',
				updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId
				and state in ('submitted', 'unknown')
			returning {effect}, clock_timestamp()
			""";

	private static final String REFUSE = """
			update {effect_ledger} set state = 'claimed', refusals = refusals + 1,
				attention = coalesce(case when attention = 'contradiction' then attention end, :attention),
				next_resolve_at = null, detail = :detail,
				next_attempt_at = clock_timestamp() + :nextAttemptIn * interval '1 microsecond',
				updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId
				and state in ('submitted', 'unknown')
			returning {effect}, clock_timestamp()
			""";

	private static final String LOSE = """
			update {effect_ledger} set state = 'unknown', next_resolve_at = null, detail = :detail,
				updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'submitted'
			returning {effect}, clock_timestamp()
			""";

	private static final String ASK = """
			update {effect_ledger} set state = 'unknown',
				next_resolve_at = clock_timestamp() + :patience * interval '1 microsecond', updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId
				and (state = 'unknown' or state = 'submitted' and window_until <= clock_timestamp())
				and (next_resolve_at is null or next_resolve_at <= clock_timestamp())
			returning {effect}, clock_timestamp()
			""";

	private static final String HAPPENED = """
			update {effect_ledger} set state = 'done', outcome = 'resolved', response = :answer,
				response_type = :answerType, attention = case when attention = 'contradiction' then attention end,
				detail = case when attention = 'contradiction' then detail end, updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'unknown'
			returning {effect}, clock_timestamp()
			""";

	private static final String DID_NOT_HAPPEN = """
			update {effect_ledger} set state = 'claimed', resolve_tries = 0,
				attention = case when attention = 'contradiction' then attention end,
				next_attempt_at = null, next_resolve_at = null, updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'unknown'
				and :askedAt > window_until + settle_after * interval '1 microsecond'
				and (:shows::bigint is null
					or clock_timestamp() <= first_submitted_at + :shows * interval '1 microsecond')
			returning {effect}, clock_timestamp()
			""";

	private static final String KEEP_UNKNOWN = """
			update {effect_ledger} set resolve_tries = resolve_tries + :tries,
				next_resolve_at = clock_timestamp() + :nextResolveIn * interval '1 microsecond',
				attention = coalesce(attention, :attention), updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'unknown'
			returning {effect}, clock_timestamp()
			""";

	private static final String EXTEND = """
			update {effect_ledger} set window_until = greatest(window_until,
					least(clock_timestamp() + :window * interval '1 microsecond',
						submitted_at + :maxWindow * interval '1 microsecond')),
				updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'submitted'
				and window_until > clock_timestamp()
			returning {effect}, clock_timestamp()
			""";

	private static final String CONTRADICT = """
			update {effect_ledger} set attention = 'contradiction', detail = :detail, updated_at = clock_timestamp()
			where effect_key = :key and revision = :revision
			returning {effect}, clock_timestamp()
			""";

	// The forms for many rows lock leases in job order, then rows in key order, so that
	// no
	// two of them wait for each other. Rows are told apart by their place in the call.
	private static final String SUBMIT_MANY = """
			with wanted as materialized (
				select * from unnest(:key::text[], :revision::bigint[], :action::text[], :target::text[], :grain::text[],
						:inputDigest::text[], :inputs::text[], :label::text[], :job::text[], :occurrence::text[], :runId::text[],
						:token::bigint[], :attemptId::text[], :window::bigint[], :settleAfter::bigint[],
						:waiting::text[])
					with ordinality as wanted (wanted_key, wanted_revision, wanted_action, wanted_target, wanted_grain,
						wanted_digest, wanted_inputs, wanted_label, wanted_job, wanted_occurrence, wanted_run, wanted_token, wanted_attempt,
						window_length, settle_length, waiting, nth)
			), met as materialized (
				select nth, {effect} from wanted join {effect_ledger}
					on effect_key = wanted_key and revision = wanted_revision
			), fresh as materialized (
				select * from wanted where nth not in (select nth from met)
			), held as materialized (
				select job_key, fencing_token from {job_lease}
				where (job_key, fencing_token) in (select wanted_job, wanted_token from fresh)
				order by job_key for key share
			), other as materialized (
				select nth, waiting, {effect} from fresh join {effect_ledger}
					on action = wanted_action and target = wanted_target and grain = wanted_grain
						and effect_key <> wanted_key
				union all
				select nth, waiting, {effect} from fresh join {effect_ledger}
					on action = wanted_action and target = wanted_target and grain is null and wanted_grain is null
						and effect_key <> wanted_key
			), blocking as materialized (
				select distinct on (nth) nth, {effect} from other
				where waiting = 'for_open_facts' and state in ('submitted', 'unknown') order by nth, submitted_at
			), free as materialized (
				select fresh.* from fresh
				where (wanted_job is null or exists (
						select from held where job_key = wanted_job and fencing_token = wanted_token))
					and nth not in (select nth from blocking)
				order by wanted_key, wanted_revision
			), placed as (
				insert into {effect_ledger} (effect_key, revision, action, target, grain, input_digest, inputs, label,
					job_key, occurrence, run_id, fencing_token, attempt, attempt_id, state, first_submitted_at,
					submitted_at, window_until, settle_after, created_at, updated_at)
				select wanted_key, wanted_revision, wanted_action, wanted_target, wanted_grain, wanted_digest,
					wanted_inputs, wanted_label, wanted_job, wanted_occurrence, wanted_run, wanted_token, 1, wanted_attempt, 'submitted',
					clock.at, clock.at, clock.at + window_length * interval '1 microsecond', settle_length,
					clock.at, clock.at
				from free cross join (select clock_timestamp() as at) as clock
				on conflict (effect_key, revision) do nothing
				returning effect_key, revision
			), verdicts as materialized (
				select nth, case when nth in (select nth from met) then 'met'
					when (wanted_key, wanted_revision) in (select effect_key, revision from placed)
						then case when nth in (select nth from other) then 'changed' else 'new' end
					when wanted_job is not null and not exists (
						select from held where job_key = wanted_job and fencing_token = wanted_token) then 'fenced'
					when nth in (select nth from blocking) then 'blocked' end as verdict
				from wanted
			)
			select nth, verdict, {effect}, clock_timestamp()
			from verdicts left join (select * from met union all select * from blocking) as shown using (nth)
			where verdict is not null
			""";

	private static final String SETTLE_MANY = """
			with wanted as materialized (
				select * from unnest(:key::text[], :revision::bigint[], :attemptId::text[], :answer::text[], :answerType::text[])
					with ordinality as wanted (wanted_key, wanted_revision, wanted_attempt, answer, answer_type, nth)
			), locked as materialized (
				select wanted.* from wanted join {effect_ledger} as effect
					on effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				where state in ('submitted', 'unknown', 'claimed') order by effect_key, revision for no key update of effect
			)
			update {effect_ledger} set state = 'done', outcome = 'performed', response = answer, response_type = answer_type,
				attention = case when state = 'claimed' or attention = 'contradiction' then 'contradiction' end,
				detail = case when state <> 'claimed' and attention = 'contradiction' then detail end,
				updated_at = clock_timestamp()
			from locked
			where effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				and state in ('submitted', 'unknown', 'claimed')
			returning nth, {effect}, clock_timestamp()
			""";

	private static final String RELEASE_MANY = """
			with wanted as materialized (
				select * from unnest(:key::text[], :revision::bigint[], :attemptId::text[], :nextAttemptIn::bigint[],
						:detail::text[])
					with ordinality as wanted (wanted_key, wanted_revision, wanted_attempt, next_in, wanted_detail, nth)
			), locked as materialized (
				select wanted.* from wanted join {effect_ledger} as effect
					on effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				where state in ('submitted', 'unknown') order by effect_key, revision for no key update of effect
			)
			update {effect_ledger} set state = 'claimed', attention = case when attention = 'contradiction' then attention end,
				next_resolve_at = null, detail = wanted_detail,
				next_attempt_at = clock_timestamp() + next_in * interval '1 microsecond',
				updated_at = clock_timestamp()
			from locked
			where effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				and state in ('submitted', 'unknown')
			returning nth, {effect}, clock_timestamp()
			""";

	private static final String REFUSE_MANY = """
			with wanted as materialized (
				select * from unnest(:key::text[], :revision::bigint[], :attemptId::text[], :nextAttemptIn::bigint[],
						:attention::text[], :detail::text[])
					with ordinality as wanted (wanted_key, wanted_revision, wanted_attempt, next_in,
						wanted_attention, wanted_detail, nth)
			), locked as materialized (
				select wanted.* from wanted join {effect_ledger} as effect
					on effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				where state in ('submitted', 'unknown') order by effect_key, revision for no key update of effect
			)
			update {effect_ledger} set state = 'claimed', refusals = refusals + 1,
				attention = coalesce(case when attention = 'contradiction' then attention end, wanted_attention),
				next_resolve_at = null, detail = wanted_detail,
				next_attempt_at = clock_timestamp() + next_in * interval '1 microsecond',
				updated_at = clock_timestamp()
			from locked
			where effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				and state in ('submitted', 'unknown')
			returning nth, {effect}, clock_timestamp()
			""";

	private static final String LOSE_MANY = """
			with wanted as materialized (
				select * from unnest(:key::text[], :revision::bigint[], :attemptId::text[], :detail::text[])
					with ordinality as wanted (wanted_key, wanted_revision, wanted_attempt, wanted_detail, nth)
			), locked as materialized (
				select wanted.* from wanted join {effect_ledger} as effect
					on effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				where state = 'submitted' order by effect_key, revision for no key update of effect
			)
			update {effect_ledger} set state = 'unknown', next_resolve_at = null, detail = wanted_detail,
				updated_at = clock_timestamp()
			from locked
			where effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				and state = 'submitted'
			returning nth, {effect}, clock_timestamp()
			""";

	// L4: over the connection for renewing, which waits for nobody
	private static final String EXTEND_MANY = """
			with wanted as materialized (
				select * from unnest(:key::text[], :revision::bigint[], :attemptId::text[], :window::bigint[],
						:maxWindow::bigint[])
					with ordinality as wanted (wanted_key, wanted_revision, wanted_attempt, window_length, longest, nth)
			), locked as materialized (
				select wanted.* from wanted join {effect_ledger} as effect
					on effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				where state = 'submitted' and window_until > clock_timestamp()
				order by effect_key, revision for no key update of effect skip locked
			)
			update {effect_ledger} set window_until = greatest(window_until,
					least(clock_timestamp() + window_length * interval '1 microsecond',
						submitted_at + longest * interval '1 microsecond')),
				updated_at = clock_timestamp()
			from locked
			where effect_key = wanted_key and revision = wanted_revision and attempt_id = wanted_attempt
				and state = 'submitted' and window_until > clock_timestamp()
			returning nth, {effect}, clock_timestamp()
			""";

	private static final String FIND = """
			select {effect}, clock_timestamp() from {effect_ledger} where effect_key = :key and revision = :revision
			""";

	// E2: waits for a transaction that has inserted the key and is still committing,
	// which
	// no read can see. It is taken back at once.
	private static final String PROBE = """
			insert into {effect_ledger} (effect_key, revision, action, input_digest, label, attempt, state, created_at,
				updated_at)
			values (:key, :revision, 'probe', 'probe', 'probe', 0, 'claimed', clock_timestamp(), clock_timestamp())
			on conflict (effect_key, revision) do nothing
			returning revision
			""";

	// E2: waits for a transaction that has changed the row and is still committing
	private static final String READ_BACK = """
			select {effect}, clock_timestamp() from {effect_ledger} where effect_key = :key and revision = :revision
			for update
			""";

	private static final String DUE = """
			with clock as materialized (select clock_timestamp() as at)
			select {effect}, clock_timestamp() from (
				select {effect} from {effect_ledger}
				where state = 'submitted' and window_until <= (select at from clock)
				union all
				select {effect} from {effect_ledger}
				where state = 'unknown' and attention is null
					and (next_resolve_at is null or next_resolve_at <= (select at from clock))
			) as due
			order by submitted_at, effect_key, revision limit :limit
			""";

	private static final String TWIN = """
			select action, min(label) from {effect_ledger}
			where target = :target and input_digest = :inputDigest and action <> :action
			group by action
			""";

	private static final String STANDING = """
			select state, attention, count(*),
				cast(extract(epoch from clock_timestamp() - min(submitted_at)) * 1000000 as bigint)
			from {effect_ledger} where state <> 'done' or attention is not null
			group by state, attention
			""";

	@Override
	public ManyRows manyRows() {
		return ManyRows.IN_ARRAYS;
	}

	@Override
	public String claim() {
		return CLAIM;
	}

	@Override
	public String renew() {
		return RENEW;
	}

	@Override
	public String releaseLease() {
		return RELEASE_LEASE;
	}

	@Override
	public List<String> register() {
		return List.of(REGISTER);
	}

	@Override
	public String findLease() {
		return FIND_LEASE;
	}

	@Override
	public String findLeases() {
		return FIND_LEASES;
	}

	@Override
	public String appendDecision() {
		return APPEND_DECISION;
	}

	@Override
	public String latestDecisions() {
		return LATEST_DECISIONS;
	}

	@Override
	public Map<Class<? extends Move>, String> moves() {
		return Map.ofEntries(Map.entry(Move.Submit.class, SUBMIT), Map.entry(Move.Resubmit.class, RESUBMIT),
				Map.entry(Move.Settle.class, SETTLE), Map.entry(Move.Release.class, RELEASE),
				Map.entry(Move.Refuse.class, REFUSE), Map.entry(Move.Lose.class, LOSE), Map.entry(Move.Ask.class, ASK),
				Map.entry(Move.Happened.class, HAPPENED), Map.entry(Move.DidNotHappen.class, DID_NOT_HAPPEN),
				Map.entry(Move.KeepUnknown.class, KEEP_UNKNOWN), Map.entry(Move.Extend.class, EXTEND),
				Map.entry(Move.Contradict.class, CONTRADICT));
	}

	@Override
	public Map<Class<? extends Move>, String> manyMoves() {
		return Map.of(Move.Submit.class, SUBMIT_MANY, Move.Settle.class, SETTLE_MANY, Move.Release.class, RELEASE_MANY,
				Move.Refuse.class, REFUSE_MANY, Move.Lose.class, LOSE_MANY, Move.Extend.class, EXTEND_MANY);
	}

	@Override
	public String place() {
		return PLACE;
	}

	@Override
	public String placeAgain() {
		return PLACE_AGAIN;
	}

	@Override
	public String fence() {
		return FENCE;
	}

	@Override
	public String find() {
		return FIND;
	}

	@Override
	public String probe() {
		return PROBE;
	}

	@Override
	public String readBack() {
		return READ_BACK;
	}

	@Override
	public String twin() {
		return TWIN;
	}

	@Override
	public String due() {
		return DUE;
	}

	@Override
	public String standing() {
		return STANDING;
	}

}
