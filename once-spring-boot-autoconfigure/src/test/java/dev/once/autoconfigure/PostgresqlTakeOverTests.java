package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlTakeOverTests extends TakeOverCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
