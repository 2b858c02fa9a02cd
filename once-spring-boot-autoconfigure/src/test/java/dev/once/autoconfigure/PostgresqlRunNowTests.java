package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlRunNowTests extends RunNowCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
