package dev.once.jdbc;

import java.sql.SQLException;

import com.zaxxer.hikari.SQLExceptionOverride;
import org.jspecify.annotations.Nullable;

/**
 * Has a pool close the connections to a server that takes no writes: after a failover
 * they would lead to the standby until they are old, while a new one finds the primary.
 */
final class LeaveReadOnlyServers implements SQLExceptionOverride {

	private static final String READ_ONLY = "25006";

	private final @Nullable SQLExceptionOverride applications;

	/**
	 * Creates the override.
	 * @param applications the application's own, which judges everything else
	 */
	LeaveReadOnlyServers(@Nullable SQLExceptionOverride applications) {
		this.applications = applications;
	}

	@java.lang.Override
	public Override adjudicate(SQLException ex) {
		if (READ_ONLY.equals(ex.getSQLState())) {
			return Override.MUST_EVICT;
		}
		return (this.applications != null) ? this.applications.adjudicate(ex) : Override.CONTINUE_EVICT;
	}

}
