package dev.once.autoconfigure;

import dev.once.test.H2Server;
import dev.once.test.TroubledServer;

class H2OutageTests extends OutageCases {

	@Override
	TroubledServer server() {
		return new H2Server();
	}

}
