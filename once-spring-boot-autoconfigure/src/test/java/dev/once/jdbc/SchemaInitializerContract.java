package dev.once.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.CountingDataSource;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * How the tables come to be, on every database.
 */
@ExtendWith(OutputCaptureExtension.class)
abstract class SchemaInitializerContract {

	static final OnceTables DEFAULTS = OnceTables.defaults();

	/** How many one database runs. */
	static final int CHANGESETS = 16;

	TestDatabase database;

	LedgerConnections connections;

	abstract TestDatabase newDatabase();

	/** Lets a user in who may not create anything. */
	abstract HikariDataSource unprivileged();

	@BeforeEach
	void createDatabase() {
		this.database = newDatabase();
		this.connections = LedgerConnections.of(this.database.dataSource(), 4);
	}

	@AfterEach
	void close() {
		this.connections.close();
		this.database.close();
	}

	@Test
	void createsWhatIsMissingWithOneLineInTheLog(CapturedOutput output) {
		List<LogRecord> ofLiquibase = new ArrayList<>();
		Handler handler = new RecordingHandler(ofLiquibase);
		Logger.getLogger("").addHandler(handler);
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		Logger.getLogger("").removeHandler(handler);
		assertThat(ofLiquibase).isEmpty();
		assertThat(rows("once_job_lease")).isZero();
		assertThat(rows("once_effect_ledger")).isZero();
		assertThat(rows("once_occurrence")).isZero();
		assertThat(rows("once_decision")).isZero();
		assertThat(rows("once_changelog")).isEqualTo(CHANGESETS);
		assertThat(output.getOut().lines().filter((line) -> !line.contains("jqwik"))).singleElement()
			.asString()
			.contains("Once completed its tables (table once_job_lease is missing; table once_effect_ledger is missing;"
					+ " table once_occurrence is missing; table once_decision is missing)");
	}

	@Test
	void whereAllIsThereOneQueryIsSent() {
		this.database.withTables();
		CountingDataSource counting = new CountingDataSource(this.database.dataSource());
		try (HikariDataSource application = new HikariDataSource()) {
			application.setDataSource(counting);
			try (LedgerConnections counted = LedgerConnections.of(application, 4)) {
				assertThatCode(() -> counted.withConnection((connection) -> null)).doesNotThrowAnyException();
				counting.forget();
				new SchemaInitializer(counted, DEFAULTS, InitializeSchema.ALWAYS).initialize();
				assertThat(counting.record()).singleElement().asString().contains("information_schema.columns");
				counting.forget();
				new SchemaInitializer(counted, DEFAULTS, InitializeSchema.NEVER).initialize();
				assertThat(counting.record()).isEmpty();
			}
		}
	}

	@Test
	void validateStopsWhereSomethingIsMissingAndChangesNothing() {
		assertThatExceptionOfType(LedgerUnusableException.class)
			.isThrownBy(() -> initialize(DEFAULTS, InitializeSchema.VALIDATE))
			.withMessage("Once's tables are incomplete in the schema of the data source: table once_job_lease is"
					+ " missing; table once_effect_ledger is missing; table once_occurrence is missing; table once_decision is"
					+ " missing. once.jdbc.initialize-schema is 'validate', so"
					+ " Once does not create what is missing: run the script " + this.connections.database().script()
					+ " in Once's jar, or set the property to 'always'");
		assertThat(tables()).isEmpty();
	}

