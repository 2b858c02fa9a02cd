package dev.once.autoconfigure;

import dev.once.jdbc.InitializeSchema;
import dev.once.jdbc.OnceTables;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Settings of Once's tables and of its connections to them.
 */
@ConfigurationProperties("once.jdbc")
public class OnceJdbcProperties {

	/**
	 * What Once does about its tables as it starts.
	 */
	private InitializeSchema initializeSchema = InitializeSchema.ALWAYS;

	/**
	 * Start of the names of all tables, indexes and constraints.
	 */
	private String tablePrefix = OnceTables.DEFAULT_PREFIX;

	/**
	 * Schema of the tables, which must exist. A name with capitals is taken exactly; the
	 * data source's own schema where nothing is set.
	 */
	private @Nullable String schema;

	@NestedConfigurationProperty
	private final Pool pool = new Pool();

	public InitializeSchema getInitializeSchema() {
		return this.initializeSchema;
	}

	public void setInitializeSchema(InitializeSchema initializeSchema) {
		this.initializeSchema = initializeSchema;
	}

	public String getTablePrefix() {
		return this.tablePrefix;
	}

	public void setTablePrefix(String tablePrefix) {
		this.tablePrefix = tablePrefix;
	}

	public @Nullable String getSchema() {
		return this.schema;
	}

	public void setSchema(@Nullable String schema) {
		this.schema = schema;
	}

	public Pool getPool() {
		return this.pool;
	}

	/**
	 * The ledger's own connections.
	 */
	public static class Pool {

		/**
		 * Greatest number of connections of the ledger's own pool, beside the one that is
		 * reserved for renewing leases.
		 */
		private int size = 4;

		public int getSize() {
			return this.size;
		}

		public void setSize(int size) {
			this.size = size;
		}

	}

}
