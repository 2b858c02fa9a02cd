package dev.once.jdbc;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2DecisionStoreTests extends DatabaseDecisionsContractTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

}
