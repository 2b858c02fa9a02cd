package dev.once.jdbc;

import java.nio.file.Path;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class H2LedgerHealthTests extends LedgerHealthContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.h2();
	}

	@Test
	void aDatabaseThatWasOpenedReadOnlyIsAnObstacle(@TempDir Path directory) {
		String url;
		try (TestDatabase written = TestDatabases.h2File(directory).withTables()) {
			url = written.url();
		}
		try (HikariDataSource readOnly = new HikariDataSource()) {
			readOnly.setJdbcUrl(url + ";ACCESS_MODE_DATA=r;WRITE_DELAY=0");
			readOnly.setUsername("sa");
			readOnly.setPassword("");
			try (LedgerConnections connections = LedgerConnections.of(readOnly, 2)) {
				assertThat(new JdbcLedgerHealth(connections, OnceTables.defaults()).obstacle())
					.contains("the database was opened read-only");
			}
		}
	}

}
