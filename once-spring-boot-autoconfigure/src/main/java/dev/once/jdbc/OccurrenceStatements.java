package dev.once.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;

import dev.once.lease.LeaseRow;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import org.jspecify.annotations.Nullable;

/**
 * The moves of occurrences in one database. They name their parameters alike, and answer
 * with the same columns.
 */
interface OccurrenceStatements {

	/** O2: claims one occurrence; the one verdict. */
	List<Verdict> claim(StoreCalls calls, String what, Parameters parameters);

	/** O2: ends one run; whether it was the job's. */
	boolean end(StoreCalls calls, String what, Parameters parameters);

	/** O6: gives one occurrence up; whether it was as it had been read. */
	boolean abandon(StoreCalls calls, String what, Parameters parameters);

	/** The row, and the clock. */
	List<OccurrenceRow> find(Connection connection, Parameters parameters) throws SQLException;

	/** O5: the statements for what cannot run now and for due times that passed. */
	DueTimes dueTimes();

	/** The rows, each with the clock. */
	<T> List<T> comingBack(Connection connection, Parameters parameters, Sql.RowReader<T> reader) throws SQLException;

	/** Job, state and number of rows. */
	<T> List<T> standing(Connection connection, Sql.RowReader<T> reader) throws SQLException;

	/** The rows, each with the clock. */
	<T> List<T> list(Connection connection, Parameters parameters, @Nullable OccurrenceState state,
			Sql.RowReader<T> reader) throws SQLException;

	/**
	 * O5: for what cannot run now and for due times that passed, within a transaction.
	 *
	 * @param putOff notes one that cannot run now, unless it is known; the job's name
	 * @param lock locks a job's row: its mark, the clock, when its lease was claimed and
	 * ends
	 * @param knownNames which of the names have rows
	 * @param live when runs began and ended that ended since the mark
	 * @param waiting how many occurrences wait
	 * @param moveMark moves a job's mark; the job's name
	 */
	record DueTimes(Sql putOff, Sql lock, Sql knownNames, Sql live, Sql waiting, Sql moveMark) {

	}

	/**
	 * What a claim met.
	 *
	 * @param word {@code granted}, {@code known}, {@code spent}, {@code held},
	 * {@code after}, {@code behind}, {@code early} or {@code purged}; {@code free} before
	 * anything was done
	 * @param readAt the database's clock
	 * @param purgedUntil the purge's high-water mark
	 * @param row the occurrence, where there is one
	 * @param lease the lease, where it is held
	 */
	record Verdict(String word, Instant readAt, @Nullable Instant purgedUntil, @Nullable OccurrenceRow row,
			@Nullable LeaseRow lease) {

		private static final int ROW = 4;

		private static final int LEASE = ROW + OccurrenceRows.WIDTH;

		static Verdict read(ResultSet rows) throws SQLException {
			OffsetDateTime purgedUntil = rows.getObject(3, OffsetDateTime.class);
			String word = rows.getString(1);
			return new Verdict(word, rows.getObject(2, OffsetDateTime.class).toInstant(),
					(purgedUntil != null) ? purgedUntil.toInstant() : null,
					(rows.getString(ROW) != null) ? OccurrenceRows.readFrom(rows, ROW) : null,
					word.equals("held") ? LeaseRows.readFrom(rows, LEASE) : null);
		}

	}

}
