package dev.once.jdbc;

import java.util.List;

import dev.once.test.TestDatabase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The plain SQL and the changelog make the same tables.
 */
abstract class PlainSqlContract {

	abstract TestDatabase newDatabase();

	/**
	 * Queries that together tell all of a table; names of schemas and databases left out.
	 */
	abstract List<String> descriptions();

	@Test
	void thePlainSqlMakesWhatTheChangelogMakes() {
		try (TestDatabase bySql = newDatabase(); TestDatabase byChangelog = newDatabase()) {
			bySql.withTables();
			try (LedgerConnections connections = LedgerConnections.of(byChangelog.dataSource(), 1)) {
				new SchemaInitializer(connections, OnceTables.defaults(), InitializeSchema.ALWAYS).initialize();
			}
			for (String description : descriptions()) {
				List<String> expected = describe(bySql, description);
				assertThat(expected).as(description).isNotEmpty();
				assertThat(describe(byChangelog, description)).as(description).isEqualTo(expected);
			}
		}
	}

	private static List<String> describe(TestDatabase database, String description) {
		return database.jdbc().sql(description).query().listOfRows().stream().map(Object::toString).sorted().toList();
	}

}
