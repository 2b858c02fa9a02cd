package dev.once.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresqlLedgerHealthTests extends LedgerHealthContract {

	@Override
	TestDatabase newDatabase() {
		return TestDatabases.postgresql();
	}

	@Test
	void aDatabaseThatTakesNoWritesIsAnObstacle() {
		String name = this.database.url().replaceFirst(".*/", "");
		this.database.jdbc().sql("alter database " + name + " set default_transaction_read_only = on").update();
		try (HikariDataSource later = this.database.newDataSource(2);
				LedgerConnections connections = LedgerConnections.of(later, 2)) {
			assertThat(new JdbcLedgerHealth(connections, OnceTables.defaults()).obstacle())
				.hasValueSatisfying((obstacle) -> assertThat(obstacle).contains("default_transaction_read_only"));
		}
	}

	@Test
	void aPrivilegeThatIsMissingIsNamed() {
		String user = this.database.url().replaceFirst(".*/", "") + "_reader";
		this.database.jdbc().sql("create role " + user + " login password 'reader'").update();
		this.database.jdbc().sql("grant select, insert, update on once_job_lease, once_occurrence to " + user).update();
		this.database.jdbc().sql("grant select, insert on once_effect_ledger to " + user).update();
		try (HikariDataSource reader = new HikariDataSource()) {
			reader.setJdbcUrl(this.database.url());
			reader.setUsername(user);
			reader.setPassword("reader");
			try (LedgerConnections connections = LedgerConnections.of(reader, 2)) {
				assertThat(new JdbcLedgerHealth(connections, OnceTables.defaults()).obstacle())
					.contains("the user " + user + " lacks the privilege to update once_effect_ledger");
			}
		}
		finally {
			this.database.jdbc().sql("drop owned by " + user).update();
			this.database.jdbc().sql("drop role " + user).update();
		}
	}

}
