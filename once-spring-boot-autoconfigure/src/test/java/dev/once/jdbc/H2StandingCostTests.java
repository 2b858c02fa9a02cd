package dev.once.jdbc;

import java.util.regex.Pattern;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2StandingCostTests extends StandingCostContract {

	private static final Pattern READ = Pattern.compile("scanCount: (\\d+)");

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Override
	Statements statements() {
		return new H2Statements();
	}

	@Override
	String numbers(int last) {
		return "system_range(1, " + last + ") as numbers (n)";
	}

	@Override
	long rowsRead(String sql) {
		String plan = this.database.jdbc()
			.sql("explain analyze " + Sql.of(OnceTables.defaults(), sql))
			.query(String.class)
			.single();
		return READ.matcher(plan).results().map((read) -> read.group(1)).mapToLong(Long::parseLong).sum();
	}

}
