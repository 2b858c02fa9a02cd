package dev.once.autoconfigure;

import javax.sql.DataSource;

import dev.once.jdbc.LedgerConnections;
import dev.once.jdbc.OnceTables;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;

/**
 * Auto-configuration of Once's tables and of the ledger's connections to them.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnSingleCandidate(DataSource.class)
@EnableConfigurationProperties(OnceJdbcProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(OnceSchemaRuntimeHints.class)
public final class OnceSchemaAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	OnceTables onceTables(OnceJdbcProperties properties) {
		return new OnceTables(properties.getSchema(), properties.getTablePrefix());
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerConnections onceLedgerConnections(DataSource dataSource, OnceJdbcProperties properties) {
		return LedgerConnections.of(dataSource, properties.getPool().getSize());
	}

	@Bean
	@ConditionalOnMissingBean
	OnceSchemaInitializer onceSchemaInitializer(LedgerConnections connections, OnceTables tables,
			OnceJdbcProperties properties) {
		return new OnceSchemaInitializer(connections, tables, properties.getInitializeSchema());
	}

}
