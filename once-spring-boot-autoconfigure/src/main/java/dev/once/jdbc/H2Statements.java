package dev.once.jdbc;

import java.util.List;
import java.util.Map;

import dev.once.ledger.Move;

/**
 * The statements for H2. It has no {@code on conflict}, no {@code for key share} and no
 * data-modifying CTE, but {@code final table} makes one statement of a change and its
 * result, and every locking statement looks again at a row that it has waited for. Its
 * {@code current_timestamp} is that of the statement's start.
 */
final class H2Statements implements Statements {

	// L1: merge locks the row and looks at it again before it takes it over. A lease
	// validly held is only read.
	private static final String CLAIM = """
			select 'granted' as verdict, {lease}, current_timestamp(6) from final table (
				merge into {job_lease} as lease
				using (
					select cast(:job as varchar) as job_key where not exists (
						select 1 from {job_lease} where job_key = :job and lease_until > current_timestamp(6))
				) as wanted
				on lease.job_key = wanted.job_key
				when matched and lease.lease_until <= current_timestamp(6) then update set owner = :owner,
					run_id = :runId, fencing_token = lease.fencing_token + 1, lease_seconds = ceil(:length / 1e6),
					lease_until = dateadd(microsecond, :length, current_timestamp(6)),
					acquired_at = current_timestamp(6), renewed_at = null, declared_by = :declaredBy
				when not matched then insert (job_key, owner, run_id, fencing_token, lease_seconds, lease_until,
						acquired_at, renewed_at, declared_by)
					values (:job, :owner, :runId, 1, ceil(:length / 1e6),
						dateadd(microsecond, :length, current_timestamp(6)), current_timestamp(6), null, :declaredBy)
			)
			union all
			select 'held', {lease}, current_timestamp(6) from {job_lease}
			where job_key = :job and lease_until > current_timestamp(6)
			""";

	// L3, L4: E1 locks the row here, so a renewal passes the gate of its process first,
	// and skips what another process has locked
	private static final String RENEW = """
			select 'renewed' as verdict from final table (
				update {job_lease} set lease_until = dateadd(microsecond, :length, current_timestamp(6)),
					renewed_at = current_timestamp(6)
				where job_key in (
					select job_key from {job_lease}
					where job_key = :job and owner = :owner and fencing_token = :token for update skip locked)
			)
			union all
			select 'busy' from {job_lease} where job_key = :job and owner = :owner and fencing_token = :token
			union all
			select 'fenced'
			""";

	private static final String RELEASE_LEASE = """
			select job_key from final table (
				update {job_lease} set owner = null, run_id = null, lease_until = least(lease_until, current_timestamp(6))
				where job_key = :job and owner = :owner and fencing_token = :token
			)
			""";

	private static final String IS_REGISTERED = """
			select 'known' as verdict, job_key, declared_by, schedule, zone, key_check from {job_lease}
			where job_key = :job and declared_by is not distinct from cast(:declaredBy as varchar)
				and schedule is not distinct from cast(:schedule as varchar)
				and zone is not distinct from cast(:zone as varchar)
				and key_check is not distinct from cast(:keyCheck as varchar)
			""";

	private static final String REGISTER_ANEW = """
			select 'known' as verdict, job_key, declared_by, schedule, zone, key_check from old table (
				update {job_lease} set declared_by = :declaredBy, schedule = :schedule, zone = :zone, key_check = :keyCheck,
					looked_until = case when schedule is not distinct from cast(:schedule as varchar)
						and zone is not distinct from cast(:zone as varchar) then looked_until else current_timestamp(6) end
				where job_key = :job
			)
			""";

	private static final String REGISTER = """
			select 'new' as verdict, job_key, declared_by, schedule, zone, key_check from final table (
				insert into {job_lease} (job_key, fencing_token, lease_seconds, lease_until, declared_by, schedule, zone,
					key_check, looked_until)
				values (:job, 0, 0, current_timestamp(6), :declaredBy, :schedule, :zone, :keyCheck, current_timestamp(6))
			)
			""";

	private static final String FIND_LEASE = """
			select {lease}, current_timestamp(6) from {job_lease} where job_key = :job
			""";

	private static final String FIND_LEASES = """
			select {lease}, current_timestamp(6) from {job_lease} order by job_key
			""";

	private static final String APPEND_DECISION = """
			select id from final table (
				insert into {decision} (id, decided_at, kind, job_key, occurrence, effect_key, revision, who, why, detail)
				select :id, current_timestamp(6), :kind, :job, :occurrence, :effectKey, :revision, :who, :why, :detail
				where not exists (select 1 from {decision} where id = :id))
			""";

