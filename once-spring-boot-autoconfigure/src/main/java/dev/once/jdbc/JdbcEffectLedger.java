package dev.once.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import org.jspecify.annotations.Nullable;

/**
 * The ledger in a database.
 */
final class JdbcEffectLedger implements EffectLedger {

	private final StoreCalls calls;

	private final RenewalGate gate;

	private final Map<Class<? extends Move>, Sql> moves = new HashMap<>();

	private final Map<Class<? extends Move>, Sql> manyMoves = new HashMap<>();

	private final Sql find;

	private final Sql probe;

	private final Sql readBack;

	private final Sql due;

	private final Sql twin;

	private final Sql standing;

	JdbcEffectLedger(StoreCalls calls, Statements statements, OnceTables tables, RenewalGate gate) {
		this.calls = calls;
		this.gate = gate;
		statements.moves().forEach((move, text) -> this.moves.put(move, Sql.of(tables, text)));
		statements.manyMoves().forEach((move, text) -> this.manyMoves.put(move, Sql.of(tables, text)));
		this.find = Sql.of(tables, statements.find());
		this.probe = Sql.of(tables, statements.probe());
		this.readBack = Sql.of(tables, statements.readBack());
		this.due = Sql.of(tables, statements.due());
		this.twin = Sql.of(tables, statements.twin());
		this.standing = Sql.of(tables, statements.standing());
	}

	@Override
	public List<Moved> apply(List<? extends Move> moves) {
		List<Moved> answers = new ArrayList<>(moves.size());
		for (List<Move> batch : MoveBatches.of(moves)) {
			answers.addAll(applyBatch(batch));
		}
		return answers;
	}

	private List<Moved> applyBatch(List<Move> batch) {
		Move first = batch.get(0);
		Sql sql = this.manyMoves.get(first.getClass());
		if (batch.size() == 1 || sql == null) {
			return batch.stream().map(this::apply).toList();
		}
		Parameters arrays = arrays(batch);
		List<Nth> moved = this.calls.single(name(batch), (connection) -> sql.query(connection, arrays,
				(first instanceof Move.Submit) ? Nth::verdict : Nth::applied));
		return inOrder(batch, moved);
	}

	private List<Moved> inOrder(List<? extends Move> batch, List<Nth> moved) {
		@Nullable Moved[] answers = new Moved[batch.size()];
		for (Nth one : moved) {
			answers[one.place() - 1] = one.moved();
		}
		List<Moved> all = new ArrayList<>(answers.length);
		for (int i = 0; i < answers.length; i++) {
			Moved answer = answers[i];
			all.add((answer != null) ? answer : unmoved(batch.get(i)));
		}
		return all;
	}

	/** A submit without an answer lost against a rival that the next one sees. */
	private Moved unmoved(Move move) {
		return (move instanceof Move.Submit submit) ? submit(submit, submit.fence()) : met(move);
	}

	private static Parameters arrays(List<? extends Move> moves) {
		return Parameters.arrays(moves.stream().map(MoveParameters::of).toList());
	}

	@Override
	public Moved apply(Move move) {
		if (move instanceof Move.Submit submit) {
			return submit(submit, submit.fence());
		}
		if (move instanceof Move.Resubmit resubmit) {
			return submit(resubmit, resubmit.fence());
		}
		Parameters parameters = MoveParameters.of(move);
		List<EffectRow> moved = this.calls.single(name(move),
				(connection) -> sql(move).query(connection, parameters, EffectRows::read));
		return moved.isEmpty() ? met(move) : new Moved.Applied(moved.get(0));
	}

	private Moved submit(Move move, @Nullable Fence fence) {
		Parameters parameters = MoveParameters.of(move);
		return this.gate.submit((fence != null) ? fence.job() : null,
				() -> this.calls
					.untilAnswered(name(move),
							(connection) -> sql(move).query(connection, parameters, (rows) -> verdict(rows, 1)))
					.get(0));
	}

	static Moved verdict(ResultSet rows, int first) throws SQLException {
		String verdict = rows.getString(first);
		return switch (verdict) {
			case "new" -> new Moved.Submitted(Moved.Fact.NEW);
			case "changed" -> new Moved.Submitted(Moved.Fact.CHANGED);
			case "moved" -> new Moved.Applied(EffectRows.readFrom(rows, first + 1));
			case "met" -> new Moved.Met(EffectRows.readFrom(rows, first + 1));
			case "absent" -> new Moved.Absent();
			case "fenced" -> new Moved.Fenced();
			case "blocked" -> new Moved.Blocked(EffectRows.readFrom(rows, first + 1));
			default -> throw new SQLException("No such verdict: " + verdict);
		};
	}

	private Moved met(Move move) {
		Optional<EffectRow> row = find(move.key(), move.revision());
		return row.isPresent() ? new Moved.Met(row.get()) : new Moved.Absent();
	}

