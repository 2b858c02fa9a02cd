package dev.once.aop;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import dev.once.DueTime;
import dev.once.EffectTarget;
import dev.once.Grain;
import dev.once.OnceEffect;
import dev.once.OnceException;
import dev.once.OnceJob;
import dev.once.OnceOperations;
import dev.once.OnceScope;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Unobservable;
import dev.once.ledger.EffectRow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Effects that are the same fact for a day, a week or an occurrence only.
 */
@ExtendWith(OutputCaptureExtension.class)
class GrainTests {

	/** Half an hour after midnight in Zurich, the settings' zone. */
	private static final Instant MONDAY = Instant.parse("2026-05-03T22:30:00Z");

	private static final Instant TUESDAY = Instant.parse("2026-05-04T22:30:00Z");

	private final TestSettings settings = new TestSettings();

	private final GuardedContext guarded = GuardedContext.of(this.settings, Figures.class, Jobs.class, Bodies.class);

	private final Figures figures = this.guarded.get(Figures.class);

	private final Jobs jobs = this.guarded.get(Jobs.class);

	private final Bodies bodies = this.guarded.get(Bodies.class);

	private final OnceOperations once = this.guarded.get(OnceOperations.class);

	@AfterEach
	void close() {
		this.guarded.close();
	}

	@Test
	void anEffectIsTheSameFactForItsGrainOfTheDueTime() {
		this.once.at(MONDAY, () -> this.figures.daily("a"));
		this.once.at(MONDAY.plusSeconds(60), () -> this.figures.daily("a"));
		this.once.at(TUESDAY, () -> this.figures.daily("a"));
		this.once.at(MONDAY, () -> this.figures.weekly("a"));
		this.once.at(TUESDAY, () -> this.figures.weekly("a"));
		assertThat(labels()).containsExactlyInAnyOrder("daily/a/2026-05-04", "daily/a/2026-05-05", "weekly/a/2026-W19");
	}

	@Test
	void theDueTimesOwnZoneGoesBeforeTheSettings() {
		OnceScope.current().with(new DueTime(MONDAY, ZoneId.of("UTC"), null)).wrap(() -> this.figures.daily("a")).run();
		assertThat(labels()).containsExactly("daily/a/2026-05-03");
	}

	@Test
	void inARunTheGrainIsCutFromTheRunsDueTime() {
		this.bodies.body = () -> this.figures.daily("a");
		this.once.at(MONDAY, this.jobs::run);
		assertThat(labels()).containsExactly("daily/a/2026-05-04");
	}

	@Test
	void theOccurrenceAloneNamesAnEffectThatActsOnNothing() {
		this.once.at(MONDAY, this.figures::posted);
		this.once.at(MONDAY, this.figures::posted);
		this.once.at(TUESDAY, this.figures::posted);
		assertThat(labels()).containsExactlyInAnyOrder("posted/2026-05-03T22:30:00Z", "posted/2026-05-04T22:30:00Z");
	}

	@Test
	void aCallWithoutAnnotationMeansTheSameEffect() {
		this.once.at(MONDAY, () -> this.figures.daily("a"));
		Outcome<?> outcome = this.once.at(MONDAY,
				() -> this.once.effect("daily")
					.target("a")
					.grain(Grain.DAY)
					.unobservable(Unobservable.ACCEPTED)
					.perform((effect) -> {
					}));
		assertThat(outcome).isInstanceOfSatisfying(Outcome.Done.class, (done) -> assertThat(done.repeated()).isTrue());
	}

