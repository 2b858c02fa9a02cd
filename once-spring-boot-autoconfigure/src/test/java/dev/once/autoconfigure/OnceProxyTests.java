package dev.once.autoconfigure;

import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.aop.GuardedMethods;
import dev.once.aop.InvalidGuardException;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Guarded beans under each of Boot's ways to make proxies.
 */
class OnceProxyTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, DataSourceAutoConfiguration.class,
				DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class,
				OnceSchemaAutoConfiguration.class, OnceAutoConfiguration.class))
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:proxies;DB_CLOSE_DELAY=-1")
		.withBean("mails", Mails.class);

	@Test
	void byDefaultTheClassIsExtended() {
		this.runner.run((context) -> {
			assertThat(AopUtils.isCglibProxy(context.getBean("mails"))).isTrue();
			assertThat(context.getBean(GuardedMethods.class).effects()).hasSize(1);
		});
	}

	@Test
	void withoutSpringsProxyCreatorOnceRegistersOne() {
		this.runner.withPropertyValues("spring.aop.auto=false")
			.run((context) -> assertThat(AopUtils.isCglibProxy(context.getBean("mails"))).isTrue());
	}

	@Test
	void aChoiceOfInterfaceProxiesIsKept() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false").run((context) -> {
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean("mails"))).isTrue();
			assertThat(context.getBean(GuardedMethods.class).effects()).hasSize(1);
		});
	}

	@Test
	void aMethodThatTheInterfaceLacksStopsTheStartWithItsMend() {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false").withBean(Hidden.class).run((context) -> {
			Throwable failure = context.getStartupFailure();
			assertThat(failure).isInstanceOf(InvalidGuardException.class);
			FailureAnalysis analysis = new InvalidGuardFailureAnalyzer().analyze(failure);
			assertThat(analysis.getDescription()).contains("Hidden.send(String)");
			assertThat(analysis.getAction()).contains("spring.aop.proxy-target-class=true");
		});
	}

	interface Mailer {

		void mail(String address);

	}

	static class Mails implements Mailer {

		@Override
		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		public void mail(@EffectTarget String address) {
		}

	}

	static class Hidden implements Mailer {

		@Override
		public void mail(String address) {
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String address) {
		}

	}

}
