package dev.once.jdbc;

class InMemoryOccurrenceStoreTests extends OccurrenceStoreContractTests {

	@Override
	PortsUnderTest open() {
		return PortsUnderTest.inMemory();
	}

}
