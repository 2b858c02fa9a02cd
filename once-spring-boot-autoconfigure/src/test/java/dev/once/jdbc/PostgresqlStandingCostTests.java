package dev.once.jdbc;

import java.util.regex.Pattern;

import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class PostgresqlStandingCostTests extends StandingCostContract {

	/** A scan with the rows that it gave and, on a line below, those it threw away. */
	private static final Pattern READ = Pattern
		.compile("(?:Scan [^\\n]*once_effect_ledger[^\\n]*rows=|Rows Removed by Filter: )(\\d+)");

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@Override
	Statements statements() {
		return new PostgresqlStatements();
	}

	@Override
	String numbers(int last) {
		return "generate_series(1, " + last + ") as numbers (n)";
	}

	@Override
	long rowsRead(String sql) {
		String plan = String.join("\n",
				this.database.jdbc()
					.sql("explain (analyze, costs off, timing off) " + Sql.of(OnceTables.defaults(), sql))
					.query(String.class)
					.list());
		return READ.matcher(plan).results().map((read) -> read.group(1)).mapToLong(Long::parseLong).sum();
	}

}