	private static final String LATEST_DECISIONS = """
			select id, decided_at, kind, job_key, occurrence, effect_key, revision, who, why, detail from {decision}
			where job_key = :job order by job_key desc, decided_at desc limit :limit
			""";

	// E1: the lease row is locked within the statement that inserts, and last: who meets
	// the
	// key's row takes no lock and writes nothing. No row at all in the answer: another
	// submit of the key, or a takeover, won meanwhile.
	private static final String SUBMIT = """
			select case when exists (
					select 1 from {effect_ledger} as other
					where other.action = placed.action and other.target = placed.target
						and other.grain is not distinct from placed.grain and other.effect_key <> placed.effect_key
				) then 'changed' else 'new' end as verdict, {effect}, current_timestamp(6)
			from final table (
				insert into {effect_ledger} (effect_key, revision, action, target, grain, input_digest, inputs, label,
					job_key, occurrence, run_id, fencing_token, attempt, attempt_id, state, first_submitted_at,
					submitted_at, window_until, settle_after, created_at, updated_at)
				select :key, :revision, :action, :target, :grain, :inputDigest, :inputs, :label,
					:job, :occurrence, :runId, :token, 1, :attemptId, 'submitted', current_timestamp(6), current_timestamp(6),
					dateadd(microsecond, :window, current_timestamp(6)), :settleAfter,
					current_timestamp(6), current_timestamp(6)
				where case
					when exists (select 1 from {effect_ledger} where effect_key = :key and revision = :revision)
						then false
					when :waiting = 'for_open_facts' and exists (
						select 1 from {effect_ledger} where action = :action and target = :target
							and grain is not distinct from cast(:grain as varchar) and effect_key <> :key
							and state in ('submitted', 'unknown')) then false
					when cast(:job as varchar) is null then true
					else exists (
						select 1 from {job_lease} where job_key = :job and fencing_token = :token for update)
				end
			) as placed
			union all
			select 'met', {effect}, current_timestamp(6) from {effect_ledger}
			where effect_key = :key and revision = :revision
			union all
			select 'fenced', {effect}, current_timestamp(6)
			from (select 1) as one left join {effect_ledger} on false
			where cast(:job as varchar) is not null and not exists (
				select 1 from {job_lease} where job_key = :job and fencing_token = :token)
			union all
			select 'blocked', {effect}, current_timestamp(6) from (
				select {effect} from {effect_ledger}
				where :waiting = 'for_open_facts' and action = :action and target = :target
					and grain is not distinct from cast(:grain as varchar) and effect_key <> :key
					and state in ('submitted', 'unknown')
				order by submitted_at limit 1)
			""";

	private static final String RESUBMIT = """
			select 'moved' as verdict, {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'submitted', attempt = attempt + 1, attempt_id = :attemptId,
					job_key = :job, occurrence = :occurrence, run_id = :runId, fencing_token = :token, submitted_at = current_timestamp(6),
					window_until = dateadd(microsecond, :window, current_timestamp(6)), settle_after = :settleAfter,
					attention = null, detail = null, next_attempt_at = null, next_resolve_at = null, resolve_tries = 0,
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :seenAttemptId and state = :seenState and (
						state = 'claimed' and attention is null
							and (next_attempt_at is null or next_attempt_at <= current_timestamp(6))
						or state = 'unknown' and dateadd(microsecond, :remembers, first_submitted_at)
							>= dateadd(microsecond, :window + :settleAfter, current_timestamp(6)))
					and (cast(:job as varchar) is null or exists (
						select 1 from {job_lease} where job_key = :job and fencing_token = :token for update))
			)
			union all
			select 'absent', {effect}, current_timestamp(6) from (select 1) as one left join {effect_ledger} on false
			where not exists (select 1 from {effect_ledger} where effect_key = :key and revision = :revision)
			union all
			select 'met', {effect}, current_timestamp(6) from {effect_ledger}
			where effect_key = :key and revision = :revision and (
					attempt_id = :seenAttemptId and state = :seenState and (
					state = 'claimed' and attention is null
						and (next_attempt_at is null or next_attempt_at <= current_timestamp(6))
					or state = 'unknown' and dateadd(microsecond, :remembers, first_submitted_at)
						>= dateadd(microsecond, :window + :settleAfter, current_timestamp(6)))
				) is not true
			union all
			select 'fenced', {effect}, current_timestamp(6) from {effect_ledger}
			where effect_key = :key and revision = :revision and attempt_id = :seenAttemptId and state = :seenState and (
					state = 'claimed' and attention is null
						and (next_attempt_at is null or next_attempt_at <= current_timestamp(6))
					or state = 'unknown' and dateadd(microsecond, :remembers, first_submitted_at)
						>= dateadd(microsecond, :window + :settleAfter, current_timestamp(6)))
				and cast(:job as varchar) is not null and not exists (
					select 1 from {job_lease} where job_key = :job and fencing_token = :token)
			""";

