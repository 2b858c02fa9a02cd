package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlCallerTests extends CallerCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
