package dev.once.autoconfigure;

import java.time.OffsetDateTime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.aop.GuardedEffect;
import dev.once.aop.GuardedMethods;
import dev.once.aop.InvalidGuardException;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Case 27: the application is there twice in one JVM, side by side or as parent and
 * child.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
abstract class ContextCases {

	private final TestDatabase database = database();

	private HikariDataSource dataSource;

	abstract TestDatabase database();

	@BeforeAll
	void open() {
		this.dataSource = this.database.newDataSource(8);
	}

	@AfterAll
	void close() {
		this.database.close();
	}

	/**
	 * Case 27: neither context enters, renews or releases the other's lease.
	 */
	@Test
	void twoContextsInOneJvmAreTwoOwnersAndTheEndOfOneLeavesTheOthersLease() {
		Counter counter = new Counter();
		once().withBean(Nightly.class, () -> new Nightly(counter)).run((first) -> {
			CompletableFuture<Void> run = CompletableFuture.runAsync(first.getBean(Nightly.class)::run);
			await().until(() -> counter.runs.get() == 1);
			String owner = text("owner");
			once().withBean(Nightly.class, () -> new Nightly(counter)).run((second) -> {
				second.getBean(Nightly.class).run();
				assertThat(counter.runs).hasValue(1);
			});
			assertThat(text("owner")).isEqualTo(owner);
			OffsetDateTime closed = leaseUntil();
			await().until(() -> leaseUntil().isAfter(closed));
			once().withBean(Nightly.class, () -> new Nightly(counter)).run((third) -> {
				third.getBean(Nightly.class).run();
				assertThat(counter.runs).hasValue(1);
			});
			counter.goOn.countDown();
			run.join();
			assertThat(text("owner")).isNull();
		});
	}

	/** Case 27: each guards its own beans, once, and one job in both is one job. */
	@Test
	void parentAndChildGuardTheirOwnAndShareAJobByItsLease(CapturedOutput output) {
		Counter counter = new Counter();
		once().withBean(Mails.class).withBean(Nightly.class, () -> new Nightly(counter)).run((parent) -> {
			ApplicationContextRunner child = guarded().withParent(parent.getSourceApplicationContext())
				.withBean(Letters.class)
				.withBean("childNightly", Nightly.class, () -> new Nightly(counter));
			child.run((context) -> {
				assertThat(context).hasNotFailed();
				GuardedMethods methods = context.getBean(GuardedMethods.class);
				assertThat(methods.effects()).extracting(GuardedEffect::action).containsExactly("letter");
				assertThat(methods.withParents()).hasSize(2);
				assertThat(methods.resolvable("mail")).isNotNull();
				assertThat(parent.getBean(GuardedMethods.class).resolvable("letter")).isNotNull();
				assertThat(context.getBean(OnceOperations.class)).isNotSameAs(parent.getBean(OnceOperations.class));
				for (int i = 0; i < 2; i++) {
					parent.getBean(Mails.class).send("parent");
					context.getBean(Mails.class).send("parent");
					context.getBean(Letters.class).send("child");
				}
				assertThat(attempts("parent")).isEqualTo(1);
				assertThat(attempts("child")).isEqualTo(1);
				assertThat(output).containsOnlyOnce("Declared here and in a parent context, and treated as one")
					.contains("job 'nightly' (childNightly.run())");
				CompletableFuture<Void> run = CompletableFuture.runAsync(parent.getBean(Nightly.class)::run);
				await().until(() -> counter.runs.get() == 1);
				context.getBean("childNightly", Nightly.class).run();
				assertThat(counter.runs).hasValue(1);
				counter.goOn.countDown();
				run.join();
			});
			assertThat(parent.getBean(GuardedMethods.class).resolvable("letter")).isNull();
		});
	}

	@Test
	void aChildMayHavePropertiesOfNamesThatTheParentDeclares() {
		once().withBean(Mails.class)
			.run((parent) -> guarded().withParent(parent.getSourceApplicationContext())
				.withPropertyValues("once.effects.mail.changed-fact=proceed")
				.run((child) -> assertThat(child).hasNotFailed()));
	}

	@Test
	void aChildWithoutOnceDoesNotRunUnguarded() {
		once().run((parent) -> {
			ConfigurableApplicationContext above = parent.getSourceApplicationContext();
			new ApplicationContextRunner().withParent(above)
				.withBean("bare", Letters.class)
				.run((child) -> assertThat(child).getFailure()
					.isInstanceOf(InvalidGuardException.class)
					.hasMessageContaining("Bean 'bare'")
					.hasMessageContaining("it is in a child context, and Once is in the parent alone"));
			// The proxy creator that comes with AspectJ takes the parent's advisor
			new ApplicationContextRunner().withParent(above)
				.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
				.withBean("woven", Letters.class)
				.run((child) -> {
					child.getBean(Letters.class).send("woven");
					child.getBean(Letters.class).send("woven");
					assertThat(attempts("woven")).isEqualTo(1);
				});
		});
	}

	private ApplicationContextRunner once() {
		return guarded().withBean("dataSource", HikariDataSource.class, () -> this.dataSource,
				(definition) -> definition.setDestroyMethodName(""));
	}

	private static ApplicationContextRunner guarded() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class));
	}

	private Integer attempts(String target) {
		return this.database.jdbc()
			.sql("select sum(attempt) from once_effect_ledger where target = ?")
			.param(target)
			.query(Integer.class)
			.single();
	}

	private String text(String column) {
		return this.database.jdbc()
			.sql("select " + column + " from once_job_lease where job_key = 'nightly'")
			.query((row, number) -> row.getString(1))
			.list()
			.get(0);
	}

	private OffsetDateTime leaseUntil() {
		return this.database.jdbc()
			.sql("select lease_until from once_job_lease where job_key = 'nightly'")
			.query(OffsetDateTime.class)
			.single();
	}

	static class Counter {

		final AtomicInteger runs = new AtomicInteger();

		final CountDownLatch goOn = new CountDownLatch(1);

	}

	static class Nightly {

		private final Counter counter;

		Nightly(Counter counter) {
			this.counter = counter;
		}

		@OnceJob(name = "nightly", overlap = Overlap.COALESCE, lease = "5s")
		public void run() {
			this.counter.runs.incrementAndGet();
			try {
				this.counter.goOn.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	static class Mails {

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String address) {
		}

	}

	static class Letters {

		@OnceEffect(action = "letter", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String address) {
		}

	}

}
