package dev.once.autoconfigure;

import java.sql.DriverManager;
import java.util.List;

import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.aop.GuardedMethods;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose context was processed ahead of time is guarded as any other.
 */
class OnceAheadOfTimeTests {

	static {
		// The class loader that asks first is the one whose drivers all tests find
		DriverManager.drivers();
	}

	private static final String URL = "spring.datasource.url=jdbc:h2:mem:aot;DB_CLOSE_DELAY=-1";

	@Test
	@CompileWithForkedClassLoader
	@SuppressWarnings("unchecked")
	void aContextThatWasProcessedAheadOfTimeIsGuarded() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializer = process(generation);
		checkHints(generation.getRuntimeHints());
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			GenericApplicationContext context = new GenericApplicationContext();
			TestPropertyValues.of(URL).applyTo(context);
			compiled.getInstance(ApplicationContextInitializer.class, initializer.canonicalName()).initialize(context);
			context.refresh();
			try (context) {
				Mails mails = context.getBean(Mails.class);
				assertThat(AopUtils.isCglibProxy(mails)).isTrue();
				assertThat(mails.send("a").orElseThrow()).isEqualTo(new Receipt("1"));
				assertThat(mails.send("a").orElseThrow()).isEqualTo(new Receipt("1"));
				mails.run();
				assertThat(mails.sent()).isOne();
				GuardedMethods methods = context.getBean(GuardedMethods.class);
				assertThat(List.of(methods.jobs().size(), methods.effects().size())).containsExactly(1, 1);
			}
		});
	}

	private static ClassName process(TestGenerationContext generation) {
		AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(URL).applyTo(context);
		context.register(Application.class);
		return new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
	}

	private static void checkHints(RuntimeHints hints) {
		assertThat(RuntimeHintsPredicates.resource().forResource("dev/once/jdbc/changelog/once.sql")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Mails.class, "send")).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Receipt.class, "number")).accepts(hints);
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
			OnceSchemaAutoConfiguration.class, OnceHttpAutoConfiguration.class, OnceAutoConfiguration.class })
	@Import(Mails.class)
	static class Application {

	}

	record Receipt(String number) {

	}

	static class Mails {

		private int sent;

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		public Outcome<Receipt> send(@EffectTarget String address) {
			this.sent++;
			return Outcome.done(new Receipt(String.valueOf(this.sent)));
		}

		@OnceJob(name = "mails", overlap = Overlap.COALESCE)
		public void run() {
		}

		public int sent() {
			return this.sent;
		}

	}

}
