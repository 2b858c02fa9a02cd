package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2OverlapTests extends OverlapCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

}
