package dev.once.jdbc;

import java.util.List;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlPlainSqlTests extends PlainSqlContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@Override
	List<String> descriptions() {
		return List.of(
				"""
						select table_name, column_name, ordinal_position, column_default, is_nullable, data_type,
							character_maximum_length, datetime_precision
						from information_schema.columns where table_name in ('once_job_lease', 'once_effect_ledger', 'once_occurrence',
							'once_decision')
						""",
				"""
						select indexname, indexdef from pg_indexes where tablename in ('once_job_lease', 'once_effect_ledger', 'once_occurrence',
							'once_decision')
						""",
				"""
						select conname, contype, condeferrable, pg_get_constraintdef(oid) as definition from pg_constraint
						where conrelid in ('once_job_lease'::regclass, 'once_effect_ledger'::regclass,
							'once_occurrence'::regclass, 'once_decision'::regclass)
						""",
				"""
						select relname, relpersistence, reloptions from pg_class
						where oid in ('once_job_lease'::regclass, 'once_effect_ledger'::regclass,
							'once_occurrence'::regclass, 'once_decision'::regclass)
						""");
	}

}
