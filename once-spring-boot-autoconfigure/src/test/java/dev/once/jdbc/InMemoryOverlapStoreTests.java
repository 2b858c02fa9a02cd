package dev.once.jdbc;

class InMemoryOverlapStoreTests extends OverlapStoreContractTests {

	@Override
	PortsUnderTest open() {
		return PortsUnderTest.inMemory();
	}

}
