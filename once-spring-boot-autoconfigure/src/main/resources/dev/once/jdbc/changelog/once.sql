--liquibase formatted sql logicalFilePath:once

-- Once's tables: a changeset for each statement, for H2 cannot take back half of one.
-- What was released is never edited. Each statement passes over what stands already, so
-- that tables made by the plain SQL are carried on from there. The plain SQL beside this
-- directory says the same, and a test holds the two equal.

--property name:text value:text dbms:postgresql
--property name:text value:varchar(1048576) dbms:h2

--changeset once:job-lease
create table if not exists ${prefix}job_lease (
	job_key varchar(64) not null,
	owner varchar(36),
	run_id varchar(36),
	fencing_token bigint not null,
	lease_seconds integer not null,
	lease_until timestamp(6) with time zone not null,
	acquired_at timestamp(6) with time zone,
	renewed_at timestamp(6) with time zone,
	declared_by varchar(255),
	schedule varchar(255),
	zone varchar(64),
	paused_at timestamp(6) with time zone,
	paused_by varchar(255),
	paused_why varchar(2000),
	constraint ${prefix}job_lease_pk primary key (job_key),
	constraint ${prefix}job_lease_token_uq unique (job_key, fencing_token)
);

--changeset once:effect-ledger
create table if not exists ${prefix}effect_ledger (
	effect_key varchar(32) not null,
	revision integer not null,
	action varchar(64) not null,
	target varchar(500),
	grain varchar(64),
	input_digest varchar(32) not null,
	inputs ${text},
	version varchar(64),
	label varchar(255) not null,
	slot varchar(64),
	job_key varchar(64),
	occurrence varchar(255),
	run_id varchar(36),
	fencing_token bigint,
	attempt integer not null,
	attempt_id varchar(36),
	state varchar(10) not null,
	outcome varchar(10),
	attention varchar(16),
	refusals integer default 0 not null,
	first_submitted_at timestamp(6) with time zone,
	submitted_at timestamp(6) with time zone,
	window_until timestamp(6) with time zone,
	-- microseconds
	settle_after bigint,
	next_attempt_at timestamp(6) with time zone,
	resolve_tries integer default 0 not null,
	next_resolve_at timestamp(6) with time zone,
	terms ${text},
	response ${text},
	response_type varchar(512),
	detail varchar(2000),
	follow_up_at timestamp(6) with time zone,
	follow_up_done_at timestamp(6) with time zone,
	created_at timestamp(6) with time zone not null,
	updated_at timestamp(6) with time zone not null,
	constraint ${prefix}effect_ledger_pk primary key (effect_key, revision),
	constraint ${prefix}effect_ledger_slot_uq unique (slot)
);

--changeset once:effect-ledger-target
create index if not exists ${prefix}effect_ledger_target_ix on ${prefix}effect_ledger (action, target, grain);

--changeset once:effect-ledger-input
create index if not exists ${prefix}effect_ledger_input_ix on ${prefix}effect_ledger (target, input_digest);

--changeset once:effect-ledger-open-postgresql dbms:postgresql
create index if not exists ${prefix}effect_ledger_open_ix on ${prefix}effect_ledger (state, window_until, next_resolve_at) where state <> 'done' or attention is not null;

--changeset once:effect-ledger-open-h2 dbms:h2
create index if not exists ${prefix}effect_ledger_open_ix on ${prefix}effect_ledger (state, attention, window_until, next_resolve_at);

--changeset once:occurrence
create table if not exists ${prefix}occurrence (
	job_key varchar(64) not null,
	occurrence varchar(255) not null,
	due_at timestamp(6) with time zone not null,
	zone varchar(64),
	state varchar(10) not null,
	attempt integer not null,
	next_attempt_at timestamp(6) with time zone,
	run_id varchar(36),
	owner varchar(36),
	fencing_token bigint,
	arguments ${text},
	result ${text},
	queued_at timestamp(6) with time zone,
	started_at timestamp(6) with time zone,
	finished_at timestamp(6) with time zone,
	counts varchar(2000),
	detail varchar(2000),
	constraint ${prefix}occurrence_pk primary key (job_key, occurrence)
);

--changeset once:occurrence-unfinished-postgresql dbms:postgresql
create index if not exists ${prefix}occurrence_unfinished_ix on ${prefix}occurrence (job_key, due_at) where state <> 'finished';

--changeset once:occurrence-unfinished-h2 dbms:h2
create index if not exists ${prefix}occurrence_unfinished_ix on ${prefix}occurrence (state, job_key, due_at);

--changeset once:effect-ledger-occurrence-postgresql dbms:postgresql
create index if not exists ${prefix}effect_ledger_occurrence_ix on ${prefix}effect_ledger (job_key, occurrence) where occurrence is not null;

--changeset once:effect-ledger-occurrence-h2 dbms:h2
create index if not exists ${prefix}effect_ledger_occurrence_ix on ${prefix}effect_ledger (job_key, occurrence);

--changeset once:job-lease-purged-until
alter table ${prefix}job_lease add column if not exists purged_until timestamp(6) with time zone;

--changeset once:job-lease-key-check
alter table ${prefix}job_lease add column if not exists key_check varchar(16);

--changeset once:job-lease-looked-until
alter table ${prefix}job_lease add column if not exists looked_until timestamp(6) with time zone;

--changeset once:occurrence-ended
create index if not exists ${prefix}occurrence_ended_ix on ${prefix}occurrence (job_key, finished_at);

--changeset once:occurrence-due
create index if not exists ${prefix}occurrence_due_ix on ${prefix}occurrence (job_key, due_at, occurrence);

--changeset once:decision
create table if not exists ${prefix}decision (
	id varchar(36) not null,
	decided_at timestamp(6) with time zone not null,
	kind varchar(16) not null,
	job_key varchar(64),
	occurrence varchar(255),
	effect_key varchar(32),
	revision integer,
	who varchar(255) not null,
	why varchar(2000),
	detail varchar(2000),
	constraint ${prefix}decision_pk primary key (id)
);

--changeset once:decision-job
create index if not exists ${prefix}decision_job_ix on ${prefix}decision (job_key, decided_at);

--changeset once:decision-effect
create index if not exists ${prefix}decision_effect_ix on ${prefix}decision (effect_key);
