package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlBacklogTests extends BacklogCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
