package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlContextCaseTests extends ContextCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
