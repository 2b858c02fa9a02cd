package dev.once.autoconfigure;

import dev.once.test.H2Server;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;

class H2BacklogTests extends BacklogCases {

	private static final H2Server server = new H2Server();

	@Override
	TestDatabase newDatabase() {
		return server.newDatabase();
	}

	@AfterAll
	static void stopServer() {
		server.close();
	}

}
