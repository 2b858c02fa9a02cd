package dev.once.jdbc;

import dev.once.test.TestDatabases;

class PostgresqlOverlapStoreTests extends OverlapStoreContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.postgresql().withTables());
	}

}
