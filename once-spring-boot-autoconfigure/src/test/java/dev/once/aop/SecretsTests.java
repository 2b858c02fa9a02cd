package dev.once.aop;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.once.EffectInput;
import dev.once.EffectRefusedException;
import dev.once.EffectTarget;
import dev.once.JobRun;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Case 18: no argument, no exception's message and no object's text is logged or stored
 * by a guarded call.
 */
@ExtendWith(OutputCaptureExtension.class)
class SecretsTests {

	private static final String TOKEN = "s3cr3t-CANARY-42";

	private static final Logger once = (Logger) LoggerFactory.getLogger("dev.once");

	private final TestSettings settings = new TestSettings();

	@BeforeEach
	void logEverything() {
		this.settings.keySecret = true;
		once.setLevel(Level.TRACE);
	}

	@AfterEach
	void logAsBefore() {
		once.setLevel(null);
	}

	@Test
	void neitherLogNorLedgerNorMessagesShowIt(CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(this.settings, Resets.class, Job.class)) {
			Resets resets = guarded.get(Resets.class);
			for (Ending ending : Ending.values()) {
				Throwable first = catchThrowable(() -> resets.reset(ending.name(), TOKEN, new Tattler(), ending));
				Throwable second = catchThrowable(() -> resets.reset(ending.name(), TOKEN, new Tattler(), ending));
				assertThat(first == null).isEqualTo(ending == Ending.DONE);
				assertThat(second == null || !String.valueOf(second.getMessage()).contains("CANARY")).isTrue();
			}
			catchThrowable(() -> guarded.get(Job.class).run());
			assertThat(guarded.rows()).hasSize(Ending.values().length);
			assertThat(guarded.rows().toString()).doesNotContain("CANARY");
			assertThat(output.toString()).doesNotContain("CANARY");
		}
	}

	@Test
	void theKeyStillTellsTwoSecretsApart() {
		try (GuardedContext guarded = GuardedContext.of(this.settings, Resets.class)) {
			Resets resets = guarded.get(Resets.class);
			resets.reset("a", TOKEN, new Tattler(), Ending.DONE);
			resets.reset("a", TOKEN + "x", new Tattler(), Ending.DONE);
			resets.reset("a", TOKEN, new Tattler(), Ending.DONE);
			assertThat(guarded.rows()).hasSize(2);
		}
	}

	enum Ending {

		DONE, REFUSED, LOST

	}

	/** An object that gives itself away when it is printed. */
	static class Tattler {

		@Override
		public String toString() {
			return TOKEN;
		}

	}

	static class Resets {

		@OnceEffect(action = "reset", unobservable = Unobservable.ACCEPTED)
		void reset(@EffectTarget String user, @EffectInput(secret = true) String token, Tattler other, Ending ending) {
			if (ending == Ending.REFUSED) {
				throw new EffectRefusedException("refused: " + token);
			}
			if (ending == Ending.LOST) {
				throw new IllegalStateException("echo " + token);
			}
		}

	}

	static class Job {

		@OnceJob(name = "resetting", overlap = Overlap.COALESCE)
		void run() {
			JobRun.current().each(List.of(new Tattler()), (item) -> {
				throw new IllegalStateException(item.toString());
			});
			throw new IllegalArgumentException(TOKEN);
		}

	}

}
