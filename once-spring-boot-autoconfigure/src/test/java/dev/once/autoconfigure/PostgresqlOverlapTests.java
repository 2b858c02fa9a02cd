package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlOverlapTests extends OverlapCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