	// T1: a submit inside the caller's transaction. Who meets a key that is not committed
	// waits for it, as long as H2 lets a session wait. The fence comes last.
	private static final String PLACE = """
			select case when exists (
					select 1 from {effect_ledger} as other
					where other.action = placed.action and other.target = placed.target
						and other.grain is not distinct from placed.grain and other.effect_key <> placed.effect_key
				) then 'changed' else 'new' end as verdict, {effect}, current_timestamp(6)
			from final table (
				insert into {effect_ledger} (effect_key, revision, action, target, grain, input_digest, inputs, label,
					job_key, occurrence, run_id, fencing_token, attempt, attempt_id, state, first_submitted_at,
					submitted_at, window_until, settle_after, created_at, updated_at)
				select :key, :revision, :action, :target, :grain, :inputDigest, :inputs, :label,
					:job, :occurrence, :runId, :token, 1, :attemptId, 'submitted', current_timestamp(6), current_timestamp(6),
					dateadd(microsecond, :window, current_timestamp(6)), :settleAfter,
					current_timestamp(6), current_timestamp(6)
				where case
					when exists (select 1 from {effect_ledger} where effect_key = :key and revision = :revision)
						then false
					when :waiting = 'for_open_facts' and exists (
						select 1 from {effect_ledger} where action = :action and target = :target
							and grain is not distinct from cast(:grain as varchar) and effect_key <> :key
							and state in ('submitted', 'unknown')) then false
					else true
				end
			) as placed
			union all
			select 'met', {effect}, current_timestamp(6) from {effect_ledger}
			where effect_key = :key and revision = :revision
			union all
			select 'blocked', {effect}, current_timestamp(6) from (
				select {effect} from {effect_ledger}
				where :waiting = 'for_open_facts' and action = :action and target = :target
					and grain is not distinct from cast(:grain as varchar) and effect_key <> :key
					and state in ('submitted', 'unknown')
				order by submitted_at limit 1)
			""";

