package dev.once.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;

import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of the occurrence table by position.
 */
final class OccurrenceRows {

	/**
	 * What every statement lists, in the order in which it is read; the clock follows.
	 */
	static final String COLUMNS = "job_key, occurrence, due_at, zone, state, attempt, next_attempt_at, run_id, owner,"
			+ " fencing_token, arguments, started_at, finished_at, counts, detail";

	/** How many they are, with the clock. */
	static final int WIDTH = COLUMNS.split(",").length + 1;

	private OccurrenceRows() {
	}

	/** Reads a row whose first column is the first of the result. */
	static OccurrenceRow read(ResultSet rows) throws SQLException {
		return readFrom(rows, 1);
	}

	/**
	 * Reads a row that stands behind other columns.
	 * @param first position of its first column, from 1
	 */
	static OccurrenceRow readFrom(ResultSet rows, int first) throws SQLException {
		Columns columns = new Columns(rows, first);
		return new OccurrenceRow(columns.text(), columns.text(), columns.instant(), columns.zone(), columns.state(),
				columns.number(), columns.nullableInstant(), columns.nullableText(), columns.nullableText(),
				columns.token(), columns.nullableText(), columns.nullableInstant(), columns.nullableInstant(),
				columns.nullableText(), columns.nullableText(), columns.instant());
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

		String text() throws SQLException {
			return required(nullableText());
		}

		@Nullable String nullableText() throws SQLException {
			return this.rows.getString(this.next++);
		}

		int number() throws SQLException {
			return this.rows.getInt(this.next++);
		}

		long token() throws SQLException {
			return this.rows.getLong(this.next++);
		}

		Instant instant() throws SQLException {
			return required(nullableInstant());
		}

		@Nullable Instant nullableInstant() throws SQLException {
			OffsetDateTime time = this.rows.getObject(this.next++, OffsetDateTime.class);
			return (time != null) ? time.toInstant() : null;
		}

		OccurrenceState state() throws SQLException {
			return required(EffectRows.fromColumn(OccurrenceState.class, nullableText()));
		}

		@Nullable ZoneId zone() throws SQLException {
			String zone = nullableText();
			try {
				return (zone != null) ? ZoneId.of(zone) : null;
			}
			catch (DateTimeException ex) {
				// Without it grains would be other ones than before
				throw new UnknownZoneException(zone, ex);
			}
		}

		private <T> T required(@Nullable T value) throws SQLException {
			if (value == null) {
				throw new SQLException("An occurrence's row has no value in column "
						+ this.rows.getMetaData().getColumnLabel(this.next - 1) + ", which every claim sets");
			}
			return value;
		}

	}

	/**
	 * A row was claimed in a zone that another JVM knows.
	 */
	static final class UnknownZoneException extends SQLException {

		private static final long serialVersionUID = 1L;

		private UnknownZoneException(String zone, DateTimeException cause) {
			super("An occurrence's row has zone '" + zone + "', which this JVM does not know", cause);
		}

	}

}
