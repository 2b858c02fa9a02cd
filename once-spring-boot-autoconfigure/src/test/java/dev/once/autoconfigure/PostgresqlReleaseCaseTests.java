package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlReleaseCaseTests extends ReleaseCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
