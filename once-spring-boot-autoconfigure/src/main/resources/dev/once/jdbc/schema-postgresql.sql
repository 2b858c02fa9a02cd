-- Once's tables for PostgreSQL: the plain form of the changelog in dev/once/jdbc/changelog,
-- for Flyway, or for whoever may create tables. Run it in the schema of once.jdbc.schema,
-- then set once.jdbc.initialize-schema to validate.
-- With another once.jdbc.table-prefix, put that in place of every once_ below.

create table once_job_lease (
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
	purged_until timestamp(6) with time zone,
	key_check varchar(16),
	looked_until timestamp(6) with time zone,
	constraint once_job_lease_pk primary key (job_key),
	-- E1: "for key share" conflicts with a change of the token only because of this constraint
	constraint once_job_lease_token_uq unique (job_key, fencing_token)
);

create table once_effect_ledger (
	effect_key varchar(32) not null,
	revision integer not null,
	action varchar(64) not null,
	target varchar(500),
	grain varchar(64),
	input_digest varchar(32) not null,
	inputs text,
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
	terms text,
	response text,
	response_type varchar(512),
	detail varchar(2000),
	follow_up_at timestamp(6) with time zone,
	follow_up_done_at timestamp(6) with time zone,
	created_at timestamp(6) with time zone not null,
	updated_at timestamp(6) with time zone not null,
	constraint once_effect_ledger_pk primary key (effect_key, revision),
	constraint once_effect_ledger_slot_uq unique (slot)
);

create index once_effect_ledger_target_ix on once_effect_ledger (action, target, grain);

create index once_effect_ledger_input_ix on once_effect_ledger (target, input_digest);

create index once_effect_ledger_open_ix on once_effect_ledger (state, window_until, next_resolve_at) where state <> 'done' or attention is not null;

create index once_effect_ledger_occurrence_ix on once_effect_ledger (job_key, occurrence) where occurrence is not null;

create table once_occurrence (
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
	arguments text,
	result text,
	queued_at timestamp(6) with time zone,
	started_at timestamp(6) with time zone,
	finished_at timestamp(6) with time zone,
	counts varchar(2000),
	detail varchar(2000),
	constraint once_occurrence_pk primary key (job_key, occurrence)
);

create index once_occurrence_unfinished_ix on once_occurrence (job_key, due_at) where state <> 'finished';

create index once_occurrence_ended_ix on once_occurrence (job_key, finished_at);

create index once_occurrence_due_ix on once_occurrence (job_key, due_at, occurrence);

create table once_decision (
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
	constraint once_decision_pk primary key (id)
);

create index once_decision_job_ix on once_decision (job_key, decided_at);

create index once_decision_effect_ix on once_decision (effect_key);
