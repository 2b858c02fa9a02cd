package dev.once.autoconfigure;

import java.time.Duration;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class PostgresqlQueueTests extends QueueCases {

	private static final int KILLS = 4;

	private static final Duration BETWEEN = Duration.ofSeconds(2);

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@Override
	int size() {
		return 3;
	}

	@Override
	int depth() {
		return 200;
	}

	/** Under fire: a node is killed every two seconds, and started again. */
	@Override
	void whileTheyAreRun() {
		for (int i = 0; i < KILLS; i++) {
			killAndStartAgain(i % size());
			assertThat(statesBeside("finished")).as("left when node " + i % size() + " was killed").isNotEmpty();
			await().pollDelay(BETWEEN).until(() -> true);
		}
	}

}