	private static final String PLACE_AGAIN = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'submitted', attempt = attempt + 1, attempt_id = :attemptId,
					job_key = :job, occurrence = :occurrence, run_id = :runId, fencing_token = :token, submitted_at = current_timestamp(6),
					window_until = dateadd(microsecond, :window, current_timestamp(6)), settle_after = :settleAfter,
					detail = null, next_attempt_at = null, next_resolve_at = null, resolve_tries = 0,
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :seenAttemptId and state = 'claimed'
					and attention is null and (next_attempt_at is null or next_attempt_at <= current_timestamp(6))
			)
			""";

	// T1, I3: a renewal finds the row locked from here to the commit, and comes back to
	// it
	private static final String FENCE = """
			select 1 from {job_lease} where job_key = :job and fencing_token = :token for update
			""";

	private static final String SETTLE = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'done', outcome = 'performed', response = :answer,
					response_type = :answerType,
					attention = case when state = 'claimed' or attention = 'contradiction' then 'contradiction' end,
					detail = case when state <> 'claimed' and attention = 'contradiction' then detail end,
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId
					and state in ('submitted', 'unknown', 'claimed')
			)
			""";

	private static final String RELEASE = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'claimed', attention = case when attention = 'contradiction' then attention end,
					next_resolve_at = null, detail = :detail,
					next_attempt_at = dateadd(microsecond, :nextAttemptIn, current_timestamp(6)),
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId
					and state in ('submitted', 'unknown')
			)
			""";

	private static final String REFUSE = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'claimed', refusals = refusals + 1,
					attention = coalesce(case when attention = 'contradiction' then attention end, :attention),
					next_resolve_at = null, detail = :detail,
					next_attempt_at = dateadd(microsecond, :nextAttemptIn, current_timestamp(6)),
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId
					and state in ('submitted', 'unknown')
			)
			""";

	private static final String LOSE = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'unknown', next_resolve_at = null, detail = :detail,
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'submitted'
			)
			""";

	private static final String ASK = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'unknown',
					next_resolve_at = dateadd(microsecond, :patience, current_timestamp(6)),
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId
					and (state = 'unknown' or state = 'submitted' and window_until <= current_timestamp(6))
					and (next_resolve_at is null or next_resolve_at <= current_timestamp(6))
			)
			""";

	private static final String HAPPENED = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'done', outcome = 'resolved', response = :answer,
					response_type = :answerType, attention = case when attention = 'contradiction' then attention end,
					detail = case when attention = 'contradiction' then detail end, updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'unknown'
			)
			""";

	private static final String DID_NOT_HAPPEN = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set state = 'claimed', resolve_tries = 0,
					attention = case when attention = 'contradiction' then attention end,
					next_attempt_at = null, next_resolve_at = null, updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'unknown'
					and :askedAt > dateadd(microsecond, settle_after, window_until)
					and (cast(:shows as bigint) is null
						or current_timestamp(6) <= dateadd(microsecond, :shows, first_submitted_at))
			)
			""";

	private static final String KEEP_UNKNOWN = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set resolve_tries = resolve_tries + :tries,
					next_resolve_at = dateadd(microsecond, :nextResolveIn, current_timestamp(6)),
					attention = coalesce(attention, :attention), updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision and attempt_id = :attemptId and state = 'unknown'
			)
			""";

	// L4: waits for nobody who has locked the row
	private static final String EXTEND = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set window_until = greatest(window_until,
						least(dateadd(microsecond, :window, current_timestamp(6)),
							dateadd(microsecond, :maxWindow, submitted_at))),
					updated_at = current_timestamp(6)
				where effect_key in (
					select effect_key from {effect_ledger}
					where effect_key = :key and revision = :revision and attempt_id = :attemptId
						and state = 'submitted' and window_until > current_timestamp(6) for update skip locked)
					and revision = :revision and attempt_id = :attemptId and state = 'submitted'
					and window_until > current_timestamp(6)
			)
			""";

	private static final String CONTRADICT = """
			select {effect}, current_timestamp(6) from final table (
				update {effect_ledger} set attention = 'contradiction', detail = :detail,
					updated_at = current_timestamp(6)
				where effect_key = :key and revision = :revision
			)
			""";

	private static final String FIND = """
			select {effect}, current_timestamp(6) from {effect_ledger} where effect_key = :key and revision = :revision
			""";

	// E2: waits for a transaction that has inserted the key and is still committing,
	// which
	// no read can see. It is taken back at once.
	private static final String PROBE = """
			select revision from final table (
				insert into {effect_ledger} (effect_key, revision, action, input_digest, label, attempt, state,
					created_at, updated_at)
				values (:key, :revision, 'probe', 'probe', 'probe', 0, 'claimed', current_timestamp(6),
					current_timestamp(6))
			)
			""";

	// E2: waits for a transaction that has changed the row and is still committing
	private static final String READ_BACK = """
			select {effect}, current_timestamp(6) from {effect_ledger} where effect_key = :key and revision = :revision
			for update
			""";

	private static final String DUE = """
			select {effect}, current_timestamp(6) from (
				select {effect} from {effect_ledger}
				where state = 'submitted' and window_until <= current_timestamp(6)
				union all
				select {effect} from {effect_ledger}
				where state = 'unknown' and attention is null
					and (next_resolve_at is null or next_resolve_at <= current_timestamp(6))
			) as due
			order by submitted_at, effect_key, revision limit :limit
			""";

	private static final String TWIN = """
			select action, min(label) from {effect_ledger}
			where target = :target and input_digest = :inputDigest and action <> :action
			group by action
			""";

	// I8: off the done rows. H2 finds no index for "or", nor for "is not null"
	private static final String STANDING = """
			select state, attention, count(*),
				cast(extract(epoch from current_timestamp(6) - min(submitted_at)) * 1000000 as bigint)
			from {effect_ledger} where state in ('claimed', 'submitted', 'unknown')
			group by state, attention
			union all
			select state, attention, count(*),
				cast(extract(epoch from current_timestamp(6) - min(submitted_at)) * 1000000 as bigint)
			from {effect_ledger} where state = 'done' and attention > ''
			group by state, attention
			""";

	@Override
	public ManyRows manyRows() {
		return ManyRows.ONE_BY_ONE;
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
		return List.of(IS_REGISTERED, REGISTER_ANEW, REGISTER);
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
		return Map.of();
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