	@Test
	void aCallWithoutAnnotationMayHaveNoOtherGrain() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> this.once.effect("daily").target("a").perform((effect) -> {
			}))
			.withMessageContaining("Figures.daily(String)")
			.withMessageContaining("grain = DAY");
	}

	@ParameterizedTest
	@EnumSource(names = { "OCCURRENCE", "DAY" })
	void withoutADueTimeAGrainIsRefusedBeforeAnythingIsSent(Grain grain) {
		AtomicInteger sent = new AtomicInteger();
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.once.effect("other")
				.target("a")
				.grain(grain)
				.unobservable(Unobservable.ACCEPTED)
				.perform((effect) -> sent.incrementAndGet()))
			.withMessageContaining("grain is " + grain)
			.withMessageContaining("OnceOperations.at(due, ...)");
		assertThat(sent).hasValue(0);
		assertThat(this.guarded.rows()).isEmpty();
	}

	@Test
	void aRunWithoutADueTimeIsToldWhatToSet() {
		this.bodies.body = () -> this.figures.daily("a");
		assertThatExceptionOfType(OnceException.class).isThrownBy(this.jobs::run)
			.withMessageContaining("once.occurrence")
			.withMessageContaining("OnceOperations.at(due, ...)")
			.withMessageContaining("once.occurrence-from-clock");
		this.bodies.body = this.figures::posted;
		assertThatExceptionOfType(OnceException.class).isThrownBy(this.jobs::run)
			.withMessageContaining("carries out none that has a name");
		assertThat(this.guarded.rows()).isEmpty();
	}

	@Test
	void theClockIsTakenInARunWhereThatIsAsked(CapturedOutput output) {
		TestSettings settings = new TestSettings();
		settings.directDue = new DirectDue.FromClock();
		try (GuardedContext other = GuardedContext.of(settings, Figures.class, Jobs.class, Bodies.class)) {
			other.get(Bodies.class).body = () -> other.get(Figures.class).daily("a");
			other.get(Jobs.class).run();
			assertThat(other.row().facts().grain()).isNotNull();
			assertThat(output).contains("once.occurrence-from-clock is on");
			// Outside a run another thread might have known better
			assertThatExceptionOfType(OnceException.class).isThrownBy(() -> other.get(Figures.class).daily("b"));
		}
	}

	/** Rule: never a silently different key. */
	@Test
	void onAnotherThreadAGrainIsRefusedUnlessTheScopeIsHandedOver() {
		ExecutorService pool = Executors.newSingleThreadExecutor();
		try {
			this.bodies.body = () -> {
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> CompletableFuture.runAsync(() -> this.figures.daily("lost"), pool).join())
					.withMessageContaining("OnceScope.executor(...)");
				CompletableFuture.runAsync(() -> this.figures.daily("a"), OnceScope.executor(pool)).join();
				CompletableFuture.runAsync(OnceScope.current().wrap(() -> this.figures.daily("b")), pool).join();
				OnceScope scope = OnceScope.current();
				List.of("c", "d", "e", "f").parallelStream().map(scope.wrapFunction(this.figures::daily)).toList();
				CompletableFuture.runAsync(() -> this.figures.fact("g"), pool).join();
			};
			this.once.at(MONDAY, this.jobs::run);
			assertThat(CompletableFuture.supplyAsync(OnceScope::current, pool).join().run()).isNull();
		}
		finally {
			pool.shutdownNow();
		}
		assertThat(labels()).containsExactlyInAnyOrder("daily/a/2026-05-04", "daily/b/2026-05-04", "daily/c/2026-05-04",
				"daily/d/2026-05-04", "daily/e/2026-05-04", "daily/f/2026-05-04", "fact/g");
		assertThat(this.guarded.rows()).filteredOn((row) -> row.facts().label().startsWith("daily/"))
			.allSatisfy((row) -> assertThat(row.attempt().fence()).isNotNull());
	}

	private List<String> labels() {
		return this.guarded.rows().stream().map(EffectRow::facts).map((facts) -> facts.label()).toList();
	}

	static class Figures {

		@OnceEffect(action = "daily", grain = Grain.DAY, unobservable = Unobservable.ACCEPTED)
		@Nullable String daily(@EffectTarget String figure) {
			return figure;
		}

		@OnceEffect(action = "weekly", grain = Grain.WEEK, unobservable = Unobservable.ACCEPTED)
		void weekly(@EffectTarget String figure) {
		}

		@OnceEffect(action = "posted", grain = Grain.OCCURRENCE, unobservable = Unobservable.ACCEPTED)
		void posted() {
		}

		@OnceEffect(action = "fact", unobservable = Unobservable.ACCEPTED)
		void fact(@EffectTarget String figure) {
		}

	}

	static class Bodies {

		Runnable body = () -> {
		};

	}

	static class Jobs {

		private final Bodies bodies;

		Jobs(Bodies bodies) {
			this.bodies = bodies;
		}

		@OnceJob(name = "figures", overlap = Overlap.COALESCE)
		void run() {
			this.bodies.body.run();
		}

	}

}
