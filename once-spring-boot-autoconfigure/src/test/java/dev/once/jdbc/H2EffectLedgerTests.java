package dev.once.jdbc;

import dev.once.test.TestDatabases;

class H2EffectLedgerTests extends EffectLedgerContractTests {

	@Override
	PortsUnderTest open() {
		return new DatabasePorts(TestDatabases.h2().withTables());
	}

}
