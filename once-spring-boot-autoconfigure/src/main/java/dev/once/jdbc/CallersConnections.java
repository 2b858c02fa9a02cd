package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.ConnectionProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The connections on which the current thread is within a transaction of its own. A proxy
 * that cannot be looked through, or a data source with one connection for all, may hand
 * one of them out.
 */
final class CallersConnections {

	private CallersConnections() {
	}

	static boolean include(Connection connection) throws SQLException {
		if (!TransactionSynchronizationManager.isActualTransactionActive()) {
			return false;
		}
		Set<Connection> layers = layers(connection);
		for (Object resource : TransactionSynchronizationManager.getResourceMap().values()) {
			if (resource instanceof ConnectionHolder holder && holder.isSynchronizedWithTransaction()
					&& (layers.contains(holder.getConnection()) || layers.contains(physical(holder.getConnection())))) {
				return true;
			}
		}
		return false;
	}

	private static Set<Connection> layers(Connection connection) throws SQLException {
		Set<Connection> layers = Collections.newSetFromMap(new IdentityHashMap<>());
		Connection layer = connection;
		layers.add(layer);
		while (layer instanceof ConnectionProxy proxy) {
			layer = proxy.getTargetConnection();
			layers.add(layer);
		}
		layers.add(physical(layer));
		return layers;
	}

	/**
	 * A proxy unwraps to itself: the caller's may have no connection yet, nor need one.
	 */
	private static Connection physical(Connection connection) throws SQLException {
		return connection.isWrapperFor(Connection.class) ? connection.unwrap(Connection.class) : connection;
	}

}
