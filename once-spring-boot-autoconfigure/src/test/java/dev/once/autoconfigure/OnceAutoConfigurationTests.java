package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.aop.DirectDue;
import dev.once.aop.GuardSettings;
import dev.once.aop.JobTerms;
import dev.once.jdbc.JdbcPorts;
import dev.once.key.EffectKeys;
import dev.once.lease.LeaseStore;
import dev.once.lease.Leases;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectProtocol;
import dev.once.ledger.FarSideContract;
import dev.once.ledger.FarSideContract.RefusalKey;
import dev.once.test.StubLeaseStore;
import dev.once.test.StubLedger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.params.ParameterizedTest;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class OnceAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
				OnceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:wiring;DB_CLOSE_DELAY=-1");

	@Test
	void anApplicationWithADataSourceIsGuarded() {
		this.runner.withUserConfiguration(Guarded.class).run((context) -> {
			assertThat(context).hasSingleBean(EffectProtocol.class)
				.hasSingleBean(OnceOperations.class)
				.hasSingleBean(Leases.class);
			assertThat(AopUtils.isAopProxy(context.getBean(Guarded.Work.class))).isTrue();
			context.getBean(Guarded.Work.class).run();
			context.getBean(Guarded.Work.class).send("a");
			context.getBean(Guarded.Work.class).send("a");
			assertThat(context.getBean(Guarded.class).sent).isOne();
			assertThat(context.getBean(LeaseStore.class).find("work").orElseThrow().token()).isOne();
		});
	}

	/**
	 * O1: from the timer to the run, in a child context too, and whoever chooses the
	 * scheduler: auto-configurations that come later have configurers too.
	 */
	@Test
	void aTimersFiringRunsUnderTheNameOfItsDueTimeInAChildContextToo() {
		this.runner.withUserConfiguration(Ticking.class).run((parent) -> {
			Ticking.awaitNames(parent);
			this.runner.withParent(parent)
				.withConfiguration(AutoConfigurations.of(WithSchedulerConfiguration.class))
				.withUserConfiguration(Ticking.class)
				.run((child) -> Ticking.awaitNames(child));
		});
	}

	@AutoConfiguration(after = OnceAutoConfiguration.class)
	static class WithSchedulerConfiguration {

		@Bean(destroyMethod = "close")
		SimpleAsyncTaskScheduler later() {
			return new SimpleAsyncTaskScheduler();
		}

		@Bean
		SchedulingConfigurer laterConfigurer(SimpleAsyncTaskScheduler later) {
			return (registrar) -> registrar.setTaskScheduler(later);
		}

	}

	@EnableScheduling
	@Configuration(proxyBeanMethods = false)
	static class Ticking {

		private final Set<String> names = ConcurrentHashMap.newKeySet();

		@Bean
		Tick tick() {
			return new Tick(this.names);
		}

		static void awaitNames(ApplicationContext context) {
			Set<String> names = context.getBean(Ticking.class).names;
			await().atMost(Duration.ofSeconds(30)).until(() -> !names.isEmpty());
			assertThat(names)
				.allSatisfy((name) -> assertThat(name).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"));
		}

		static class Tick {

			private final Set<String> names;

			Tick(Set<String> names) {
				this.names = names;
			}

			@Scheduled(cron = "* * * * * *")
			@OnceJob(name = "tick", overlap = Overlap.COALESCE)
			void run() {
				this.names.add(String.valueOf(JobRun.current().occurrence()));
			}

		}

	}

	@Test
	void portsOfTheApplicationsOwnBackOursOff() {
		this.runner.withBean(StubLedger.class).withBean(StubLeaseStore.class).run((context) -> {
			assertThat(context).getBean(EffectLedger.class).isInstanceOf(StubLedger.class);
			assertThat(context).getBean(LeaseStore.class).isInstanceOf(StubLeaseStore.class);
		});
	}

	@Test
	void withoutADataSourceTheStartStopsAndSaysWhy() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(OnceAutoConfiguration.class))
			.run((context) -> assertThat(whyNot(context))
				.hasMessage("Once keeps its ledger in a database, and the application has no DataSource: "
						+ "set spring.datasource.url"));
	}

	@Test
	void severalDataSourcesWithoutAChoiceStopTheStartAndAreNamed() {
		this.runner.withBean("orders", DriverManagerDataSource.class)
			.withBean("reports", DriverManagerDataSource.class)
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("orders, reports")
				.hasMessageContaining("@OnceDataSource")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void aNameThatNoCodeDeclaresStopsTheStart() {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues("once.effects.sned.changed-fact=proceed")
			.run((context) -> assertThat(whyNot(context))
				.hasMessage("once.effects.sned is set, but no code declares an action 'sned'. Declared are: send. "
						+ "Mend the name, or take the property out"));
	}

	@Test
	void allUnknownNamesAreNamedAndTheirMend() {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues("once.effects.sned.changed-fact=proceed", "once.jobs.wrok.lease=30s",
					"once.far-sides.psot.window=1s")
			.run((context) -> {
				FailureAnalysis analysis = new InvalidSettingFailureAnalyzer().analyze(context.getStartupFailure());
				assertThat(analysis.getDescription()).contains("'sned'").contains("'wrok'").contains("'psot'");
				assertThat(analysis.getAction()).isEqualTo("Mend the name, or take the property out.");
			});
	}

	@Test
	void anOverlapThatNobodyChoseIsRefusedAndTheThreeAreListed() {
		this.runner.withUserConfiguration(Unchosen.class)
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("COALESCE")
				.hasMessageContaining("QUEUE")
				.hasMessageContaining("FAIL")
				.hasMessageContaining("once.jobs.unchosen.overlap"));
	}

	@Test
	void aLeaseBelowFiveSecondsIsRefused() {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues("once.jobs.work.lease=4s")
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("5 s is the shortest")
				.hasMessageContaining("once.jobs.work.lease"));
	}

	@Test
	void attemptsAndBackoffOfAJobAreRead() {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues("once.jobs.work.attempts=7", "once.defaults.job-backoff=90s",
					"once.defaults.job-attempts=4", "once.jobs.work.overlap=coalesce")
			.run((context) -> {
				GuardSettings settings = context.getBean(GuardSettings.class);
				JobTerms work = settings.job("work", null, "x");
				assertThat(work.attempts()).isEqualTo(7);
				assertThat(work.backoff()).isEqualTo(Duration.ofSeconds(90));
				assertThat(settings.undeclaredJob().attempts()).isEqualTo(4);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "once.jobs.work.attempts=0", "once.jobs.work.backoff=-1s" })
	void anOccurrenceThatIsNeverOrAtOnceRunAgainIsRefused(String property) {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues(property)
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("an occurrence of its job 'work'")
				.hasMessageContaining(property.substring(0, property.indexOf('='))));
	}

	@Test
	void theDueTimeOfDirectCallsIsReadWithItsOffset() {
		this.runner
			.withPropertyValues("once.occurrence=2026-05-04T04:00+02:00", "once.occurrence-from-clock=true",
					"once.zone=Europe/Zurich")
			.run((context) -> {
				GuardSettings settings = context.getBean(GuardSettings.class);
				assertThat(settings.directDue()).isEqualTo(new DirectDue.Given(Instant.parse("2026-05-04T02:00:00Z")));
				assertThat(settings.zone()).isEqualTo(ZoneId.of("Europe/Zurich"));
			});
		// A template that leaves the variable empty has not told anybody
		this.runner.withPropertyValues("once.occurrence=")
			.run((context) -> assertThat(context.getBean(GuardSettings.class).directDue())
				.isEqualTo(new DirectDue.Unknown()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-05-04T02:00", "2026-05-04", "now" })
	void aDueTimeThatIsNotOneInstantStopsTheStart(String occurrence) {
		this.runner.withPropertyValues("once.occurrence=" + occurrence)
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("once.occurrence is '" + occurrence)
				.hasMessageContaining("with an offset"));
	}

	@Test
	void aShortSecretIsRefused() {
		this.runner.withPropertyValues("once.key.secret=short")
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("once.key.secret has 5 bytes"));
	}

	@Test
	void propertiesOverrideWhatAFarSideDeclares() {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues("once.far-sides.post.window=7s", "once.far-sides.post.remembers=24h",
					"once.defaults.backoff=90s")
			.run((context) -> {
				FarSide declared = Guarded.Work.class.getAnnotation(FarSide.class);
				FarSideContract contract = context.getBean(GuardSettings.class).farSide("post", declared);
				assertThat(contract.window()).isEqualTo(Duration.ofSeconds(7));
				assertThat(contract.settleAfter()).isEqualTo(Duration.ofSeconds(3));
				assertThat(contract.remembers()).isEqualTo(Duration.ofHours(24));
				assertThat(contract.backoff()).isEqualTo(Duration.ofSeconds(90));
				assertThat(contract.refusalKey()).isEqualTo(RefusalKey.SAME);
				assertThat(contract.attempts()).isEqualTo(4);
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost:8080", "https://post.example", "post.example/letters", "post example" })
	void aHostThatNoRequestHasStopsTheStart(String host) {
		this.runner.withUserConfiguration(Guarded.class)
			.withPropertyValues("once.far-sides.post.hosts=" + host)
			.run((context) -> assertThat(whyNot(context)).hasMessageContaining("one of its hosts is '" + host + "'")
				.hasMessageContaining("without scheme, port, path and blanks"));
	}

	/** E8: it would be over before anything may be sent again. */
	@Test
	void aMemoryShorterThanWindowAndSettleAfterIsNone() {
		this.runner.withUserConfiguration(Remembered.class)
			.withPropertyValues("once.far-sides.post.remembers=4s")
			.run((context) -> assertThat(whyNot(context))
				.hasMessageContaining("no longer than window and settle-after"));
		this.runner.withUserConfiguration(Remembered.class)
			.withPropertyValues("once.far-sides.post.remembers=24h")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void theConnectionsOutlastTheProtocolAndEndWithTheContext() {
		this.runner.run((context) -> {
			EffectProtocol effects = context.getBean(EffectProtocol.class);
			assertThat(context.getBean(JdbcPorts.class).ledger().due(1)).isEmpty();
			context.getSourceApplicationContext().close();
			assertThat(effects.inFlight()).isZero();
		});
	}

	@Test
	void aKeyOfTheApplicationsOwnBacksOursOff() {
		EffectKeys keys = new EffectKeys(null);
		this.runner.withBean("keys", EffectKeys.class, () -> keys)
			.run((context) -> assertThat(context).getBean(EffectKeys.class).isSameAs(keys));
	}

	private static Throwable whyNot(AssertableApplicationContext context) {
		assertThat(context).hasFailed();
		return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
	}

	@Configuration(proxyBeanMethods = false)
	static class Unchosen {

		@Bean
		Work work() {
			return new Work();
		}

		static class Work {

			@OnceJob(name = "unchosen")
			void run() {
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Guarded {

		int sent;

		@Bean
		Work work() {
			return new Work(this);
		}

		@FarSide(name = "post", window = "5s", settleAfter = "${not.set:3s}")
		static class Work {

			private final Guarded guarded;

			Work(Guarded guarded) {
				this.guarded = guarded;
			}

			@OnceJob(name = "work", overlap = Overlap.COALESCE)
			void run() {
			}

			@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
			void send(@EffectTarget String to) {
				this.guarded.sent++;
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Remembered {

		@Bean
		Letters letters() {
			return new Letters();
		}

		@FarSide(name = "post", window = "3s", settleAfter = "3s")
		static class Letters {

			@OnceEffect(action = "letter")
			void send(@EffectTarget String to) {
			}

		}

	}

}
