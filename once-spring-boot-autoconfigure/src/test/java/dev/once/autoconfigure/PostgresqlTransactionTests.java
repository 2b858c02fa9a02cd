package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlTransactionTests extends TransactionCases {

	@Override
	TestDatabase database() {
		return TestDatabases.postgresql();
	}

}
