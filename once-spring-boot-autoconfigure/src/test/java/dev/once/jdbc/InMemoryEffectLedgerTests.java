package dev.once.jdbc;

class InMemoryEffectLedgerTests extends EffectLedgerContractTests {

	@Override
	PortsUnderTest open() {
		return PortsUnderTest.inMemory();
	}

}
