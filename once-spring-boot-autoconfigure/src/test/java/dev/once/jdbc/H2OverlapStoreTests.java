package dev.once.jdbc;

import dev.once.test.TestDatabases;

class H2OverlapStoreTests extends OverlapStoreContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.h2().withTables());
	}

}
