package dev.once.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import dev.once.approval.Decision;
import dev.once.approval.DecisionKind;
import dev.once.approval.DecisionRow;
import dev.once.approval.DecisionStore;
import dev.once.lease.StoreException;

/**
 * The table of decisions in a database.
 */
final class JdbcDecisionStore implements DecisionStore {

	private static final int TRIES = 3;

	private final StoreCalls calls;

	private final Sql append;

	private final Sql latest;

	JdbcDecisionStore(StoreCalls calls, Statements statements, OnceTables tables) {
		this.calls = calls;
		this.append = Sql.of(tables, statements.appendDecision());
		this.latest = Sql.of(tables, statements.latestDecisions());
	}

	// E2: the id makes a repeated write the same row, so there is nothing to read back
	@Override
	public void append(Decision decision) {
		Parameters parameters = new Parameters().text("id", decision.id())
			.text("kind", word(decision.kind()))
			.text("job", decision.job())
			.text("occurrence", decision.occurrence())
			.text("effectKey", decision.effectKey())
			.number("revision", decision.revision())
			.text("who", decision.who())
			.text("why", decision.why())
			.text("detail", decision.detail());
		for (int left = TRIES - 1;; left--) {
			try {
				append(parameters, "the record of the decision " + decision.id() + " (" + word(decision.kind()) + ")");
				return;
			}
			catch (StoreException.Closed | StoreException.Unstorable ex) {
				throw ex;
			}
			catch (StoreException ex) {
				if (left == 0) {
					throw ex;
				}
			}
		}
	}

	// A duplicate key on H2 is another try of the same, still under way: it is asked
	// again
	private void append(Parameters parameters, String what) {
		this.calls.untilAnswered(what, (connection) -> {
			this.append.query(connection, parameters, (rows) -> rows.getString(1));
			return List.of(parameters);
		});
	}

	@Override
	public List<DecisionRow> latest(String job, int limit) {
		Parameters parameters = new Parameters().text("job", job).number("limit", limit);
		return this.calls
			.single("the reading of decisions about job '" + job + "'",
					(connection) -> this.latest.query(connection, parameters, JdbcDecisionStore::read))
			.stream()
			.flatMap(Optional::stream)
			.toList();
	}

	private static Optional<DecisionRow> read(ResultSet rows) throws SQLException {
		String word = rows.getString(3);
		Optional<DecisionKind> kind = Arrays.stream(DecisionKind.values())
			.filter((known) -> word(known).equals(word))
			.findFirst();
		if (kind.isEmpty()) {
			return Optional.empty();
		}
		Decision decision = new Decision(rows.getString(1), kind.get(), rows.getString(4), rows.getString(5),
				rows.getString(6), rows.getObject(7, Integer.class), rows.getString(8), rows.getString(9),
				rows.getString(10));
		return Optional.of(new DecisionRow(decision, rows.getObject(2, OffsetDateTime.class).toInstant()));
	}

	private static String word(DecisionKind kind) {
		return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
