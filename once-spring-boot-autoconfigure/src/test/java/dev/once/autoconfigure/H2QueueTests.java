package dev.once.autoconfigure;

import dev.once.test.H2Server;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;

class H2QueueTests extends QueueCases {

	private final H2Server server = new H2Server();

	@Override
	TestDatabase newDatabase() {
		return this.server.newDatabase();
	}

	@Override
	int size() {
		return 2;
	}

	@Override
	int depth() {
		return 10;
	}

	@AfterAll
	void stopServer() {
		this.server.close();
	}

}
