package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlJpaTests extends JpaCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
