package dev.once.autoconfigure;

import dev.once.test.H2Server;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;

class H2CallerTests extends CallerCases {

	private final H2Server server = new H2Server();

	@Override
	TestDatabase newDatabase() {
		return this.server.newDatabase();
	}

	@AfterEach
	void stopServer() {
		this.server.close();
	}

}
