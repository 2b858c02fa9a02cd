package dev.once.jdbc;

import dev.once.test.TestDatabases;

class PostgresqlLeaseStoreTests extends LeaseStoreContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.postgresql().withTables());
	}

}
