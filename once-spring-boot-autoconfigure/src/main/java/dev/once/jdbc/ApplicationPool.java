package dev.once.jdbc;

import java.sql.SQLException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/**
 * Looks for the application's Hikari pool behind what wraps it. A data source that routes
 * has none: it would be the pool of whoever asks.
 */
final class ApplicationPool {

	private ApplicationPool() {
	}

	static @Nullable HikariDataSource find(DataSource dataSource) {
		DataSource layer = dataSource;
		while (layer != null && !routes(layer)) {
			if (layer instanceof HikariDataSource pool) {
				return routes(pool.getDataSource()) ? null : pool;
			}
			DataSource inner = inner(layer);
			if (inner == null) {
				return unwrapped(layer);
			}
			layer = inner;
		}
		return null;
	}

	static @Nullable DataSource inner(DataSource layer) {
		if (layer instanceof DelegatingDataSource delegating) {
			return delegating.getTargetDataSource();
		}
		return (AopProxyUtils.getSingletonTarget(layer) instanceof DataSource target) ? target : null;
	}

	private static boolean routes(@Nullable DataSource dataSource) {
		if (dataSource == null) {
			return false;
		}
		try {
			return dataSource instanceof AbstractRoutingDataSource
					|| dataSource.isWrapperFor(AbstractRoutingDataSource.class);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	private static @Nullable HikariDataSource unwrapped(DataSource layer) {
		try {
			if (!layer.isWrapperFor(HikariDataSource.class)) {
				return null;
			}
			HikariDataSource pool = layer.unwrap(HikariDataSource.class);
			return routes(pool.getDataSource()) ? null : pool;
		}
		catch (SQLException ex) {
			return null;
		}
	}

}