	@Override
	public List<Moved> extend(List<Move.Extend> extensions) {
		Sql sql = this.manyMoves.get(Move.Extend.class);
		if (extensions.isEmpty() || sql == null) {
			return extensions.stream().map(this::extend).toList();
		}
		Parameters arrays = arrays(extensions);
		return inOrder(extensions,
				this.calls.renewal(name(extensions), (connection) -> sql.query(connection, arrays, Nth::applied)));
	}

	private Moved extend(Move.Extend move) {
		Parameters parameters = MoveParameters.of(move);
		List<EffectRow> moved = this.calls.renewal(name(move),
				(connection) -> sql(move).query(connection, parameters, EffectRows::read));
		return moved.isEmpty() ? met(move) : new Moved.Applied(moved.get(0));
	}

	@Override
	public Optional<EffectRow> readBack(String key, int revision) {
		Parameters parameters = MoveParameters.of(key, revision);
		return this.calls.fresh("the reading back of effect " + key, (connection) -> {
			StoreCalls.undone(connection, (same) -> this.probe.query(same, parameters, (rows) -> rows.getInt(1)));
			return this.readBack.query(connection, parameters, EffectRows::read);
		}).stream().findFirst();
	}

	@Override
	public Optional<EffectRow> find(String key, int revision) {
		return this.calls
			.single("the reading of effect " + key,
					(connection) -> this.find.query(connection, MoveParameters.of(key, revision), EffectRows::read))
			.stream()
			.findFirst();
	}

	@Override
	public List<EffectRow> due(int limit) {
		Parameters parameters = new Parameters().number("limit", limit);
		return this.calls.single("the reading of what is due",
				(connection) -> this.due.query(connection, parameters, EffectRows::read));
	}

	@Override
	public List<Twin> twins(EffectFacts facts) {
		Parameters parameters = new Parameters().text("target", facts.target())
			.text("inputDigest", facts.inputDigest())
			.text("action", facts.action());
		return this.calls.single("the look for another action's effect with the inputs of " + facts.label(),
				(connection) -> this.twin.query(connection, parameters,
						(rows) -> new Twin(rows.getString(1), rows.getString(2))));
	}

	@Override
	public Standing standing() {
		List<Count> counts = this.calls.single("the counting of the ledger",
				(connection) -> this.standing.query(connection, new Parameters(), Count::read));
		Map<EffectState, Long> open = new EnumMap<>(EffectState.class);
		Map<Attention, Long> attention = new EnumMap<>(Attention.class);
		Duration oldestUnknown = null;
		for (Count count : counts) {
			if (count.state() != EffectState.DONE) {
				open.merge(count.state(), count.rows(), Long::sum);
			}
			if (count.attention() != null) {
				attention.merge(count.attention(), count.rows(), Long::sum);
			}
			if (count.state() == EffectState.UNKNOWN
					&& (oldestUnknown == null || count.age().compareTo(oldestUnknown) > 0)) {
				oldestUnknown = count.age();
			}
		}
		return new Standing(open, attention, oldestUnknown);
	}

	private Sql sql(Move move) {
		Sql sql = this.moves.get(move.getClass());
		if (sql == null) {
			throw new IllegalStateException("No statement for " + move.getClass().getSimpleName());
		}
		return sql;
	}

	private static String name(Move move) {
		return "the " + move.getClass().getSimpleName() + " of effect " + move.key() + ", revision " + move.revision();
	}

	private static String name(List<? extends Move> moves) {
		return name(moves.get(0)) + ((moves.size() > 1) ? " and " + (moves.size() - 1) + " more" : "");
	}

	/**
	 * The answer to one of many moves.
	 *
	 * @param place its place in the call, from 1
	 * @param moved the answer
	 */
	private record Nth(int place, Moved moved) {

		static Nth verdict(ResultSet rows) throws SQLException {
			return new Nth(rows.getInt(1), JdbcEffectLedger.verdict(rows, 2));
		}

		static Nth applied(ResultSet rows) throws SQLException {
			return new Nth(rows.getInt(1), new Moved.Applied(EffectRows.readFrom(rows, 2)));
		}

	}

	/**
	 * Rows that are alike.
	 */
	private record Count(EffectState state, @Nullable Attention attention, long rows, Duration age) {

		static Count read(ResultSet rows) throws SQLException {
			EffectState state = EffectRows.fromColumn(EffectState.class, rows.getString(1));
			if (state == null) {
				throw new SQLException("A row of the ledger has no state");
			}
			return new Count(state, EffectRows.fromColumn(Attention.class, rows.getString(2)), rows.getLong(3),
					Duration.of(rows.getLong(4), ChronoUnit.MICROS));
		}

	}

}
