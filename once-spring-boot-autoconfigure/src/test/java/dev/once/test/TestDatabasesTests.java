package dev.once.test;

import java.nio.file.Path;
import java.util.TimeZone;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class TestDatabasesTests {

	@TempDir
	static Path directory;

	static Stream<TestDatabase> databases() {
		return Stream.of(TestDatabases.h2(), TestDatabases.h2File(directory), TestDatabases.postgresql(),
				TestDatabases.durablePostgresql());
	}

	@ParameterizedTest
	@MethodSource("databases")
	void aDatabaseIsEmptyAndItsSessionsLiveInAnotherTimeZone(TestDatabase database) {
		try (database) {
			database.withTables();
			assertThat(database.jdbc().sql("select count(*) from once_effect_ledger").query(Integer.class).single())
				.isZero();
			assertThat(database.jdbc().sql("select count(*) from once_job_lease").query(Integer.class).single())
				.isZero();
			assertThat(database.jdbc()
				.sql("select extract(timezone_minute from current_timestamp)")
				.query(Integer.class)
				.single()).isEqualTo(45);
			assertThat(TimeZone.getDefault().getID()).isNotEqualTo(TestDatabases.SESSION_TIME_ZONE);
		}
	}

	@Test
	void onlyTheDurableServerSyncsItsFiles() {
		try (TestDatabase fast = TestDatabases.postgresql(); TestDatabase durable = TestDatabases.durablePostgresql()) {
			assertThat(fast.jdbc().sql("show fsync").query(String.class).single()).isEqualTo("off");
			assertThat(durable.jdbc().sql("show fsync").query(String.class).single()).isEqualTo("on");
			assertThat(durable.jdbc().sql("show synchronous_commit").query(String.class).single()).isEqualTo("on");
		}
	}

}
