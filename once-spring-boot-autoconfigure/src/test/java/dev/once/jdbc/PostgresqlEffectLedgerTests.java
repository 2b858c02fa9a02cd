package dev.once.jdbc;

import dev.once.test.TestDatabases;

class PostgresqlEffectLedgerTests extends EffectLedgerContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.postgresql().withTables());
	}

}
