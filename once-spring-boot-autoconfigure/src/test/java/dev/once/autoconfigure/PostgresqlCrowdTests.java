package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlCrowdTests extends CrowdCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
