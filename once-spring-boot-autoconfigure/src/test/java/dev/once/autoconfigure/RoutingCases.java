package dev.once.autoconfigure;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.RunFencedException;
import dev.once.Unobservable;
import dev.once.UnresolvedEffect;
import dev.once.ledger.LedgerHealth;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Case 43 (d): a data source that routes to the database of the thread's tenant.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class RoutingCases {

	private final TestDatabase one = database();

	private final TestDatabase two = database();

	private final List<String> farSide = new CopyOnWriteArrayList<>();

	abstract TestDatabase database();

	@BeforeAll
	void openPools() {
		this.one.dataSource();
		this.two.dataSource();
	}

	@AfterAll
	void close() {
		this.one.close();
		this.two.close();
	}

	@BeforeEach
	void forget() {
		this.farSide.clear();
		Tenants.CURRENT.remove();
	}

	@Test
	void effectsOfTwoTenantsAreTwoAndEachHappensOnceAcrossNodes(CapturedOutput output) {
		nodes((routing) -> routing, (first, second) -> {
			for (Work node : List.of(first, second, first)) {
				billAll(node, "inv-1");
			}
			assertThat(this.farSide).containsExactly("t1 inv-1", "t2 inv-1");
			for (TestDatabase database : List.of(this.one, this.two)) {
				assertThat(effects(database, "state = 'done' and target = 'inv-1'")).isOne();
			}
			assertThat(output).contains("in 2 databases that its data source routes to (t1, t2)")
				.contains("resolvers are called without a tenant")
				.contains("Job 'billing' holds its lease in database 't1' and has effects in others");
		});
	}

	@Test
	void aRoutingDataSourceBehindProxiesIsRecognized() {
		for (UnaryOperator<DataSource> wrapping : List.<UnaryOperator<DataSource>>of(DelegatingDataSource::new,
				(routing) -> {
					LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy();
					lazy.setTargetDataSource(routing);
					return lazy;
				})) {
			this.farSide.clear();
			nodes(wrapping, (first, second) -> {
				String invoice = "inv-" + wrapping.hashCode();
				billAll(first, invoice);
				billAll(second, invoice);
				assertThat(this.farSide).hasSize(2);
			});
		}
	}

	/** L4: the renewer has no tenant, and must not take the run for fenced. */
	@Test
	void aRunIsRenewedWhereItsLeaseIsAndItsEffectsWhereTheyAre() {
		nodes((routing) -> routing, (first, second) -> {
			// Not where a thread without a tenant would look
			Tenants.CURRENT.set("t2");
			first.inRun(() -> {
				Tenants.CURRENT.set("t1");
				first.slow("inv-3", () -> await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
					assertThat(leases(this.two, "renewed_at is not null")).isOne();
					assertThat(effects(this.one, "target = 'inv-3' and window_until > " + later("submitted_at", 4)))
						.isOne();
				}));
				first.charge("inv-4");
				assertThat(this.farSide).containsExactly("t1 inv-3", "t1 inv-4");
			});
			assertThat(leases(this.two, "owner is null")).isOne();
		});
	}

	@Test
	void anAnswerThatComesOnAnotherThreadIsStoredWhereItsAttemptIs() {
		nodes((routing) -> routing, (first, second) -> {
			Tenants.CURRENT.set("t2");
			CompletableFuture<String> answer = new CompletableFuture<>();
			CompletableFuture<String> stored = first.later("inv-5", answer);
			Tenants.CURRENT.set("t1");
			CompletableFuture.runAsync(() -> answer.complete("paid"));
			assertThat(stored).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("paid");
			assertThat(effects(this.two, "state = 'done' and target = 'inv-5'")).isOne();
			assertThat(effects(this.one, "target = 'inv-5'")).isZero();
		});
	}

	@Test
	void anEffectWithoutATenantIsRefusedBeforeAnythingIsSent() {
		nodes((routing) -> routing, (first, second) -> {
			assertThat(first.outcome("inv-6")).isInstanceOfSatisfying(Outcome.NotSent.class,
					(notSent) -> assertThat(notSent.cause()).hasStackTraceContaining("Set the tenant before"));
			assertThat(this.farSide).isEmpty();
			Tenants.CURRENT.set("t1");
			assertThat(first.outcome("inv-6")).isInstanceOf(Outcome.Done.class);
		});
	}

	@Test
	void theCaretakerLooksAfterTheEffectsOfAllTenants() {
		nodes((routing) -> routing, (first, second) -> {
			for (String tenant : List.of("t1", "t2")) {
				Tenants.CURRENT.set(tenant);
				assertThat(first.lost("inv-7")).isInstanceOf(Outcome.Unresolved.class);
			}
			await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				assertThat(effects(this.one, "outcome = 'resolved' and target = 'inv-7'")).isOne();
				assertThat(effects(this.two, "outcome = 'resolved' and target = 'inv-7'")).isOne();
			});
		});
	}

	/** I3 across databases: by reading, not under a lock. */
	@Test
	void aRunWhoseTokenIsNoLongerTheJobsStartsNoEffectInAnotherDatabase() {
		nodes((routing) -> routing, (first, second) -> first.inRun(() -> {
			this.one.jdbc().sql("update once_job_lease set fencing_token = fencing_token + 1").update();
			Tenants.CURRENT.set("t2");
			assertThatExceptionOfType(RunFencedException.class).isThrownBy(() -> first.charge("inv-8"));
			assertThat(this.farSide).isEmpty();
			assertThat(effects(this.two, "target = 'inv-8'")).isZero();
			this.one.jdbc().sql("update once_job_lease set lease_until = acquired_at").update();
		}));
	}

	@Test
	void connectionsThatAreChangedByTenantStopTheStart() {
		Tenants tenants = new Tenants(Map.of("t1", this.one.newDataSource(2))) {

			@Override
			public Connection getConnection() throws SQLException {
				return super.getConnection();
			}

		};
		runner((routing) -> tenants, "node").run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("changes each connection by the thread's tenant")
			.hasMessageContaining("@OnceDataSource"));
	}

	private static void billAll(Work node, String invoice) {
		node.inRun(() -> {
			for (String tenant : List.of("t1", "t2")) {
				Tenants.CURRENT.set(tenant);
				node.charge(invoice);
			}
			Tenants.CURRENT.remove();
		});
	}

	private String later(String column, int seconds) {
		return this.one.isPostgresql() ? column + " + interval '" + seconds + " seconds'"
				: "dateadd(second, " + seconds + ", " + column + ")";
	}

	private static int leases(TestDatabase database, String condition) {
		return database.jdbc()
			.sql("select count(*) from once_job_lease where " + condition)
			.query(Integer.class)
			.single();
	}

	private static int effects(TestDatabase database, String condition) {
		return database.jdbc()
			.sql("select count(*) from once_effect_ledger where " + condition)
			.query(Integer.class)
			.single();
	}

	private void nodes(UnaryOperator<DataSource> wrapping, BiConsumer<Work, Work> work) {
		runner(wrapping, "a").run((first) -> {
			assertThat(first).hasNotFailed();
			runner(wrapping, "b").run((second) -> {
				assertThat(second).hasNotFailed();
				assertThat(first.getBean(LedgerHealth.class).obstacle()).isEmpty();
				work.accept(first.getBean(Work.class), second.getBean(Work.class));
			});
		});
	}

	private ApplicationContextRunner runner(UnaryOperator<DataSource> wrapping, String node) {
		Tenants tenants = new Tenants(Map.of("t2", this.two.newDataSource(4), "t1", this.one.newDataSource(4)));
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
			.withBean("dataSource", DataSource.class, () -> wrapping.apply(tenants))
			.withBean(Work.class, () -> new Work(this.farSide))
			.withPropertyValues("once.caretaker.interval=100ms");
	}

	static class Tenants extends AbstractRoutingDataSource implements DisposableBean {

		static final ThreadLocal<String> CURRENT = new ThreadLocal<>();

		private final Map<String, ? extends DataSource> targets;

		Tenants(Map<String, ? extends DataSource> targets) {
			this.targets = targets;
			setTargetDataSources(Map.copyOf(targets));
			afterPropertiesSet();
		}

		@Override
		protected Object determineCurrentLookupKey() {
			return CURRENT.get();
		}

		@Override
		public void destroy() throws Exception {
			for (DataSource target : this.targets.values()) {
				((AutoCloseable) target).close();
			}
		}

	}

	@FarSide(name = "payments", window = "3s", settleAfter = "5s")
	static class Work {

		private final List<String> farSide;

		Work(List<String> farSide) {
			this.farSide = farSide;
		}

		@OnceJob(name = "billing", overlap = Overlap.COALESCE, lease = "5s")
		void inRun(Runnable body) {
			body.run();
		}

		@OnceEffect(action = "charge", unobservable = Unobservable.ACCEPTED)
		void charge(@EffectTarget String invoice) {
			send(invoice);
		}

		@OnceEffect(action = "slow", unobservable = Unobservable.ACCEPTED)
		void slow(@EffectTarget String invoice, Runnable meanwhile) {
			meanwhile.run();
			send(invoice);
		}

		@OnceEffect(action = "later", unobservable = Unobservable.ACCEPTED)
		CompletableFuture<String> later(@EffectTarget String invoice, CompletableFuture<String> answer) {
			return answer;
		}

		@OnceEffect(action = "outcome", unobservable = Unobservable.ACCEPTED)
		Outcome<Void> outcome(@EffectTarget String invoice) {
			send(invoice);
			return Outcome.done(null);
		}

		@OnceEffect(action = "lost")
		Outcome<Void> lost(@EffectTarget String invoice) {
			send(invoice);
			throw new IllegalStateException("the answer is lost");
		}

		private void send(String invoice) {
			this.farSide.add(Tenants.CURRENT.get() + " " + invoice);
		}

		@OnceResolver("lost")
		Resolution<Void> find(UnresolvedEffect effect) {
			return Resolution.happened(null);
		}

	}

}
