package dev.once.autoconfigure;

import java.util.List;

import dev.once.jdbc.InitializeSchema;
import dev.once.jdbc.LedgerConnections;
import dev.once.jdbc.OnceTables;
import dev.once.jdbc.SchemaInitializer;

import org.springframework.beans.factory.InitializingBean;

/**
 * Sees to Once's tables in the course of the application's own database initialization,
 * after the application's migrations and before all that uses a database.
 */
public class OnceSchemaInitializer implements InitializingBean {

	private final List<SchemaInitializer> initializers;

	public OnceSchemaInitializer(LedgerConnections connections, OnceTables tables, InitializeSchema mode) {
		this.initializers = connections.each()
			.stream()
			.map((each) -> new SchemaInitializer(each, tables, mode))
			.toList();
	}

	@Override
	public void afterPropertiesSet() {
		this.initializers.forEach(SchemaInitializer::initialize);
	}

}
