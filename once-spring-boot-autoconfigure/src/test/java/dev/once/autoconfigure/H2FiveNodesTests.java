package dev.once.autoconfigure;

import dev.once.test.H2Server;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;

class H2FiveNodesTests extends FiveNodesCases {

	private final H2Server server = new H2Server();

	@Override
	TestDatabase newDatabase() {
		return this.server.newDatabase();
	}

	@AfterAll
	void stopServer() {
		this.server.close();
	}

}
