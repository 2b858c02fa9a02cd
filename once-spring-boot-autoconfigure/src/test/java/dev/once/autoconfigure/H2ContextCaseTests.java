package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2ContextCaseTests extends ContextCases {

	@Override
	TestDatabase database() {
		return TestDatabases.h2();
	}

}
