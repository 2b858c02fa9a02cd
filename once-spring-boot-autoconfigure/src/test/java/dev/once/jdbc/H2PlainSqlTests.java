package dev.once.jdbc;

import java.util.List;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

/**
 * H2 numbers the indexes of keys by the table, which adding a column makes anew.
 */
class H2PlainSqlTests extends PlainSqlContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Override
	List<String> descriptions() {
		return List.of(
				"""
						select table_name, column_name, ordinal_position, column_default, is_nullable, data_type,
							character_maximum_length, numeric_precision, datetime_precision
						from information_schema.columns where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER', 'ONCE_OCCURRENCE',
							'ONCE_DECISION')
						""",
				"""
						select regexp_replace(index_name, '^(PRIMARY_KEY|.*_UQ_INDEX)_[0-9A-F]+$', '$1') as index_name, table_name, column_name, ordinal_position, ordering_specification, is_unique
						from information_schema.index_columns where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER', 'ONCE_OCCURRENCE',
							'ONCE_DECISION')
						""",
				"""
						select constraint_name, constraint_type, table_name from information_schema.table_constraints
						where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER', 'ONCE_OCCURRENCE',
							'ONCE_DECISION')
						""", """
						select constraint_name, column_name, ordinal_position from information_schema.key_column_usage
						where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER', 'ONCE_OCCURRENCE',
							'ONCE_DECISION')
						""");
	}

}
