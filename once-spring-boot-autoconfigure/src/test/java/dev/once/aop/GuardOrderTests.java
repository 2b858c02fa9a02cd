package dev.once.aop;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import dev.once.Effect;
import dev.once.EffectNotSentException;
import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.Unobservable;
import dev.once.ledger.EffectState;
import org.junit.jupiter.api.Test;

import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
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
 * The advisor's place: inside {@code @Async} and {@code @Retryable}, outside
 * {@code @Transactional}.
 */
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
