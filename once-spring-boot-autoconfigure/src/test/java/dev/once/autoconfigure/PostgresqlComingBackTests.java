package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlComingBackTests extends ComingBackCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
