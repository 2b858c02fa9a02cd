package dev.once.jdbc;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2OccurrenceRacesTests extends OccurrenceRacesContractTests {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Override
	String countOfWaiting() {
		// who waits for an uncommitted key tries again and again, and has no blocker
		return "select count(*) from information_schema.sessions where session_id <> session_id()"
				+ " and executing_statement is not null"
				+ " and executing_statement_start < dateadd(millisecond, -200, current_timestamp)";
	}

}
