package dev.once.jdbc;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlDecisionStoreTests extends DatabaseDecisionsContractTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

}
