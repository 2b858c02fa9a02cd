package dev.once.autoconfigure;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.AnswerUnreadableException;
import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.Grain;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceResolver;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.Unobservable;
import dev.once.UnresolvedEffect;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Case 31: two releases of an application on one database, with other classes, methods
 * and parameters under the same names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class ReleaseCases {

	private static final AtomicInteger charged = new AtomicInteger();

	private static final AtomicInteger days = new AtomicInteger();

	private static final Instant TODAY = Instant.parse("2026-05-04T02:00:00Z");

	private final TestDatabase database = database();

	abstract TestDatabase database();

	@BeforeAll
	void firstRelease() {
		this.database.dataSource();
		run(List.of(Zulu.class, Tango.class), "1h", (context) -> {
			context.getBean(Zulu.class).zuluRuns();
			context.getBean(OnceOperations.class).at(TODAY, context.getBean(Zulu.class)::zuluOfTheDay);
			loseAnswer(context, "old-1");
			assertThat(AopUtils.isCglibProxy(context.getBean(Tango.class))).isTrue();
		});
		assertThat(charged).hasValue(1);
	}

	@AfterAll
	void close() {
		this.database.close();
		charged.set(0);
		days.set(0);
	}

	/** Case 31: the names hold, so that the second release repeats nothing. */
	@Test
	void aReleaseWithOtherClassesMethodsAndParametersRepeatsNothing() {
		run(List.of(Quebec.class, Sierra.class), "1h", (context) -> {
			context.getBean(Quebec.class).quebecRuns();
			assertThat(charged).hasValue(1);
			Voucher recorded = context.getBean(Sierra.class).sierraCollects("trace-2", "inv-1", "note", BigDecimal.TEN);
			assertThat(recorded).isEqualTo(new Voucher("r-1", BigDecimal.TEN));
			assertThat(charged).hasValue(1);
		});
	}

	/** Case 31: an occurrence that the first release carried out. */
	@Test
	void aReleaseKnowsTheOccurrencesOfTheOneBefore() {
		run(List.of(Quebec.class, Sierra.class), "1h", (context) -> {
			OnceOperations once = context.getBean(OnceOperations.class);
			once.at(TODAY.plusSeconds(3600), context.getBean(Quebec.class)::quebecOfTheDay);
			assertThat(days).hasValue(1);
		});
	}

	/**
	 * Case 31: an answer of another release that cannot be read means that it is done.
	 */
	@Test
	void anAnswerOfAnotherReleaseThatCannotBeReadIsNoReasonToDoItAgain() {
		run(List.of(OtherAnswer.class), "1h", (context) -> {
			assertThatExceptionOfType(AnswerUnreadableException.class)
				.isThrownBy(() -> context.getBean(OtherAnswer.class).charge("inv-1", BigDecimal.TEN))
				.withMessageContaining("is done, but its");
			assertThat(charged).hasValue(1);
		});
	}

	/** Case 31: a row whose action no code declares any more is not passed over. */
	@Test
	void anUnknownEffectThatNoCodeDeclaresAnyMoreIsReportedAndListed(CapturedOutput output) {
		run(List.of(Tango.class), "1h", (context) -> loseAnswer(context, "old-2"));
		run(List.of(Quebec.class, Sierra.class), "100ms", (context) -> {
			await().untilAsserted(
					() -> assertThat(output).contains("Effects of action 'retired' are open, but no @OnceEffect"));
			await().untilAsserted(() -> assertThat(
					jdbc().sql("select attention from once_effect_ledger where target = 'old-2' and state = 'unknown'")
						.query(String.class)
						.list())
				.containsExactly("undetermined"));
		});
	}

	/** Case 31: no class, method, bean, proxy or lambda is in any row. */
	@Test
	void nothingInAnyTableComesFromTheCode() {
		List<String> tables = jdbc()
			.sql("select table_name from information_schema.tables where lower(table_name) like 'once%'")
			.query(String.class)
			.list();
		assertThat(tables).hasSizeGreaterThanOrEqualTo(4);
		for (String table : tables) {
			String rows = jdbc().sql("select * from " + table).query().listOfRows().toString();
			assertThat(rows.toLowerCase(Locale.ROOT)).as(table)
				.doesNotContain("zulu", "tango", "$$", "lambda", "releasecases");
		}
		assertThat(jdbc().sql("select declared_by from once_job_lease").query(String.class).list())
			.containsOnly("billing-app");
		assertThat(jdbc().sql("select distinct response_type from once_effect_ledger where response is not null")
			.query(String.class)
			.list()).containsOnly("json");
	}

	private JdbcClient jdbc() {
		return this.database.jdbc();
	}

	private static void loseAnswer(ConfigurableApplicationContext context, String target) {
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> context.getBean(Tango.class).tangoRetires(target));
	}

	private void run(List<Class<?>> release, String caretaking, Consumer<ConfigurableApplicationContext> application) {
		HikariDataSource dataSource = this.database.newDataSource(4);
		ApplicationContextRunner runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", HikariDataSource.class, () -> dataSource)
			.withPropertyValues("spring.application.name=billing-app", "once.caretaker.interval=" + caretaking,
					// What one release was asking as it ended, the next one asks after
					// that
					"once.defaults.resolver-timeout=1s", "once.defaults.resolver-backoff=10ms",
					"once.defaults.resolver-max-backoff=10ms");
		for (Class<?> bean : release) {
			runner = runner.withBean(bean);
		}
		runner.run((context) -> {
			assertThat(context).hasNotFailed();
			application.accept(context);
		});
	}

	record Receipt(String number, BigDecimal amount) {

	}

	static class Zulu {

		private final Tango tango;

		Zulu(Tango tango) {
			this.tango = tango;
		}

		@OnceJob(name = "nightly", overlap = Overlap.COALESCE)
		public void zuluRuns() {
			this.tango.tangoCharges("inv-1", BigDecimal.TEN, "trace");
		}

		@OnceJob(name = "daily", overlap = Overlap.COALESCE, grain = Grain.DAY)
		public void zuluOfTheDay() {
			days.incrementAndGet();
		}

	}

	static class Tango {

		@OnceEffect(action = "charge", unobservable = Unobservable.ACCEPTED)
		public Receipt tangoCharges(@EffectTarget String tangoInvoice, @EffectInput BigDecimal amount, String trace) {
			charged.incrementAndGet();
			return new Receipt("r-1", amount);
		}

		@OnceEffect(action = "retired")
		public void tangoRetires(@EffectTarget String tangoTarget) {
			Runnable lambda = () -> {
				throw new IllegalStateException("The answer was lost");
			};
			lambda.run();
		}

		@OnceResolver("retired")
		public Resolution<Void> tangoAsks(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

	}

	record Voucher(String number, BigDecimal amount) {

	}

	static class Quebec {

		private final Sierra sierra;

		Quebec(Sierra sierra) {
			this.sierra = sierra;
		}

		@OnceJob(name = "nightly", overlap = Overlap.COALESCE)
		public void quebecRuns() {
			this.sierra.sierraCollects("trace-2", "inv-1", "note", new BigDecimal("10.00"));
		}

		@OnceJob(name = "daily", overlap = Overlap.COALESCE, grain = Grain.DAY)
		public void quebecOfTheDay() {
			days.incrementAndGet();
		}

	}

	static class Sierra {

		@OnceEffect(action = "charge", unobservable = Unobservable.ACCEPTED)
		public Voucher sierraCollects(String trace, @EffectTarget String number, String note,
				@EffectInput BigDecimal sum) {
			charged.incrementAndGet();
			return new Voucher("r-2", sum);
		}

	}

	static class OtherAnswer {

		@OnceEffect(action = "charge", unobservable = Unobservable.ACCEPTED)
		public int charge(@EffectTarget String number, @EffectInput BigDecimal sum) {
			return charged.incrementAndGet();
		}

	}

}
