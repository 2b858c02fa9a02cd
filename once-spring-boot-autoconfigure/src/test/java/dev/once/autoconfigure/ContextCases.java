package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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

import org.springframework.beans.factory.config.CustomScopeConfigurer;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.SchedulingConfigurer;

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

	/** Case 27: what one context has carried out is known to the others. */
	@Test
	void anOccurrenceIsCarriedOutInOneContextOnly() {
		Counter counter = new Counter();
		counter.goOn.countDown();
		Instant due = Instant.parse("2026-05-04T02:00:00Z");
		ApplicationContextRunner node = once().withBean(Nightly.class, () -> new Nightly(counter));
		node.run((first) -> {
			OnceOperations once = first.getBean(OnceOperations.class);
			once.at(due, first.getBean(Nightly.class)::run);
			node.run((second) -> second.getBean(OnceOperations.class).at(due, second.getBean(Nightly.class)::run));
			guarded().withParent(first.getSourceApplicationContext())
				.withBean("childNightly", Nightly.class, () -> new Nightly(counter))
				.run((child) -> child.getBean(OnceOperations.class)
					.at(due, child.getBean("childNightly", Nightly.class)::run));
			assertThat(counter.runs).hasValue(1);
			once.at(due.plusSeconds(1), first.getBean(Nightly.class)::run);
			assertThat(counter.runs).hasValue(2);
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

	/**
	 * Cases 24 and 25: however a bean is wired, two nodes that call it twice with one key
	 * make one effect, and the inventory lists as many as were annotated.
	 */
	@Test
	void howeverABeanIsWiredTwoNodesMakeOneEffect() {
		Wired.bodies.clear();
		ApplicationContextRunner node = once().withUserConfiguration(Wired.class);
		node.run((first) -> node.run((second) -> {
			for (ConfigurableApplicationContext context : List.of(first, second, first, second)) {
				context.getBean(Wired.Visible.class).open("w");
				context.getBean(Wired.Visible.class).inherited("w");
				context.getBean(Wired.Visible.class).inside("w");
				context.getBean(Wired.ByInterface.class).byInterface("w");
				context.getBean(Wired.Generic.class).generic("w");
				context.getBean("lazy", Wired.Heir.class).inheritedFrom("w");
				context.getBean(Wired.Prototype.class).prototype("w");
				context.getBean(Wired.Scoped.class).scoped("w");
			}
			await().until(() -> Wired.bodies.containsKey("by-configurer"));
			List<GuardedEffect> inventory = second.getBean(GuardedMethods.class).effects();
			assertThat(inventory).hasSize(9);
			assertThat(Wired.bodies.keySet())
				.containsExactlyInAnyOrderElementsOf(inventory.stream().map(GuardedEffect::action).toList());
			assertThat(Wired.bodies.values()).allSatisfy((bodies) -> assertThat(bodies).hasValue(1));
			assertThat(attempts("w")).isEqualTo(8);
		}));
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

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Wired {

		static final Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();

		static void body(String action) {
			bodies.computeIfAbsent(action, (key) -> new AtomicInteger()).incrementAndGet();
		}

		@Bean
		static CustomScopeConfigurer scopes() {
			CustomScopeConfigurer scopes = new CustomScopeConfigurer();
			scopes.addScope("thread", new SimpleThreadScope());
			return scopes;
		}

		@Bean
		Visible visible() {
			return new Visible();
		}

		@Bean
		ByInterface byInterface() {
			return new ByInterface();
		}

		@Bean
		Generic generic() {
			return new Generic();
		}

		@Bean
		@Lazy
		Heir lazy() {
			return new Heir();
		}

		@Bean
		@Scope("prototype")
		Prototype prototype() {
			return new Prototype();
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Scoped scoped() {
			return new Scoped();
		}

		@Bean
		ByConfigurer byConfigurer() {
			return new ByConfigurer();
		}

		@Bean
		SchedulingConfigurer configurer(ByConfigurer task) {
			return (registrar) -> registrar.addFixedDelayTask(task, Duration.ofHours(1));
		}

		static class Visible {

			@OnceEffect(action = "open", unobservable = Unobservable.ACCEPTED)
			public void open(@EffectTarget String target) {
				body("open");
			}

			@OnceEffect(action = "inherited", unobservable = Unobservable.ACCEPTED)
			protected void inherited(@EffectTarget String target) {
				body("inherited");
			}

			@OnceEffect(action = "inside", unobservable = Unobservable.ACCEPTED)
			void inside(@EffectTarget String target) {
				body("inside");
			}

		}

		interface Declares {

			@OnceEffect(action = "by-interface", unobservable = Unobservable.ACCEPTED)
			void byInterface(@EffectTarget String target);

		}

		static class ByInterface implements Declares {

			@Override
			public void byInterface(String target) {
				body("by-interface");
			}

		}

		interface DeclaresGeneric<T> {

			@OnceEffect(action = "generic", unobservable = Unobservable.ACCEPTED)
			void generic(@EffectTarget T target);

		}

		static class Generic implements DeclaresGeneric<String> {

			@Override
			public void generic(String target) {
				body("generic");
			}

		}

		static class Ancestor {

			@OnceEffect(action = "inherited-from", unobservable = Unobservable.ACCEPTED)
			public void inheritedFrom(@EffectTarget String target) {
				body("inherited-from");
			}

		}

		static class Heir extends Ancestor {

		}

		static class Prototype {

			@OnceEffect(action = "prototype", unobservable = Unobservable.ACCEPTED)
			public void prototype(@EffectTarget String target) {
				body("prototype");
			}

		}

		static class Scoped {

			@OnceEffect(action = "scoped", unobservable = Unobservable.ACCEPTED)
			public void scoped(@EffectTarget String target) {
				body("scoped");
			}

		}

		static class ByConfigurer implements Runnable {

			@Override
			@OnceEffect(action = "by-configurer", target = "'today'", unobservable = Unobservable.ACCEPTED)
			public void run() {
				body("by-configurer");
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
