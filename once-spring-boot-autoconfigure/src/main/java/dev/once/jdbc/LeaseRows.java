package dev.once.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;

import dev.once.lease.LeaseRow;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of the lease table by position.
 */
final class LeaseRows {

	/**
	 * What every statement lists, in the order in which it is read; the clock follows.
	 */
	static final String COLUMNS = "job_key, owner, run_id, fencing_token, lease_until, acquired_at, renewed_at";

	private LeaseRows() {
	}

	/** Reads a row whose first column is the first of the result. */
	static LeaseRow read(ResultSet rows) throws SQLException {
		return readFrom(rows, 1);
	}

	/**
	 * Reads a row that stands behind other columns.
	 * @param first position of its first column, from 1
	 */
	static LeaseRow readFrom(ResultSet rows, int first) throws SQLException {
		Instant leaseUntil = rows.getObject(first + 4, OffsetDateTime.class).toInstant();
		Instant acquiredAt = nullableInstant(rows, first + 5);
		return new LeaseRow(rows.getString(first), rows.getString(first + 1), rows.getString(first + 2),
				rows.getLong(first + 3), leaseUntil, (acquiredAt != null) ? acquiredAt : leaseUntil,
				nullableInstant(rows, first + 6), rows.getObject(first + 7, OffsetDateTime.class).toInstant());
	}

	private static @Nullable Instant nullableInstant(ResultSet rows, int column) throws SQLException {
		OffsetDateTime time = rows.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
