package dev.once.autoconfigure;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2JpaTests extends JpaCases {

	@Override
	TestDatabase database() {
		return TestDatabases.h2();
	}

}
