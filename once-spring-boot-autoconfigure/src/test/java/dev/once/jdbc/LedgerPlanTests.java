package dev.once.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

import dev.once.ledger.Move;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * No statement reads a ledger of many done rows from end to end.
 */
class LedgerPlanTests {

	/**
	 * Half of the done rows are of one target, as an effect of each occurrence makes
	 * them.
	 */
	private static final String MANY_DONE_AND_A_FEW_OPEN = """
			insert into once_effect_ledger (effect_key, revision, action, target, grain, input_digest, label,
				attempt, attempt_id, state, first_submitted_at, submitted_at, window_until, settle_after, created_at,
				updated_at)
			select cast(x as varchar), 1, case mod(x, 2) when 0 then 'report' else 'charge' end,
				case mod(x, 2) when 0 then 'figures' else cast(x as varchar) end,
				case mod(x, 2) when 0 then cast(x as varchar) end, cast(x as varchar), 'label', 1, 'attempt',
				case when x > 20 then 'done' when mod(x, 3) = 0 then 'unknown' else 'submitted' end,
				current_timestamp, current_timestamp, current_timestamp, 60000000, current_timestamp, current_timestamp
			from %s
			""";

	private static TestDatabase postgresql;

	@BeforeAll
	static void fillPostgresql() {
		postgresql = TestDatabases.postgresql().withTables();
		postgresql.jdbc().sql(MANY_DONE_AND_A_FEW_OPEN.formatted("generate_series(1, 20000) as series (x)")).update();
		postgresql.jdbc().sql(EFFECTS_HAVE_OCCURRENCES).update();
		postgresql.jdbc()
			.sql(MANY_FINISHED_AND_A_FEW_OPEN.formatted("generate_series(1, 20000) as series (x)"))
			.update();
		postgresql.jdbc().sql(MANY_LEASES.formatted("generate_series(0, 2000) as series (x)")).update();
		for (String table : List.of("once_effect_ledger", "once_occurrence", "once_job_lease")) {
			postgresql.jdbc().sql("vacuum analyze " + table).update();
		}
	}

	/** A few stand among the finished ones; each has an effect of its name. */
	private static final String MANY_FINISHED_AND_A_FEW_OPEN = """
			insert into once_occurrence (job_key, occurrence, due_at, state, attempt, run_id, owner, fencing_token,
				started_at, finished_at)
			select concat('job-', mod(x, 20)), cast(x as varchar), current_timestamp,
				case mod(x, 1000) when 0 then 'open' when 1 then 'abandoned' else 'finished' end, 1, 'run', 'owner', 1,
				current_timestamp, current_timestamp
			from %s
			""";

	private static final String EFFECTS_HAVE_OCCURRENCES = """
			update once_effect_ledger set job_key = concat('job-', mod(cast(effect_key as integer), 20)),
				occurrence = effect_key
			""";

	private static final String MANY_LEASES = """
			insert into once_job_lease (job_key, fencing_token, lease_seconds, lease_until)
			select concat('job-', x), x, 30, current_timestamp from %s
			""";

	@AfterAll
	static void closePostgresql() {
		postgresql.close();
	}

	@Test
	void onPostgresqlEveryStatementFindsItsRowsByAnIndex() throws SQLException {
		List<String> texts = texts(new PostgresqlStatements());
		assertThat(texts).hasSizeGreaterThan(20);
		for (String text : texts) {
			assertThat(genericPlan(text)).as(text).contains("Index").doesNotContain("Seq Scan on once_effect_ledger");
		}
	}

	@Test
	void onPostgresqlASubmitLooksForOtherFactsOfItsOwnGrainOnly() throws SQLException {
		assertThat(genericPlan(new PostgresqlStatements().moves().get(Move.Submit.class)))
			.containsPattern("Index Cond: .*action.*target.*grain.* = ")
			.containsPattern("Index Cond: .*action.*target.*grain IS NULL");
	}

	@Test
	void onPostgresqlEveryStatementOfOccurrencesFindsItsRowsByAnIndex() throws SQLException {
		List<Sql> statements = new PostgresqlOccurrences(OnceTables.defaults()).all();
		assertThat(statements).hasSize(12);
		for (Sql statement : statements) {
			assertThat(genericPlan(statement)).as(statement.toString())
				.contains("Index")
				.doesNotContain("Seq Scan on once_effect_ledger")
				.doesNotContain("Seq Scan on once_occurrence")
				.doesNotContain("Seq Scan on once_job_lease");
		}
	}

	@Test
	void onPostgresqlAPageOfOccurrencesIsReadByAnIndex() throws SQLException {
		for (Sql page : new PostgresqlOccurrences(OnceTables.defaults()).pages()) {
			assertThat(genericPlan(page)).as(page.toString())
				.containsPattern(page.toString().contains("<> 'finished'") ? "Scan on once_occurrence_unfinished_ix"
						: "Index Scan Backward using once_occurrence_due_ix")
				.doesNotContain("Seq Scan");
		}
	}

