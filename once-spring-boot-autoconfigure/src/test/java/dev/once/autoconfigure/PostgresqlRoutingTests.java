package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlRoutingTests extends RoutingCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
