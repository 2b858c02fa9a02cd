package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2CrowdTests extends CrowdCases {

	@Override
	TestDatabase database() {
		return TestDatabases.h2();
	}

}