	@Test
	void onH2APageOfOccurrencesIsReadByAnIndex() throws SQLException {
		try (TestDatabase database = TestDatabases.h2().withTables()) {
			database.jdbc().sql(MANY_FINISHED_AND_A_FEW_OPEN.formatted("system_range(1, 20000)")).update();
			database.jdbc().sql("analyze").update();
			for (Sql page : new H2Occurrences(OnceTables.defaults()).pages()) {
				assertThat(plan(database, "", "explain " + page)).as(page.toString())
					.containsPattern("(?i)once_occurrence_(due|unfinished)_ix")
					.contains("index sorted");
			}
		}
	}

	@Test
	void theLatestDecisionsOfAJobAreFoundByAnIndex() throws SQLException {
		String manyDecisions = """
				insert into once_decision (id, decided_at, kind, job_key, who)
				select cast(x as varchar), current_timestamp, 'run-now', concat('job-', mod(x, 20)), 'amelia' from %s
				""";
		postgresql.jdbc().sql(manyDecisions.formatted("generate_series(1, 20000) as series (x)")).update();
		postgresql.jdbc().sql("vacuum analyze once_decision").update();
		assertThat(genericPlan(new PostgresqlStatements().latestDecisions()))
			.containsPattern("Index Scan Backward using once_decision_job_ix");
		try (TestDatabase database = TestDatabases.h2().withTables()) {
			database.jdbc().sql(manyDecisions.formatted("system_range(1, 20000)")).update();
			database.jdbc().sql("analyze").update();
			assertThat(plan(database, "",
					"explain " + Sql.of(OnceTables.defaults(), new H2Statements().latestDecisions())))
				.containsIgnoringCase("once_decision_job_ix")
				.contains("/* index sorted */");
		}
	}

	@Test
	void onH2WhatComesBackIsFoundByAnIndex() throws SQLException {
		try (TestDatabase database = TestDatabases.h2().withTables()) {
			database.jdbc().sql(MANY_DONE_AND_A_FEW_OPEN.formatted("system_range(1, 20000)")).update();
			database.jdbc().sql(EFFECTS_HAVE_OCCURRENCES).update();
			database.jdbc().sql(MANY_FINISHED_AND_A_FEW_OPEN.formatted("system_range(1, 20000)")).update();
			database.jdbc().sql("analyze").update();
			for (Sql statement : new H2Occurrences(OnceTables.defaults()).standingOnes()) {
				assertThat(plan(database, "", "explain " + statement)).as(statement.toString())
					.containsIgnoringCase("once_occurrence_unfinished_ix")
					.doesNotContain("tableScan");
			}
		}
	}

	@Test
	void onH2WhatIsDueAndWhatStandsAreFoundByAnIndex() throws SQLException {
		try (TestDatabase database = TestDatabases.h2().withTables()) {
			database.jdbc().sql(MANY_DONE_AND_A_FEW_OPEN.formatted("system_range(1, 20000)")).update();
			database.jdbc().sql("analyze").update();
			H2Statements statements = new H2Statements();
			for (String text : List.of(statements.due(), statements.standing())) {
				assertThat(plan(database, "", "explain " + Sql.of(OnceTables.defaults(), text))).as(text)
					.containsIgnoringCase("once_effect_ledger_open_ix")
					.doesNotContain("tableScan");
			}
		}
	}

	private static List<String> texts(Statements statements) {
		List<String> texts = new ArrayList<>(statements.moves().values());
		texts.addAll(statements.manyMoves().values());
		texts.addAll(List.of(statements.find(), statements.readBack(), statements.due(), statements.twin(),
				statements.standing()));
		return texts;
	}

	private static String genericPlan(String text) throws SQLException {
		return genericPlan(Sql.of(OnceTables.defaults(), text));
	}

	private static String genericPlan(Sql sql) throws SQLException {
		String statement = numbered(sql);
		return plan(postgresql, "?preferQueryMode=simple", "explain (generic_plan) " + statement);
	}

	private static String numbered(Sql sql) {
		StringBuilder numbered = new StringBuilder();
		String[] parts = sql.toString().split("\\?", -1);
		for (int i = 0; i < parts.length; i++) {
			numbered.append((i > 0) ? "$" + i : "").append(parts[i]);
		}
		return numbered.toString();
	}

	private static String plan(TestDatabase database, String urlParameters, String explain) throws SQLException {
		try (Connection connection = DriverManager.getConnection(database.url() + urlParameters, database.username(),
				database.password());
				Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery(explain.replace("LIMIT ?", "LIMIT 10"))) {
			StringJoiner plan = new StringJoiner(System.lineSeparator());
			while (rows.next()) {
				plan.add(rows.getString(1));
			}
			return plan.toString();
		}
	}

}
