package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2ComingBackTests extends ComingBackCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

}
