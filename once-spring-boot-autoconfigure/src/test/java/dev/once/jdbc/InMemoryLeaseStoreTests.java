package dev.once.jdbc;

class InMemoryLeaseStoreTests extends LeaseStoreContractTests {

	@Override
	PortsUnderTest open() {
		return PortsUnderTest.inMemory();
	}

}
