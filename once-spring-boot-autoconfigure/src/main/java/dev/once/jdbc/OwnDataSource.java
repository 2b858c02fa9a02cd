package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Pattern;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

import com.zaxxer.hikari.HikariCredentialsProvider;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import com.zaxxer.hikari.util.DriverDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.util.ClassUtils;

/**
 * Opens connections as the application's pool would, with that pool's credentials of the
 * moment, and sets them up for the ledger.
 */
final class OwnDataSource extends AbstractDataSource {

	private static final Pattern UNNAMED_MEMORY = Pattern.compile("jdbc:h2:mem:(;.*)?");

	private final HikariDataSource application;

	private final DataSource origin;

	private final SessionSettings settings;

	private int loginTimeout;

	OwnDataSource(HikariDataSource application, SessionSettings settings) throws SQLException {
		this(application, origin(application, settings), settings);
		H2Durability.checkUrl(application.getJdbcUrl());
	}

	private OwnDataSource(HikariDataSource application, DataSource origin, SessionSettings settings) {
		this.application = application;
		this.origin = origin;
		this.settings = settings;
	}

	OwnDataSource with(SessionSettings settings) {
		return new OwnDataSource(this.application, this.origin, settings);
	}

	private static DataSource origin(HikariDataSource application, SessionSettings settings) throws SQLException {
		DataSource given = application.getDataSource();
		if (given != null) {
			return given;
		}
		Properties properties = new Properties();
		properties.putAll(application.getDataSourceProperties());
		String className = application.getDataSourceClassName();
		if (className != null) {
			return ofClass(className, properties);
		}
		String jndiName = application.getDataSourceJNDI();
		if (jndiName != null) {
			return ofJndi(jndiName);
		}
		if (application.getJdbcUrl().startsWith("jdbc:postgresql:")) {
			// guards the handshake too; the URL's own value goes before this one
			properties.putIfAbsent("socketTimeout", Long.toString(settings.networkTimeout().toSeconds()));
		}
		return new DriverDataSource(application.getJdbcUrl(), application.getDriverClassName(), properties, null, null);
	}

	private static DataSource ofClass(String className, Properties properties) {
		Class<?> type = ClassUtils.resolveClassName(className, Thread.currentThread().getContextClassLoader());
		DataSource dataSource = (DataSource) BeanUtils.instantiateClass(type);
		PropertyAccessorFactory.forBeanPropertyAccess(dataSource).setPropertyValues(properties);
		return dataSource;
	}

	private static DataSource ofJndi(String name) throws SQLException {
		try {
			return (DataSource) new InitialContext().lookup(name);
		}
		catch (NamingException ex) {
			throw new SQLException("The application's data source names " + name + " in JNDI, where it is not", ex);
		}
	}

	SessionSettings settings() {
		return this.settings;
	}

	/** A memory database without a name belongs to one connection alone. */
	boolean isPrivateToEachConnection() throws SQLException {
		String url = this.application.getJdbcUrl();
		if (url != null) {
			return UNNAMED_MEMORY.matcher(url).matches();
		}
		try (Connection connection = connect()) {
			return UNNAMED_MEMORY.matcher(connection.getMetaData().getURL()).matches();
		}
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = connect();
		try {
			this.settings.applyToSession(connection);
			return connection;
		}
		catch (SQLException | RuntimeException ex) {
			Transactions.close(connection);
			throw ex;
		}
	}

	@Override
	public Connection getConnection(String username, String password) throws SQLException {
		return getConnection();
	}

	/** A connection as the application has it, without the ledger's settings. */
	Connection connect() throws SQLException {
		Credentials credentials = credentials();
		Connection connection = (credentials.getUsername() != null)
				? this.origin.getConnection(credentials.getUsername(), credentials.getPassword())
				: this.origin.getConnection();
		try {
			setUpAsApplication(connection);
			return connection;
		}
		catch (SQLException ex) {
			Transactions.close(connection);
			throw ex;
		}
	}

	// read each time: they may rotate
	private Credentials credentials() {
		HikariCredentialsProvider provider = this.application.getCredentialsProvider();
		return (provider != null) ? provider.getCredentials() : this.application.getCredentials();
	}

	private void setUpAsApplication(Connection connection) throws SQLException {
		if (this.application.getCatalog() != null) {
			connection.setCatalog(this.application.getCatalog());
		}
		if (this.application.getSchema() != null) {
			connection.setSchema(this.application.getSchema());
		}
		if (this.application.getConnectionInitSql() != null) {
			try (Statement statement = connection.createStatement()) {
				statement.execute(this.application.getConnectionInitSql());
			}
		}
	}

	@Override
	public int getLoginTimeout() {
		return this.loginTimeout;
	}

	@Override
	public void setLoginTimeout(int seconds) {
		this.loginTimeout = seconds;
	}

}
