package dev.once.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;

class H2SchemaInitializerTests extends SchemaInitializerContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Override
	HikariDataSource unprivileged() {
		execute("create user limited password ''");
		HikariDataSource application = new HikariDataSource();
		application.setJdbcUrl(this.database.url().replaceFirst(";.*", ""));
		application.setUsername("limited");
		application.setPassword("");
		return application;
	}

}
