package dev.once.aop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;

import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.ledger.EffectState;
import io.github.resilience4j.common.retry.configuration.CommonRetryConfigurationProperties.InstanceProperties;
import io.github.resilience4j.retry.annotation.Retry;
import io.github.resilience4j.spring6.fallback.configure.FallbackConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfiguration;
import io.github.resilience4j.spring6.retry.configure.RetryConfigurationProperties;
import io.github.resilience4j.spring6.spelresolver.configure.SpelResolverConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AspectJAroundAdvice;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The advisor's place: inside {@code @Async}, {@code @ConcurrencyLimit},
 * {@code @Retryable} and Resilience4j's {@code @Retry}, outside {@code @Cacheable} and
 * {@code @Transactional}.
 */
@ExtendWith(OutputCaptureExtension.class)
class GuardOrderTests {

	@Test
	void everyRetryIsAnAttemptOfItsOwnAndTheTransactionEndsBeforeTheSettle() {
		try (GuardedContext guarded = GuardedContext.of(Advised.class, Mails.class)) {
			Mails mails = guarded.get(Mails.class);
			assertThat(AopUtils.isCglibProxy(mails)).isTrue();
			guarded.get(Log.class).guarded = guarded;
			mails.send("a");
			assertThat(guarded.row().state()).isEqualTo(EffectState.DONE);
			assertThat(guarded.row().attempt().number()).isEqualTo(3);
			assertThat(guarded.get(Log.class).lines).containsExactly("hand over", "begin", "body 1 in transaction",
					"rollback while SUBMITTED", "begin", "body 2 in transaction", "rollback while SUBMITTED", "begin",
					"body 3 in transaction", "commit while SUBMITTED");
		}
	}

	@Test
	void everyRetryOfResilience4jIsAnAttemptOfItsOwn() {
		try (GuardedContext guarded = GuardedContext.of(Resilient.class, Letters.class)) {
			Letters letters = guarded.get(Letters.class);
			letters.send("a");
			assertThat(guarded.row().state()).isEqualTo(EffectState.DONE);
			assertThat(guarded.row().attempt().number()).isEqualTo(3);
		}
	}

	@Test
	void theOrderIsFixed(CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(Advised.class, Cached.class, Resilient.class,
				Everything.class)) {
			Object bean = guarded.context().getBean("guardOrderTests.Everything");
			List<String> advice = Arrays.stream(((org.springframework.aop.framework.Advised) bean).getAdvisors())
				.map(Advisor::getAdvice)
				.map((each) -> (each instanceof AspectJAroundAdvice aspect)
						? aspect.getAspectJAdviceMethod().getDeclaringClass() : each.getClass())
				.map(Class::getSimpleName)
				.filter((each) -> !each.equals("ExposeInvocationInterceptor"))
				.toList();
			assertThat(advice.subList(0, 5)).containsExactly("AnnotationAsyncExecutionInterceptor",
					"ConcurrencyLimitInterceptor", "RetryAnnotationInterceptor", "RetryAspect", "GuardInterceptor");
			assertThat(advice.subList(5, 7)).containsExactlyInAnyOrder("CacheInterceptor", "TransactionInterceptor");
			assertThat(output).containsOnlyOnce("it is @Cacheable, and an answer from the cache is recorded");
		}
	}

	static class Everything {

		@Async
		@ConcurrencyLimit(2)
		@Retryable
		@Retry(name = "mail")
		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		@Cacheable("mails")
		@Transactional
		public void send(@EffectTarget String address) {
		}

	}

	static class Letters {

		@Retry(name = "mail")
		@OnceEffect(action = "letter", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String address) {
			if (Effect.current().attempt() < 3) {
				throw new EffectNotSentException("not yet");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Cached {

		@Bean
		CacheManager cacheManager() {
			return new ConcurrentMapCacheManager();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAspectJAutoProxy
	@Import({ RetryConfiguration.class, FallbackConfiguration.class, SpelResolverConfiguration.class })
	static class Resilient {

		@Bean
		RetryConfigurationProperties retryProperties() {
			RetryConfigurationProperties properties = new RetryConfigurationProperties();
			properties.getInstances()
				.put("mail", new InstanceProperties().setMaxAttempts(3).setWaitDuration(Duration.ofMillis(1)));
			return properties;
		}

	}

	static class Log {

		final List<String> lines = new ArrayList<>();

		GuardedContext guarded;

	}

	static class Mails {

		private final Log log;

		Mails(Log log) {
			this.log = log;
		}

		@Async
		@Retryable(maxRetries = 3, delay = 0)
		@Transactional
		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String address) {
			int attempt = Effect.current().attempt();
			this.log.lines.add("body " + attempt
					+ (TransactionSynchronizationManager.isActualTransactionActive() ? " in transaction" : ""));
			if (attempt < 3) {
				throw new EffectNotSentException("not yet");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	@EnableTransactionManagement
	@EnableResilientMethods
	static class Advised {

		@Bean
		Log log() {
			return new Log();
		}

		@Bean
		Executor taskExecutor(Log log) {
			return (work) -> {
				log.lines.add("hand over");
				work.run();
			};
		}

		@Bean
		PlatformTransactionManager transactionManager(Log log) {
			return new LoggingTransactions(log);
		}

	}

	static class LoggingTransactions extends AbstractPlatformTransactionManager {

		private final transient Log log;

		LoggingTransactions(Log log) {
			this.log = log;
		}

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.log.lines.add("begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.log.lines.add("commit while " + this.log.guarded.row().state());
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.log.lines.add("rollback while " + this.log.guarded.row().state());
		}

	}

}
