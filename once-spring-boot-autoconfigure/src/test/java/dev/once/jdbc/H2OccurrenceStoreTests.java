package dev.once.jdbc;

import dev.once.test.TestDatabases;

class H2OccurrenceStoreTests extends OccurrenceStoreContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.h2().withTables());
	}

}
