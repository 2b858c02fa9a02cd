package dev.once.jdbc;

import dev.once.test.TestDatabases;

class PostgresqlOccurrenceStoreTests extends OccurrenceStoreContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.postgresql().withTables());
	}

}
