package dev.once.autoconfigure;

import dev.once.jdbc.LedgerConnections;
import dev.once.jdbc.OnceTables;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of Once's tables and of the ledger's connections to them.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@Conditional(OnDataSource.class)
@EnableConfigurationProperties(OnceJdbcProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
@ImportRuntimeHints(OnceSchemaRuntimeHints.class)
public final class OnceSchemaAutoConfiguration {

	private static final Log logger = LogFactory.getLog(OnceSchemaAutoConfiguration.class);

	@Bean
	@ConditionalOnMissingBean
	OnceTables onceTables(OnceJdbcProperties properties) {
		return new OnceTables(properties.getSchema(), properties.getTablePrefix());
	}

	// Lazy: an application that brings the connections need not choose
	@Bean
	@Lazy
	LedgerDataSource onceLedgerDataSource(ConfigurableListableBeanFactory beans) {
		return LedgerDataSource.of(beans);
	}

	@Bean
	@ConditionalOnMissingBean
	LedgerConnections onceLedgerConnections(LedgerDataSource chosen, OnceJdbcProperties properties,
			ConfigurableListableBeanFactory beans) {
		LedgerConnections connections = LedgerConnections.of(chosen.dataSource(), properties.getPool().getSize());
		// the data source is not injected, and must be closed later all the same
		beans.registerDependentBean(chosen.name(), "onceLedgerConnections");
		logger.info("Once keeps its ledger in " + connections.description() + ", " + chosen.description()
				+ ", and needs " + connections.demand());
		connections.warnings().forEach(logger::warn);
		return connections;
	}

	@Bean
	@ConditionalOnMissingBean
	OnceSchemaInitializer onceSchemaInitializer(LedgerConnections connections, OnceTables tables,
			OnceJdbcProperties properties) {
		return new OnceSchemaInitializer(connections, tables, properties.getInitializeSchema());
	}

}
