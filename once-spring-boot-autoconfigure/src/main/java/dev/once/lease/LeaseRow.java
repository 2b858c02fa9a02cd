package dev.once.lease;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A row of the lease table, as read.
 *
 * @param job the job's name
 * @param owner the owner, {@code null} after a release
 * @param runId the run, {@code null} after a release
 * @param token the fencing token, which never falls
 * @param leaseUntil the lease's end on the database's clock
 * @param acquiredAt when the present or last run claimed it
 * @param renewedAt when it was last renewed, or {@code null}
 * @param readAt the database's clock when the row was read
 */
public record LeaseRow(String job, @Nullable String owner, @Nullable String runId, long token, Instant leaseUntil,
		Instant acquiredAt, @Nullable Instant renewedAt, Instant readAt) {

	/**
	 * Whether a run holds the lease.
	 */
	public boolean isHeld() {
		return this.owner != null && this.readAt.isBefore(this.leaseUntil);
	}

}
