package dev.once.test;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * One database of {@link TestDatabases} and the pools opened on it, which close with it.
 */
public final class TestDatabase implements AutoCloseable {

	private final String url;

	private final String username;

	private final String password;

	private final String script;

	private final List<HikariDataSource> pools = new ArrayList<>();

	TestDatabase(String url, String username, String password, String script) {
		this.url = url;
		this.username = username;
		this.password = password;
		this.script = script;
	}

	/**
	 * Creates Once's tables from the plain SQL in the jar.
	 * @return this
	 */
	public TestDatabase withTables() {
		new ResourceDatabasePopulator(new ClassPathResource("dev/once/jdbc/" + this.script)).execute(dataSource());
		return this;
	}

	/**
	 * The application's pool.
	 * @return the same pool at each call
	 */
	public synchronized HikariDataSource dataSource() {
		return this.pools.isEmpty() ? newDataSource((config) -> {
		}) : this.pools.get(0);
	}

	/**
	 * A further pool on this database, as another node would have.
	 * @param size its greatest number of connections
	 * @return a new pool
	 */
	public HikariDataSource newDataSource(int size) {
		return newDataSource((config) -> config.setMaximumPoolSize(size));
	}

	/**
	 * A further pool on this database, set up as a test wants it.
	 * @param settings what differs from {@link #dataSource()}
	 * @return a new pool
	 */
	public synchronized HikariDataSource newDataSource(Consumer<HikariConfig> settings) {
		HikariConfig config = new HikariConfig();
		config.setJdbcUrl(this.url);
		config.setUsername(this.username);
		config.setPassword(this.password);
		config.setMaximumPoolSize(16);
		config.setMinimumIdle(0);
		config.setPoolName("application");
		if (isPostgresql()) {
			// the driver asks for the JVM's time zone as it connects
			config.setConnectionInitSql("set time zone '" + TestDatabases.SESSION_TIME_ZONE + "'");
		}
		settings.accept(config);
		HikariDataSource pool = new HikariDataSource(config);
		this.pools.add(pool);
		return pool;
	}

	/**
	 * A further pool that goes through a proxy.
	 * @param proxy a proxy to this database's server
	 * @return a new pool
	 */
	public HikariDataSource newDataSource(SwallowingProxy proxy) {
		String url = this.url.replaceFirst("localhost:\\d+", "localhost:" + proxy.port());
		return newDataSource((config) -> config.setJdbcUrl(url));
	}

	/**
	 * A client to look at rows with, on the application's pool.
	 * @return a new client
	 */
	public JdbcClient jdbc() {
		return JdbcClient.create((DataSource) dataSource());
	}

	/**
	 * A proxy in front of this database's server.
	 * @return a new proxy, which the caller closes
	 */
	public SwallowingProxy proxy() {
		String port = this.url.replaceFirst(".*localhost:(\\d+)/.*", "$1");
		return new SwallowingProxy(Integer.parseInt(port));
	}

	public boolean isPostgresql() {
		return this.url.startsWith("jdbc:postgresql:");
	}

	public String url() {
		return this.url;
	}

	public String username() {
		return this.username;
	}

	public String password() {
		return this.password;
	}

	@Override
	public synchronized void close() {
		this.pools.forEach(HikariDataSource::close);
		this.pools.clear();
	}

	@Override
	public String toString() {
		return this.url;
	}

}
