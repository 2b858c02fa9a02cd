package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2ReleaseCaseTests extends ReleaseCases {

	@Override
	TestDatabase database() {
		return TestDatabases.h2();
	}

}
