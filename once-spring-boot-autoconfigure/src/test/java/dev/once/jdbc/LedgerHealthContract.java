package dev.once.jdbc;

import dev.once.ledger.LedgerHealth;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What every database says about whether its ledger can be written.
 */
abstract class LedgerHealthContract {

	protected TestDatabase database;

	protected LedgerConnections connections;

	abstract TestDatabase newDatabase();

	@BeforeEach
	void connect() {
		this.database = newDatabase().withTables();
		this.connections = LedgerConnections.of(this.database.dataSource(), 2);
	}

	@AfterEach
	void close() {
		this.connections.close();
		this.database.close();
	}

	LedgerHealth health() {
		return new JdbcLedgerHealth(this.connections, OnceTables.defaults());
	}

	@Test
	void aLedgerThatCanBeWrittenHasNoObstacle() {
		assertThat(health().obstacle()).isEmpty();
		this.database.jdbc()
			.sql("insert into once_job_lease (job_key, fencing_token, lease_seconds, lease_until)"
					+ " values ('nightly-billing', 1, 30, current_timestamp)")
			.update();
		assertThat(health().obstacle()).isEmpty();
	}

	@Test
	void askingWritesNothing() {
		health().obstacle();
		assertThat(this.database.jdbc().sql("select count(*) from once_job_lease").query(Long.class).single()).isZero();
		assertThat(this.database.jdbc().sql("select count(*) from once_effect_ledger").query(Long.class).single())
			.isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "once_effect_ledger", "once_occurrence" })
	void aTableThatIsMissingIsAnObstacleThatNamesIt(String table) {
		this.database.jdbc().sql("drop table " + table).update();
		assertThat(health().obstacle())
			.hasValueSatisfying((obstacle) -> assertThat(obstacle).containsIgnoringCase(table).doesNotContain("\n"));
	}

	@Test
	void tablesUnderAnotherNameInASchemaWithCapitalsAreFound() {
		OnceTables tables = new OnceTables("Audit", "their_");
		this.database.jdbc().sql("create schema \"Audit\"").update();
		this.database.jdbc().sql("create table " + tables.jobLease() + " (job_key varchar(64))").update();
		this.database.jdbc().sql("create table " + tables.effectLedger() + " (effect_key varchar(32))").update();
		this.database.jdbc().sql("create table " + tables.occurrence() + " (job_key varchar(64))").update();
		assertThat(new JdbcLedgerHealth(this.connections, tables).obstacle()).isEmpty();
	}

	@Test
	void connectionsThatAreClosedAreAnObstacle() {
		this.connections.close();
		assertThat(health().obstacle()).isPresent();
	}

}
