package dev.once.jdbc;

import java.sql.SQLException;
import java.util.Set;

import com.zaxxer.hikari.SQLExceptionOverride;
import org.jspecify.annotations.Nullable;

/**
 * Has a pool close connections that it would keep until they are old: those to a server
 * that takes no writes, which after a failover is the standby, and those to an H2
 * database that was closed under them.
 */
final class LostServers implements SQLExceptionOverride {

	private static final String POSTGRESQL_READ_ONLY = "25006";

	private static final Set<String> H2_BROKEN_OR_CLOSED = Set.of("90067", "90098", "90121");

	private final @Nullable SQLExceptionOverride applications;

	/**
	 * Creates the override.
	 * @param applications the application's own, which judges everything else
	 */
	LostServers(@Nullable SQLExceptionOverride applications) {
		this.applications = applications;
	}

	@java.lang.Override
	public Override adjudicate(SQLException ex) {
		String state = ex.getSQLState();
		if (state != null && (POSTGRESQL_READ_ONLY.equals(state) || H2_BROKEN_OR_CLOSED.contains(state))) {
			return Override.MUST_EVICT;
		}
		return (this.applications != null) ? this.applications.adjudicate(ex) : Override.CONTINUE_EVICT;
	}

}
