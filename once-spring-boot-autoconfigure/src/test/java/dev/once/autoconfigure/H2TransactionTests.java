package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2TransactionTests extends TransactionCases {

	@Override
	TestDatabase database() {
		return TestDatabases.h2();
	}

}
