package dev.once.jdbc;

import java.util.List;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2PlainSqlTests extends PlainSqlContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Override
	List<String> descriptions() {
		return List.of("""
				select table_name, column_name, ordinal_position, column_default, is_nullable, data_type,
					character_maximum_length, numeric_precision, datetime_precision
				from information_schema.columns where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER')
				""", """
				select index_name, table_name, column_name, ordinal_position, ordering_specification, is_unique
				from information_schema.index_columns where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER')
				""", """
				select constraint_name, constraint_type, table_name from information_schema.table_constraints
				where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER')
				""", """
				select constraint_name, column_name, ordinal_position from information_schema.key_column_usage
				where table_name in ('ONCE_JOB_LEASE', 'ONCE_EFFECT_LEDGER')
				""");
	}

}
