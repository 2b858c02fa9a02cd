package dev.once.jdbc;

import java.time.Duration;

import dev.once.lease.StoreException;
import dev.once.ledger.Answer;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectState;
import dev.once.ledger.Move;
import dev.once.test.TestDatabase;
import dev.once.test.TestDatabases;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * E11, case 18: a value that a database cannot keep is told from a lost connection, and
 * shown to nobody.
 */
class RefusedValueTests {

	private static final String CANARY = "s3cr3t-CANARY-42";

	@Test
	void anAnswerThatH2CannotKeepIsRefusedWithoutBeingShown() {
		anAnswerIsRefusedWithoutBeingShown(TestDatabases.h2().withTables(), CANARY.repeat(70_000));
	}

	@Test
	void anAnswerThatPostgresqlCannotKeepIsRefusedWithoutBeingShown() {
		anAnswerIsRefusedWithoutBeingShown(TestDatabases.postgresql().withTables(), CANARY + '\0');
	}

	private void anAnswerIsRefusedWithoutBeingShown(TestDatabase database, String answer) {
		try (PortsUnderTest ports = new DatabasePorts(database)) {
			EffectLedger ledger = ports.ledger();
			ledger.apply(new Move.Submit(new EffectFacts("k1", 1, "charge", "inv-1", null, "d", null, "charge/inv-1"),
					"a1", null, Duration.ofSeconds(30), Duration.ofMinutes(1), Move.Waiting.FOR_NOTHING));
			StoreException.Unstorable refusal = catchThrowableOfType(StoreException.Unstorable.class,
					() -> ledger.apply(new Move.Settle("k1", 1, "a1", new Answer(answer, "string"))));
			assertThat(refusal).hasMessageContaining("SQL state 22").hasMessageContaining("k1");
			for (Throwable link = refusal; link != null; link = link.getCause()) {
				assertThat(link.toString()).doesNotContain(CANARY);
			}
			assertThat(ledger.find("k1", 1)).get().extracting((row) -> row.state()).isEqualTo(EffectState.SUBMITTED);
			ledger.apply(new Move.Settle("k1", 1, "a1", Answer.notKept()));
			assertThat(ledger.find("k1", 1)).get().extracting((row) -> row.state()).isEqualTo(EffectState.DONE);
		}
	}

}
