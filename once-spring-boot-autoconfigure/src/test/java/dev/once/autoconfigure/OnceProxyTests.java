package dev.once.autoconfigure;

import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.aop.GuardedMethods;
import dev.once.aop.InvalidGuardException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.aop.aspectj.annotation.AnnotationAwareAspectJAutoProxyCreator;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Guarded beans under each of Boot's ways to make proxies.
 */
@ExtendWith(OutputCaptureExtension.class)
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
			assertThat(context.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME))
				.isInstanceOf(AnnotationAwareAspectJAutoProxyCreator.class);
			assertThat(context.getBean(GuardedMethods.class).effects()).hasSize(1);
		});
	}

	@Test
	void withoutSpringsProxyCreatorOnceRegistersOne() {
		this.runner.withPropertyValues("spring.aop.auto=false").run((context) -> {
			// The one that there is without AspectJ: it sees infrastructure advisors only
			assertThat(context.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME))
				.isInstanceOf(InfrastructureAdvisorAutoProxyCreator.class);
			assertThat(AopUtils.isCglibProxy(context.getBean("mails"))).isTrue();
		});
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

	@Test
	void everythingThatCannotBeGuardedIsListedWithItsMend() {
		this.runner.withBean(Sealed.class).withBean(Careless.class).run((context) -> {
			FailureAnalysis analysis = new InvalidGuardFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis.getDescription().lines()).hasSize(5)
				.allSatisfy((line) -> assertThat(line).matches("\\d\\. (Bean|Method) .*\\."))
				.anySatisfy((line) -> assertThat(line).contains("the class is final"))
				.anySatisfy((line) -> assertThat(line).contains("Careless.hidden(String)").contains("it is private"))
				.anySatisfy((line) -> assertThat(line).contains("Careless.hidden(String)").contains("subscribes"))
				.anySatisfy((line) -> assertThat(line).contains("Careless.fixed(String)").contains("it is final"))
				.anySatisfy((line) -> assertThat(line).contains("Careless.all (OnceProxyTests.java:"));
			assertThat(analysis.getAction().lines()).hasSize(5)
				.allSatisfy((line) -> assertThat(line).matches("\\d\\. [A-Z].*\\."));
		});
	}

	@Test
	void theUserSeesWhatIsWrongAndTheMend(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
				.run("--spring.datasource.url=jdbc:h2:mem:proxies;DB_CLOSE_DELAY=-1"));
		assertThat(output).contains("APPLICATION FAILED TO START")
			.containsPattern("Description:\\s+1\\. ")
			.containsPattern("Action:\\s+1\\. ")
			.contains("Make it package-private, protected or public.");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, OnceSchemaAutoConfiguration.class,
			OnceAutoConfiguration.class })
	@Import({ Careless.class, Selfish.class })
	static class Application {

	}

	@Test
	void selfInvocationMayBeLoweredToAWarning() {
		this.runner.withBean(Selfish.class)
			.withPropertyValues("once.self-invocation=warn")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withBean(Selfish.class).run((context) -> assertThat(context).hasFailed());
	}

	static final class Sealed {

		@OnceEffect(action = "sealed", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String address) {
		}

	}

	static class Careless {

		@OnceEffect(action = "hidden", unobservable = Unobservable.ACCEPTED)
		private Mono<String> hidden(@EffectTarget String address) {
			return Mono.empty();
		}

		@OnceEffect(action = "fixed", unobservable = Unobservable.ACCEPTED)
		public final void fixed(@EffectTarget String address) {
		}

		@OnceEffect(action = "open", unobservable = Unobservable.ACCEPTED)
		public void open(@EffectTarget String address) {
		}

		void all() {
			open("a");
		}

	}

	static class Selfish {

		@OnceEffect(action = "selfish", unobservable = Unobservable.ACCEPTED)
		public void open(@EffectTarget String address) {
		}

		void all() {
			open("a");
		}

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
