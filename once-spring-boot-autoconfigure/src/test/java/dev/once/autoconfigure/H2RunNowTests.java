package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2RunNowTests extends RunNowCases {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

}
