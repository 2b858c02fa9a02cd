package dev.once.jdbc;

import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What endpoint and gauges read of a ledger that is nearly all {@code done}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StandingCostContract {

	private static final int DONE = 20_000;

	private static final int OPEN = 7;

	protected TestDatabase database;

	abstract TestDatabase newDatabase();

	abstract Statements statements();

	/** {@code n} from 1 to a number, as a table. */
	abstract String numbers(int last);

	/** How many rows of the ledger a statement reads. */
	abstract long rowsRead(String sql);

	@BeforeAll
	void fill() {
		this.database = newDatabase().withTables();
		insert(0, DONE, "'done'", "null");
		insert(1, OPEN, "'unknown'", "'undetermined'");
		insert(2, 1, "'done'", "'contradiction'");
		this.database.jdbc().sql("analyze").update();
	}

	@AfterAll
	void close() {
		this.database.close();
	}

	private void insert(int batch, int rows, String state, String attention) {
		this.database.jdbc()
			.sql("insert into once_effect_ledger (effect_key, revision, action, target, input_digest, label, attempt,"
					+ " state, attention, submitted_at, window_until, created_at, updated_at) select '" + batch
					+ "-' || n, 1, 'charge', 'inv-' || n, 'digest', 'charge/inv-' || n, 1, " + state + ", " + attention
					+ ", current_timestamp, current_timestamp, current_timestamp, current_timestamp from "
					+ numbers(rows))
			.update();
	}

	@Test
	void whatTheLedgerHoldsIsReadWithoutItsDoneRows() {
		assertThat(rowsRead(statements().standing())).isBetween(OPEN + 1L, OPEN + 10L);
	}

	@Test
	void whatIsDueIsReadWithoutDoneRows() {
		assertThat(rowsRead(statements().due().replace(":limit", "10"))).isLessThanOrEqualTo(OPEN + 10L);
	}

}
