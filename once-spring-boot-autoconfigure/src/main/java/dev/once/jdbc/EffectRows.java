package dev.once.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import dev.once.ledger.Answer;
import dev.once.ledger.AttemptFacts;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectOutcome;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of the ledger by position.
 */
final class EffectRows {

	/**
	 * What every statement lists, in the order in which it is read; the clock follows.
	 */
	static final String COLUMNS = "effect_key, revision, action, target, grain, input_digest, inputs, label,"
			+ " attempt, attempt_id, job_key, occurrence, run_id, fencing_token, submitted_at, window_until, settle_after,"
			+ " state, outcome, attention, refusals, first_submitted_at, next_attempt_at, resolve_tries,"
			+ " next_resolve_at, response, response_type, detail";

	private EffectRows() {
	}

	/** Reads a row whose first column is the first of the result. */
	static EffectRow read(ResultSet rows) throws SQLException {
		return new Columns(rows, 1).effectRow();
	}

	/**
	 * Reads a row that stands behind other columns.
	 * @param first position of its first column, from 1
	 */
	static EffectRow readFrom(ResultSet rows, int first) throws SQLException {
		return new Columns(rows, first).effectRow();
	}

	static @Nullable String toColumn(@Nullable Enum<?> value) {
		return (value != null) ? value.name().toLowerCase(Locale.ROOT) : null;
	}

	static <E extends Enum<E>> @Nullable E fromColumn(Class<E> type, @Nullable String value) {
		return (value != null) ? Enum.valueOf(type, value.toUpperCase(Locale.ROOT)) : null;
	}

	/**
	 * Takes one column after the other.
	 */
	private static final class Columns {

		private final ResultSet rows;

		private int next;

		Columns(ResultSet rows, int first) {
			this.rows = rows;
			this.next = first;
		}

		EffectRow effectRow() throws SQLException {
			EffectFacts facts = new EffectFacts(text(), number(), text(), text(), nullableText(), text(),
					nullableText(), text());
			AttemptFacts attempt = new AttemptFacts(number(), text(), fence(), instant(), instant(), duration());
			return new EffectRow(facts, attempt, required(named(EffectState.class)), named(EffectOutcome.class),
					named(Attention.class), number(), instant(), nullableInstant(), number(), nullableInstant(),
					answer(), nullableText(), instant());
		}

		private @Nullable Fence fence() throws SQLException {
			String job = nullableText();
			String occurrence = nullableText();
			String runId = nullableText();
			long token = this.rows.getLong(this.next++);
			return (job != null) ? new Fence(job, occurrence, required(runId), token) : null;
		}

		private @Nullable Answer answer() throws SQLException {
			String value = nullableText();
			String type = nullableText();
			return (type != null) ? new Answer(value, type) : null;
		}

		private <E extends Enum<E>> @Nullable E named(Class<E> type) throws SQLException {
			return fromColumn(type, nullableText());
		}

		private String text() throws SQLException {
			return required(nullableText());
		}

		private @Nullable String nullableText() throws SQLException {
			return this.rows.getString(this.next++);
		}

		private int number() throws SQLException {
			return this.rows.getInt(this.next++);
		}

		private Duration duration() throws SQLException {
			return Duration.of(this.rows.getLong(this.next++), ChronoUnit.MICROS);
		}

		private Instant instant() throws SQLException {
			return required(nullableInstant());
		}

		/** The same instant whatever the zones of session and JVM (L5). */
		private @Nullable Instant nullableInstant() throws SQLException {
			OffsetDateTime time = this.rows.getObject(this.next++, OffsetDateTime.class);
			return (time != null) ? time.toInstant() : null;
		}

		private <T> T required(@Nullable T value) throws SQLException {
			if (value == null) {
				throw new SQLException("The ledger's row has no value in column "
						+ this.rows.getMetaData().getColumnLabel(this.next - 1) + ", which every attempt sets");
			}
			return value;
		}

	}

}
