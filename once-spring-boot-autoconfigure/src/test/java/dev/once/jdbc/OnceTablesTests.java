package dev.once.jdbc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OnceTablesTests {

	@Test
	void namesAreQualifiedAndQuotedAsSqlNeedsThem() {
		assertThat(OnceTables.defaults().jobLease()).isEqualTo("once_job_lease");
		assertThat(new OnceTables("ops", "x_").effectLedger()).isEqualTo("ops.x_effect_ledger");
		assertThat(new OnceTables("Ops", "x_").effectLedger()).isEqualTo("\"Ops\".x_effect_ledger");
		assertThat(
				new OnceTables("Ops", "x_").in("select 1 from {job_lease}, {effect_ledger}, {occurrence}, {decision}"))
			.isEqualTo("select 1 from \"Ops\".x_job_lease, \"Ops\".x_effect_ledger, \"Ops\".x_occurrence,"
					+ " \"Ops\".x_decision");
	}

	@ParameterizedTest
	@ValueSource(strings = { "x; drop table y--", "a-b", "", "1_", "_x", "Once_", "ü_", "a\n",
			"a234567890123456789012345678901", "a23456789012345678901234567890123456789012345678901234567890" })
	void aPrefixThatIsNoPlainIdentifierOrTooLongIsRefused(String prefix) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new OnceTables(null, prefix))
			.withMessage("once.jdbc.table-prefix is '" + prefix + "'; it takes 1 to 30 lower-case letters, digits and"
					+ " underscores, with a letter first ([a-z][a-z0-9_]{0,29})");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"Ops\"", "a.b", "a b", "x\"; drop table y--", "", "1a", "ops\n" })
	void aSchemaThatIsNoPlainIdentifierIsRefused(String schema) {
		assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new OnceTables(schema, "once_"))
			.withMessageStartingWith("once.jdbc.schema is '" + schema + "'; it takes 1 to 63 letters, digits and"
					+ " underscores, without quotes and with no digit first");
	}

	@Test
	void theLongestPrefixLeavesRoomForEachName() throws Exception {
		String prefix = "a".repeat(30);
		assertThat(new OnceTables(null, prefix).prefix()).isEqualTo(prefix);
		try (var script = getClass().getResourceAsStream("schema-postgresql.sql")) {
			assertThat(new String(script.readAllBytes()).replace("once_", prefix).split("\\W+"))
				.allMatch((word) -> word.length() <= 63);
		}
	}

}
