package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import dev.once.ledger.EffectRow;
import dev.once.ledger.Fence;
import dev.once.ledger.LocalLedger;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.jdbc.support.SQLExceptionTranslator;

/**
 * The ledger on the connection of the transaction that Spring has bound to the current
 * thread. Its statements end with the transaction's own time-out.
 */
final class JdbcLocalLedger implements LocalLedger {

	/**
	 * More rivals than these that come and go within one call are out of the ordinary.
	 */
	private static final int ROUNDS = 5;

	private static final String DUPLICATE_KEY = "23505";

	private final DataSource dataSource;

	private final SQLExceptionTranslator translator = new SQLExceptionSubclassTranslator();

	private final Sql place;

	private final Sql placeAgain;

	private final Sql settle;

	private final Sql find;

	private final Sql fence;

	JdbcLocalLedger(DataSource dataSource, Statements statements, OnceTables tables) {
		this.dataSource = dataSource;
		this.place = Sql.of(tables, statements.place());
		this.placeAgain = Sql.of(tables, statements.placeAgain());
		this.settle = Sql.of(tables, Objects.requireNonNull(statements.moves().get(Move.Settle.class)));
		this.find = Sql.of(tables, statements.find());
		this.fence = Sql.of(tables, statements.fence());
	}

	@Override
	public Moved apply(Move move) {
		Parameters parameters = MoveParameters.of(move);
		if (move instanceof Move.Submit) {
			return place(move, parameters);
		}
		Sql sql = (move instanceof Move.Resubmit) ? this.placeAgain : this.settle;
		List<EffectRow> moved = query(move, sql, parameters, EffectRows::read);
		if (!moved.isEmpty()) {
			return new Moved.Applied(moved.get(0));
		}
		List<EffectRow> met = query(move, this.find, MoveParameters.of(move.key(), move.revision()), EffectRows::read);
		return met.isEmpty() ? new Moved.Absent() : new Moved.Met(met.get(0));
	}

	/**
	 * Asks again while the answer has no row: a rival, which the statement could not see
	 * when it began, was committed meanwhile and is seen by the next one.
	 */
	private Moved place(Move move, Parameters parameters) {
		for (int round = 0; round < ROUNDS; round++) {
			List<Moved> placed = query(move, this.place, parameters, (rows) -> JdbcEffectLedger.verdict(rows, 1));
			if (!placed.isEmpty()) {
				return placed.get(0);
			}
		}
		throw new ConcurrencyFailureException(
				"Effect " + move.key() + " lost against " + ROUNDS + " rivals in a row, and nothing was done");
	}

	@Override
	public Fencing fencing(Fence fence) {
		Parameters parameters = new Parameters().text("job", fence.job()).number("token", fence.token());
		boolean present = !execute("the fence of job " + fence.job(), this.fence, parameters, (rows) -> rows.getInt(1))
			.isEmpty();
		return present ? Fencing.PRESENT : Fencing.FENCED;
	}

	private <T> List<T> query(Move move, Sql sql, Parameters parameters, Sql.RowReader<T> reader) {
		return execute("the " + move.getClass().getSimpleName() + " of effect " + move.key(), sql, parameters, reader);
	}

	private <T> List<T> execute(String what, Sql sql, Parameters parameters, Sql.RowReader<T> reader) {
		Connection connection = DataSourceUtils.getConnection(this.dataSource);
		try {
			return sql.query(connection, parameters, reader,
					(statement) -> DataSourceUtils.applyTransactionTimeout(statement, this.dataSource));
		}
		catch (SQLException ex) {
			if (DUPLICATE_KEY.equals(ex.getSQLState())) {
				// H2 undoes the statement, and the transaction stays usable
				return List.of();
			}
			throw translated(what, ex);
		}
		finally {
			DataSourceUtils.releaseConnection(connection, this.dataSource);
		}
	}

	private DataAccessException translated(String what, SQLException ex) {
		DataAccessException translated = this.translator.translate("Once: " + what, null, ex);
		return (translated != null) ? translated : new UncategorizedSQLException("Once: " + what, null, ex);
	}

}
