package dev.once.jdbc;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlOccurrenceRacesTests extends OccurrenceRacesContractTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@Override
	String countOfWaiting() {
		return "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
	}

}
