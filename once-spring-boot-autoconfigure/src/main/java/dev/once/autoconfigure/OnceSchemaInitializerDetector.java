package dev.once.autoconfigure;

import java.util.Set;

import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Puts {@link OnceSchemaInitializer} behind Liquibase, Flyway and SQL scripts: these may
 * make its schema, and find the database as they expect it.
 */
class OnceSchemaInitializerDetector extends AbstractBeansOfTypeDatabaseInitializerDetector {

	private static final int BEHIND_SQL_SCRIPTS = Ordered.LOWEST_PRECEDENCE - 50;

	@Override
	protected Set<Class<?>> getDatabaseInitializerBeanTypes() {
		return Set.of(OnceSchemaInitializer.class);
	}

	@Override
	public int getOrder() {
		return BEHIND_SQL_SCRIPTS;
	}

}
