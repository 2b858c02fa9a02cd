package dev.once.jdbc;

import java.time.Instant;

import dev.once.approval.DecisionRow;
import dev.once.approval.DecisionStore;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds of decisions in a database besides.
 */
abstract class DatabaseDecisionsContractTests extends DecisionStoreContractTests {

	private DatabasePorts ports;

	private DecisionStore decisions;

	abstract TestDatabase newDatabase();

	@BeforeEach
	void open() {
		this.ports = new DatabasePorts(newDatabase().withTables());
		this.decisions = new JdbcPorts(this.ports.connections(), OnceTables.defaults()).decisions();
	}

	@AfterEach
	void close() {
		this.ports.close();
	}

	@Override
	DecisionStore decisions() {
		return this.decisions;
	}

	@Override
	Instant now() {
		return this.ports.now();
	}

	@Test
	void aKindOfANewerReleaseIsLeftOut() {
		this.decisions.append(runNow("d1", "nightly"));
		this.decisions.append(runNow("d2", "nightly"));
		this.ports.jdbc().sql("update once_decision set kind = 'of-tomorrow' where id = 'd2'").update();
		assertThat(this.decisions.latest("nightly", 10)).extracting((DecisionRow row) -> row.decision().id())
			.containsExactly("d1");
	}

	@Test
	void theKindStandsInTheRowAsPeopleWriteIt() {
		this.decisions.append(runNow("d1", "nightly"));
		assertThat(this.ports.jdbc().sql("select kind from once_decision").query(String.class).single())
			.isEqualTo("run-now");
	}

}
