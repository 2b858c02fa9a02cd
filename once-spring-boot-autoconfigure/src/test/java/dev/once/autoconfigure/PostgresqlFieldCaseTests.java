package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlFieldCaseTests extends FieldCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
