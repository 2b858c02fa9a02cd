package dev.once.aop;

import java.util.concurrent.CompletableFuture;

import dev.once.EffectTarget;
import dev.once.NotGuardedException;
import dev.once.Once;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.Overlap;
import dev.once.Unobservable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Case 24: what no scan can see fails loudly where the code asks for it.
 */
class AssertGuardedTests {

	private static final GuardedContext guarded = start();

	private static GuardedContext start() {
		TestSettings settings = new TestSettings().selfInvocation(SelfInvocation.WARN);
		return GuardedContext.of(settings, Mails.class);
	}

	@AfterAll
	static void close() {
		guarded.close();
	}

	@Test
	void itHoldsInEffectsJobsAndDescribedEffects() {
		Mails mails = guarded.get(Mails.class);
		mails.send("held");
		mails.run();
		guarded.get(OnceOperations.class)
			.effect("described")
			.target("a")
			.unobservable(Unobservable.ACCEPTED)
			.perform((effect) -> mails.helper());
		assertThat(mails.helped()).isEqualTo(3);
		assertThat(guarded.rows()).hasSize(2);
	}

	@Test
	void itFailsOnAnObjectMadeWithNew() {
		assertThatExceptionOfType(NotGuardedException.class).isThrownBy(() -> new Mails().send("a"))
			.withMessageStartingWith(Mails.class.getName() + ".send runs outside effect 'mail', within no guarded call")
			.withMessageContaining("not on an object made with new");
		assertThatExceptionOfType(NotGuardedException.class).isThrownBy(() -> new Mails().run())
			.withMessageContaining("outside job 'mails'");
		assertThatExceptionOfType(NotGuardedException.class).isThrownBy(() -> new Mails().helper())
			.withMessageContaining("outside any effect or run");
	}

	@Test
	void itFailsThroughThisEvenWithinARunOrAnotherEffect() {
		Mails mails = guarded.get(Mails.class);
		assertThatExceptionOfType(NotGuardedException.class).isThrownBy(mails::runAll)
			.withMessageContaining("outside effect 'mail', within a run of job 'all-mails'");
		assertThatExceptionOfType(NotGuardedException.class).isThrownBy(() -> mails.forward("through-this"))
			.withMessageContaining("outside effect 'mail', within effect 'forward'");
	}

	@Test
	void itFailsOnAnotherThread() {
		assertThat(guarded.get(Mails.class).elsewhere("a")).isEqualTo("NotGuardedException");
	}

	static class Mails {

		private int helped;

		@OnceEffect(action = "mail", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String target) {
			Once.assertGuarded();
			helper();
		}

		@OnceEffect(action = "forward", unobservable = Unobservable.ACCEPTED)
		public void forward(@EffectTarget String target) {
			send(target);
		}

		@OnceJob(name = "mails", overlap = Overlap.COALESCE)
		public void run() {
			Once.assertGuarded();
			helper();
		}

		@OnceJob(name = "all-mails", overlap = Overlap.COALESCE)
		public void runAll() {
			send("a");
		}

		@OnceEffect(action = "elsewhere", unobservable = Unobservable.ACCEPTED)
		public String elsewhere(@EffectTarget String target) {
			return CompletableFuture.runAsync(Once::assertGuarded)
				.handle((nothing, failure) -> failure.getCause().getClass().getSimpleName())
				.join();
		}

		void helper() {
			Once.assertGuarded();
			this.helped++;
		}

		int helped() {
			return this.helped;
		}

	}

}
