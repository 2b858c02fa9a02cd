package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlLocalEffectTests extends LocalEffectCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