	@Test
	void neverDoesNotLook() {
		initialize(DEFAULTS, InitializeSchema.NEVER);
		assertThat(tables()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(value = InitializeSchema.class, names = { "ALWAYS", "VALIDATE" })
	void tablesOfANewerVersionServe(InitializeSchema mode) {
		this.database.withTables();
		execute("alter table once_effect_ledger add column of_tomorrow varchar(10)");
		initialize(DEFAULTS, mode);
		assertThat(tables()).containsExactlyInAnyOrder("once_job_lease", "once_effect_ledger", "once_occurrence",
				"once_decision");
	}

	@Test
	void tablesOfAnOlderVersionThatTheChangelogDoesNotMendAreRefused() {
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		execute("alter table once_effect_ledger drop column follow_up_at");
		execute("alter table once_effect_ledger drop column terms");
		assertThatExceptionOfType(LedgerUnusableException.class)
			.isThrownBy(() -> initialize(DEFAULTS, InitializeSchema.ALWAYS))
			.withMessageContaining("table once_effect_ledger lacks terms, follow_up_at. They were made by hand or")
			.withMessageContaining(this.connections.database().script());
	}

	@ParameterizedTest
	@EnumSource(value = InitializeSchema.class, names = { "ALWAYS", "VALIDATE" })
	void tablesWithoutTheirKeysAreRefused(InitializeSchema mode) {
		this.database.withTables();
		execute("alter table once_job_lease drop constraint once_job_lease_token_uq");
		execute("alter table once_effect_ledger drop constraint once_effect_ledger_pk");
		execute("create unique index of_their_own on once_effect_ledger (effect_key, revision, action)");
		assertThatExceptionOfType(LedgerUnusableException.class).isThrownBy(() -> initialize(DEFAULTS, mode))
			.withMessageContaining("table once_job_lease lacks the unique key (job_key, fencing_token);"
					+ " table once_effect_ledger lacks the unique key (effect_key, revision). ")
			.withMessageContaining(this.connections.database().script());
	}

	@Test
	void aUniqueIndexServesAsAKey() {
		this.database.withTables();
		execute("alter table once_job_lease drop constraint once_job_lease_token_uq");
		execute("create unique index of_their_own on once_job_lease (fencing_token, job_key)");
		initialize(DEFAULTS, InitializeSchema.VALIDATE);
	}

	@Test
	void aTransactionInTheWayIsWaitedForAndThenNamed(CapturedOutput output) throws Exception {
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		dropWhatIsMadeBeforeTheLedgersIndex();
		try (Connection other = this.database.dataSource().getConnection()) {
			other.setAutoCommit(false);
			other.createStatement()
				.execute("insert into once_effect_ledger (effect_key, revision, action, input_digest, label, attempt,"
						+ " state, created_at, updated_at) values ('k', 1, 'a', 'd', 'l', 1, 'claimed',"
						+ " current_timestamp, current_timestamp)");
			assertThatExceptionOfType(LedgerUnusableException.class).isThrownBy(() -> initialize(Duration.ZERO))
				.withMessageContaining("Another's transaction stayed in the way (")
				.withMessageContaining("end it and start again, or have the script ");
			dropWhatIsMadeBeforeTheLedgersIndex();
			CompletableFuture<Void> start = CompletableFuture.runAsync(() -> initialize(Duration.ofMinutes(5)));
			await().atMost(Duration.ofMinutes(1))
				.untilAsserted(() -> assertThat(output.getOut()).contains("and waits for another's transaction: "));
			other.rollback();
			start.get(1, TimeUnit.MINUTES);
		}
		initialize(DEFAULTS, InitializeSchema.VALIDATE);
		assertThat(rows("once_changelog")).isEqualTo(CHANGESETS);
	}

	private void dropWhatIsMadeBeforeTheLedgersIndex() {
		execute("drop table once_job_lease");
		execute("drop index if exists once_effect_ledger_target_ix");
		execute("delete from once_changelog where id like 'job-lease%' or id = 'effect-ledger-target'");
	}

	private void initialize(Duration patience) {
		new SchemaInitializer(this.connections, DEFAULTS, InitializeSchema.ALWAYS,
				new Changelog.Patience(Duration.ofMillis(200), patience))
			.initialize();
	}

	@Test
	void tablesWithoutDecisionsGetWhatTheyLackAndKeepTheirRows(CapturedOutput output) {
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		takeBackWhatDecisionsNeed();
		execute("delete from once_changelog where orderexecuted > 10");
		putAJobAndAnEffect();
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(output.getOut())
			.contains("Once completed its tables (table once_job_lease lacks looked_until; table once_decision is"
					+ " missing)");
		assertThat(rows("once_changelog")).isEqualTo(CHANGESETS);
		assertThat(rows("once_job_lease where fencing_token = 7 and looked_until is null")).isOne();
		assertThat(rows("once_effect_ledger")).isOne();
		initialize(DEFAULTS, InitializeSchema.VALIDATE);
	}

	@Test
	void tablesWithoutOccurrencesGetWhatTheyLackAndKeepTheirRows(CapturedOutput output) {
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		takeBackWhatDecisionsNeed();
		takeBackWhatOccurrencesNeed();
		execute("delete from once_changelog where orderexecuted > 5");
		putAJobAndAnEffect();
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(output.getOut()).contains("Once completed its tables (table once_job_lease lacks purged_until,"
				+ " key_check, looked_until; table once_occurrence is missing; table once_decision is missing)");
		assertThat(rows("once_changelog")).isEqualTo(CHANGESETS);
		assertThat(rows("once_job_lease where fencing_token = 7 and purged_until is null and key_check is null"))
			.isOne();
		assertThat(rows("once_effect_ledger")).isOne();
		initialize(DEFAULTS, InitializeSchema.VALIDATE);
	}

	@Test
	void plainTablesOfAVersionBeforeAreCarriedOnToo() {
		this.database.withTables();
		takeBackWhatDecisionsNeed();
		takeBackWhatOccurrencesNeed();
		putAJobAndAnEffect();
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(rows("once_job_lease")).isOne();
		assertThat(rows("once_effect_ledger")).isOne();
		initialize(DEFAULTS, InitializeSchema.VALIDATE);
	}

	private void takeBackWhatDecisionsNeed() {
		execute("drop table once_decision");
		execute("drop index once_occurrence_ended_ix");
		execute("drop index once_occurrence_due_ix");
		execute("alter table once_job_lease drop column looked_until");
	}

	private void takeBackWhatOccurrencesNeed() {
		execute("drop table once_occurrence");
		execute("alter table once_job_lease drop column purged_until");
		execute("alter table once_job_lease drop column key_check");
		execute("drop index once_effect_ledger_occurrence_ix");
	}

	private void putAJobAndAnEffect() {
		execute("insert into once_job_lease (job_key, fencing_token, lease_seconds, lease_until)"
				+ " values ('kept', 7, 30, current_timestamp)");
		execute("insert into once_effect_ledger (effect_key, revision, action, input_digest, label, attempt,"
				+ " state, created_at, updated_at) values ('k', 1, 'a', 'd', 'l', 1, 'claimed',"
				+ " current_timestamp, current_timestamp)");
	}

	@Test
	void whatPlainSqlHasMadeIsCarriedOn() {
		this.database.withTables();
		execute("drop table once_effect_ledger");
		execute("insert into once_job_lease (job_key, fencing_token, lease_seconds, lease_until)"
				+ " values ('kept', 7, 30, current_timestamp)");
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(rows("once_job_lease")).isOne();
		assertThat(rows("once_effect_ledger")).isZero();
	}

	@ParameterizedTest
	@EnumSource(LedgerConnectionsContract.Kind.class)
	void prefixAndSchemaAreTheOnesThatAreSet(LedgerConnectionsContract.Kind kind) throws Exception {
		execute("create schema \"Ops\"");
		execute("create schema billing");
		try (LedgerConnections connections = LedgerConnections.of(kind.dataSource(this.database), 4)) {
			for (OnceTables tables : List.of(new OnceTables("Ops", "o_"), new OnceTables("billing", "once_"),
					new OnceTables("billing", "a" + "b".repeat(29)))) {
				new SchemaInitializer(connections, tables, InitializeSchema.ALWAYS).initialize();
				new SchemaInitializer(connections, tables, InitializeSchema.VALIDATE).initialize();
				String count = tables.in("select count(*) from {effect_ledger} cross join {job_lease}");
				assertThat(this.database.jdbc().sql(count).query(Integer.class).single()).isZero();
				String prefix = (tables.schema().equals("Ops") ? "\"Ops\"" : "billing") + "." + tables.prefix();
				assertThat(rows(prefix + "changelog")).isEqualTo(CHANGESETS);
				assertThat(rows(prefix + "changelog_lock")).isEqualTo(1);
			}
		}
		assertThat(tables()).isEmpty();
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(tables()).hasSize(6);
	}

	@Test
	void theLockOfAKilledNodeHoldsNobodyUp() {
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		execute("drop table once_effect_ledger");
		execute("delete from once_changelog where id like 'effect-ledger%'");
		execute("update once_changelog_lock set locked = true, lockgranted = now(), lockedby = 'a killed node'");
		initialize(DEFAULTS, InitializeSchema.ALWAYS);
		assertThat(rows("once_effect_ledger")).isZero();
		assertThat(rows("once_changelog_lock where locked")).isZero();
	}

	@Test
	void aSchemaThatDoesNotExistIsNamed() {
		assertThatExceptionOfType(LedgerUnusableException.class)
			.isThrownBy(() -> initialize(new OnceTables("nowhere", "once_"), InitializeSchema.ALWAYS))
			.withMessageContaining("incomplete in schema nowhere (once.jdbc.schema)")
			.withMessageContaining("The schema does not exist (")
			.withMessageContaining("create it, or set once.jdbc.schema to the one to use");
	}

	@Test
	void aMissingPrivilegeIsTold(CapturedOutput output) {
		try (HikariDataSource application = unprivileged();
				LedgerConnections connections = LedgerConnections.of(application, 4)) {
			assertThatExceptionOfType(LedgerUnusableException.class)
				.isThrownBy(() -> new SchemaInitializer(connections, DEFAULTS, InitializeSchema.ALWAYS).initialize())
				.satisfies((ex) -> {
					assertThat(ex.getMessage().toLowerCase(Locale.ROOT)).contains("user limited")
						.contains("lacks the privilege to create it (")
						.contains("grant create on the schema to this user, or have the script ")
						.contains(this.connections.database().script())
						.contains("set once.jdbc.initialize-schema to 'validate'");
					assertThat(ex.getCause()).isInstanceOf(SQLException.class);
					assertThat(ex).hasStackTraceContaining("LedgerUnusableException");
					assertThat(ex.getCause().getCause()).isNull();
				});
		}
		assertThat(output.getOut()).doesNotContain("ERROR").doesNotContain("WARN");
	}

	@Test
	void aBorrowedConnectionIsHandedBackAsItCame() throws Exception {
		execute("create schema billing");
		try (HikariDataSource two = this.database.newDataSource(this::twoWithoutAutoCommit)) {
			try (LedgerConnections connections = LedgerConnections.of(new LedgerConnectionsContract.Opaque(two), 4)) {
				new SchemaInitializer(connections, new OnceTables("billing", "once_"), InitializeSchema.ALWAYS)
					.initialize();
			}
			try (Connection one = two.getConnection(); Connection other = two.getConnection()) {
				for (Connection connection : List.of(one, other)) {
					assertThat(connection.getSchema()).isEqualToIgnoringCase("public");
					assertThat(connection.getAutoCommit()).isFalse();
				}
			}
		}
	}

	private void twoWithoutAutoCommit(HikariConfig config) {
		config.setMaximumPoolSize(2);
		config.setAutoCommit(false);
	}

	void initialize(OnceTables tables, InitializeSchema mode) {
		new SchemaInitializer(this.connections, tables, mode).initialize();
	}

	void execute(String sql) {
		this.database.jdbc().sql(sql).update();
	}

	int rows(String table) {
		return this.database.jdbc().sql("select count(*) from " + table).query(Integer.class).single();
	}

	private List<String> tables() {
		return this.database.jdbc()
			.sql("select lower(table_name) from information_schema.tables where table_schema = current_schema")
			.query(String.class)
			.list();
	}

	/**
	 * Liquibase logs with the JDK unless it is told otherwise.
	 */
	private static final class RecordingHandler extends Handler {

		private final List<LogRecord> records;

		RecordingHandler(List<LogRecord> records) {
			this.records = records;
		}

		@Override
		public void publish(LogRecord logRecord) {
			this.records.add(logRecord);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	}

}
