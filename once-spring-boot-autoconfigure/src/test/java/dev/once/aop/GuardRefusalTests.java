package dev.once.aop;

import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.Grain;
import dev.once.OnceEffect;
import dev.once.OnMissed;
import dev.once.OnceJob;
import dev.once.OnceResolver;
import dev.once.Outcome;
import dev.once.Overlap;
import dev.once.Resolution;
import dev.once.Unobservable;
import dev.once.UnresolvedEffect;
import dev.once.test.PackagePrivateSender;
import jakarta.annotation.PostConstruct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * What cannot be guarded stops the start, with the method's name and the mend.
 */
class GuardRefusalTests {

	private static final String LONG = "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffggggg";

	static Stream<Arguments> refused() {
		return Stream.of(arguments(Private.class, "Private.send(String)", "it is private"),
				arguments(Final.class, "Final.send(String)", "it is final"),
				arguments(Static.class, "Static.send(String)", "it is static"),
				arguments(OfAnotherPackage.class, "PackagePrivateSender.send(String)",
						"package-private in another package"),
				arguments(CalledByTheContainer.class, "CalledByTheContainer.send()", "the container calls it"),
				arguments(Initializing.class, "Initializing.afterPropertiesSet()", "the container calls it"),
				arguments(FinalClass.class, "FinalClass", "the class is final"),
				arguments(ARecord.class, "ARecord", "not a record"),
				arguments(BadAction.class, "BadAction.send(String)", "'Send It'"),
				arguments(LongAction.class, "LongAction.send(String)", "65 characters"),
				arguments(LongJob.class, "LongJob.run()", "Use at most 64 characters"),
				arguments(NoTarget.class, "NoTarget.send(String)", "@EffectTarget"),
				arguments(NoParameters.class, "NoParameters.send()", "has no target"),
				arguments(TargetAndInput.class, "TargetAndInput.send(String)", "target and input"),
				arguments(Unstable.class, "Unstable.send(InputStream)", "Parameter 'stream'"),
				arguments(Doubtful.class, "Doubtful.send(String, double)", "floatingPoint = true"),
				arguments(SecretWithoutKey.class, "SecretWithoutKey.send(String)", "once.key.secret"),
				arguments(Reactive.class, "Reactive.send(String)", "subscribes"),
				arguments(Flowing.class, "Flowing.send(String)", "subscribes"),
				arguments(AFuture.class, "AFuture.send(String)", "CompletableFuture"),
				arguments(Streaming.class, "Streaming.send(String)", "cannot be recorded"),
				arguments(RawOutcome.class, "RawOutcome.send(String)", "Outcome<Receipt>"),
				arguments(WildOutcome.class, "WildOutcome.send(String)", "Outcome<Receipt>"),
				arguments(AnObject.class, "AnObject.send(String)", "its answer's type"),
				arguments(FutureJob.class, "FutureJob.run()", "lease would end before"),
				arguments(ReactiveJob.class, "ReactiveJob.run()", "subscribes"),
				arguments(TwoJobs.class, "TwoJobs.two()", "declared twice"),
				arguments(JobsByDashes.class, "JobsByDashes", "differs only in dashes"),
				arguments(ActionsByDashes.class, "ActionsByDashes", "differs only in dashes"),
				arguments(UpperCaseJob.class, "UpperCaseJob.run()", "lower-case letters"),
				arguments(TwoNames.class, "TwoNames.run()", "'nightly', 'daily'"),
				arguments(QueueOfDelays.class, "QueueOfDelays.run()", "fixedRate instead of a fixedDelay"),
				arguments(QueueWithoutNames.class, "QueueWithoutNames.run(String)", "occurrence = \"#argument\""),
				arguments(NothingToMiss.class, "NothingToMiss.run()", "no due times that could be missed"),
				arguments(TwoJobBeans.class, "of bean 'second'", "two beans of one class need two names"),
				arguments(TwoBeans.class, "of bean 'us'", "declared by another bean"),
				arguments(OtherTerms.class, "OtherTerms", "declared with other terms"),
				arguments(OtherAnswer.class, "OtherAnswer", "declared with other terms"),
				arguments(TwoFarSides.class, "TwoFarSides", "declared otherwise too"),
				arguments(BadFarSide.class, "BadFarSide.send(String)", "far side is named 'Pay!'"),
				arguments(Unobserved.class, "Unobserved.send(String)", "nobody can tell"),
				arguments(AsksNobody.class, "AsksNobody.send(String)", "there is nobody to ask"),
				arguments(TwoResolvers.class, "TwoResolvers", "has another resolver"),
				arguments(ResolverOfNothing.class, "ResolverOfNothing.find()", "(UnresolvedEffect effect)"),
				arguments(ResolverOfText.class, "ResolverOfText.find(String)", "(UnresolvedEffect effect)"),
				arguments(ResolverWithoutResolution.class, "find(UnresolvedEffect)", "Resolution<Receipt>"),
				arguments(ResolverOfOther.class, "ResolverOfOther.find(UnresolvedEffect)",
						"Resolution<java.lang.String>"),
				arguments(PrivateResolver.class, "PrivateResolver.find(UnresolvedEffect)", "it is private"),
				arguments(TwinParts.class, "TwinParts.send(String)", "two parts"),
				arguments(DayWithoutTarget.class, "DayWithoutTarget.send()", "grain = OCCURRENCE"),
				arguments(OtherGrain.class, "OtherGrain", "declared with other terms"),
				arguments(FactJob.class, "FactJob.run()", "run once and never again"),
				arguments(ScheduledByArguments.class, "ScheduledByArguments.run()", "@Scheduled passes none"),
				arguments(BothNames.class, "BothNames.run(String)", "both occurrence and grain"),
				arguments(NoArgument.class, "NoArgument.run(String)", "uses no argument"),
				arguments(UnknownArgument.class, "UnknownArgument.run(String)", "no such parameter"),
				arguments(Unrecordable.class, "Unrecordable.run(InputStream)", "cannot be recorded"),
				arguments(UnrecordableOfDay.class, "UnrecordableOfDay.run(InputStream)", "cannot be recorded"));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void stopsTheStart(Class<?> bean, String where, String what) {
		InvalidGuardException refusal = GuardedContext.refusal(bean);
		assertThat(refusal).hasMessageContaining(where).hasMessageContaining(what);
		assertThat(refusal.problems()).isNotEmpty().allSatisfy((problem) -> assertThat(problem.mend()).isNotBlank());
	}

	/** Case 15 a. */
	@Test
	void aNameThatIsOneCharacterTooLongNamesMethodAndLimit() {
		assertThat(GuardedContext.refusal(LongAction.class))
			.hasMessageStartingWith("Method " + LongAction.class.getName() + ".send(String) of bean '")
			.hasMessageContaining("its action has a name of 65 characters")
			.hasMessageEndingWith("Use at most 64 characters.");
	}

	/** E8. */
	@Test
	void anUnobservableEffectIsToldItsThreeWaysOut() {
		assertThat(GuardedContext.refusal(Unobserved.class).problems().get(0).mend())
			.contains("@OnceResolver(\"send\")")
			.contains("once.far-sides.mail.remembers")
			.contains("unobservable = ACCEPTED");
	}

	@Test
	void anUnobservableEffectMayBeAcceptedForAll() {
		TestSettings settings = new TestSettings();
		settings.unobservableEffects = Unobservable.ACCEPTED;
		try (GuardedContext guarded = GuardedContext.of(settings, Unobserved.class)) {
			assertThat(guarded.methods().effects()).singleElement()
				.satisfies((effect) -> assertThat(effect.secondStoppedBy()).isEqualTo("person"));
		}
	}

	@Test
	void aFarSideThatDeduplicatesOrAResolverIsEnough() {
		try (GuardedContext guarded = GuardedContext.of(Remembered.class, Resolved.class)) {
			assertThat(guarded.methods().effects()).extracting(GuardedEffect::secondStoppedBy)
				.containsExactlyInAnyOrder("key 24h", "resolver");
		}
	}

	@Test
	void aNamedFarSideIsTheOneThatIsDeclaredElsewhere() {
		try (GuardedContext guarded = GuardedContext.of(Remembered.class, Borrowing.class)) {
			assertThat(guarded.methods().effects()).allSatisfy((effect) -> {
				assertThat(effect.farSide()).isEqualTo("mail");
				assertThat(effect.secondStoppedBy()).isEqualTo("key 24h");
			});
		}
	}

	/** O1: on another thread the due time of the firing is lost. */
	@ParameterizedTest
	@ValueSource(classes = { AsyncJob.class, AsyncClass.class, MetaAsync.class, AsyncEffect.class })
	void aJobOnAnotherThreadStopsTheStart(Class<?> bean) {
		assertThat(GuardedContext.refusal(new TestSettings().overlap("figure", Overlap.COALESCE), bean))
			.hasMessageContaining(bean.getSimpleName() + ".run()")
			.hasMessageContaining("nobody knows what it is due for")
			.hasMessageContaining("Take @Async away");
	}

	@Test
	void anEffectOnAnotherThreadThatNoTimerCallsIsNoJob() {
		try (GuardedContext guarded = GuardedContext.of(AsyncPlainEffect.class)) {
			assertThat(guarded.methods().jobs()).isEmpty();
		}
	}

	static class AsyncJob {

		@Async
		@Scheduled(cron = "0 0 2 * * *")
		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void run() {
		}

	}

	@Async
	static class AsyncClass {

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void run() {
		}

	}

	@Async
	@Retention(RetentionPolicy.RUNTIME)
	@interface InBackground {

	}

	static class MetaAsync {

		@InBackground
		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void run() {
		}

	}

	static class AsyncEffect {

		@Async
		@Scheduled(fixedRate = 1000)
		@OnceEffect(action = "figure", target = "'all'", unobservable = Unobservable.ACCEPTED)
		void run() {
		}

	}

	static class AsyncPlainEffect {

		@Async
		@OnceEffect(action = "figure", unobservable = Unobservable.ACCEPTED)
		void run(@EffectTarget String target) {
		}

	}

	@Test
	void aScheduledEffectIsAJobNamedAfterItsActionWhoseOverlapMustBeChosen() {
		try (GuardedContext guarded = GuardedContext.of(new TestSettings().overlap("figure", Overlap.COALESCE),
				Figures.class)) {
			assertThat(guarded.methods().jobs()).singleElement().satisfies((job) -> {
				assertThat(job.name()).isEqualTo("figure");
				assertThat(job.policy().overlap()).isEqualTo(Overlap.COALESCE);
			});
		}
		assertThat(catchThrowable(() -> GuardedContext.of(new TestSettings(), Figures.class).close()))
			.hasMessageContaining("once.jobs.figure.overlap")
			.hasMessageContaining("Figures.post()");
	}

	@Test
	void aFarSideMayBeDeclaredOnABeanThatGuardsNothing() {
		try (GuardedContext guarded = GuardedContext.of(Client.class, Borrowing.class)) {
			assertThat(guarded.methods().effects()).singleElement()
				.satisfies((effect) -> assertThat(effect.secondStoppedBy()).isEqualTo("key 48h"));
		}
	}

	@FarSide(name = "mail", remembers = "48h")
	static class Client {

	}

	static class DayWithoutTarget {

		@OnceEffect(action = "send", grain = Grain.DAY, unobservable = Unobservable.ACCEPTED)
		void send() {
		}

	}

	static class OtherGrain {

		@OnceEffect(action = "send", grain = Grain.DAY, unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void sendAgain(@EffectTarget String target) {
		}

	}

	static class FactJob {

		@OnceJob(name = "once", overlap = Overlap.COALESCE, grain = Grain.FACT)
		void run() {
		}

	}

	static class ScheduledByArguments {

		@Scheduled(cron = "0 0 2 * * *")
		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "#customer")
		void run() {
		}

	}

	static class BothNames {

		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "#customer", grain = Grain.DAY)
		void run(String customer) {
		}

	}

	static class NoArgument {

		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "'all'")
		void run(String customer) {
		}

	}

	static class UnknownArgument {

		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "#client")
		void run(String customer) {
		}

	}

	static class Unrecordable {

		@OnceJob(name = "export", overlap = Overlap.COALESCE, occurrence = "#stream.name")
		void run(InputStream stream) {
		}

	}

	static class UnrecordableOfDay {

		@OnceJob(name = "export", overlap = Overlap.COALESCE, grain = Grain.DAY)
		void run(InputStream stream) {
		}

	}

	static class OfAnotherPackage extends PackagePrivateSender {

	}

	static class CalledByTheContainer {

		@PostConstruct
		@OnceEffect(action = "send", target = "'start'", unobservable = Unobservable.ACCEPTED)
		void send() {
		}

	}

	static class Initializing implements InitializingBean {

		@Override
		@OnceEffect(action = "send", target = "'start'", unobservable = Unobservable.ACCEPTED)
		public void afterPropertiesSet() {
		}

	}

	static class Private {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		private void send(@EffectTarget String target) {
		}

	}

	static class Final {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public final void send(@EffectTarget String target) {
		}

	}

	static class Static {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		static void send(@EffectTarget String target) {
		}

	}

	static final class FinalClass {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	record ARecord() {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	static class BadAction {

		@OnceEffect(action = "Send It", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	static class LongAction {

		@OnceEffect(action = LONG, unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	static class LongJob {

		@OnceJob(name = LONG, overlap = Overlap.COALESCE)
		void run() {
		}

	}

	static class NoTarget {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectInput String text) {
		}

	}

	static class NoParameters {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send() {
		}

	}

	static class TargetAndInput {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget @EffectInput String target) {
		}

	}

	static class Unstable {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget InputStream stream) {
		}

	}

	static class Doubtful {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target, @EffectInput double amount) {
		}

	}

	static class SecretWithoutKey {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget(secret = true) String target) {
		}

	}

	static class Reactive {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Mono<String> send(@EffectTarget String target) {
			return Mono.empty();
		}

	}

	static class Flowing {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Flow.Publisher<String> send(@EffectTarget String target) {
			throw new IllegalStateException();
		}

	}

	static class AFuture {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Future<String> send(@EffectTarget String target) {
			throw new IllegalStateException();
		}

	}

	static class Streaming {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Stream<String> send(@EffectTarget String target) {
			return Stream.empty();
		}

	}

	static class RawOutcome {

		@SuppressWarnings("rawtypes")
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Outcome send(@EffectTarget String target) {
			return Outcome.done("");
		}

	}

	static class WildOutcome {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		Outcome<?> send(@EffectTarget String target) {
			return Outcome.done("");
		}

	}

	static class AnObject {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		CompletableFuture<Object> send(@EffectTarget String target) {
			return CompletableFuture.completedFuture("");
		}

	}

	static class FutureJob {

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		CompletableFuture<String> run() {
			return CompletableFuture.completedFuture("");
		}

	}

	static class ReactiveJob {

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		Mono<String> run() {
			return Mono.empty();
		}

	}

	static class JobsByDashes {

		@OnceJob(name = "nightly-billing", overlap = Overlap.COALESCE)
		public void one() {
		}

		@OnceJob(name = "nightlybilling", overlap = Overlap.COALESCE)
		public void two() {
		}

	}

	static class ActionsByDashes {

		@OnceEffect(action = "send-mail", unobservable = Unobservable.ACCEPTED)
		public void one(@EffectTarget String to) {
		}

		@OnceEffect(action = "sendmail", unobservable = Unobservable.ACCEPTED)
		public void two(@EffectTarget String to) {
		}

	}

	static class UpperCaseJob {

		@OnceJob(name = "Nightly", overlap = Overlap.COALESCE)
		public void run() {
		}

	}

	interface Daily {

		@OnceJob(name = "daily", overlap = Overlap.COALESCE)
		void run();

	}

	static class TwoNames implements Daily {

		@Override
		@OnceJob(name = "nightly", overlap = Overlap.COALESCE)
		public void run() {
		}

	}

	static class QueueOfDelays {

		@Scheduled(fixedDelay = 5000)
		@OnceJob(name = "delays", overlap = Overlap.QUEUE)
		public void run() {
		}

	}

	static class QueueWithoutNames {

		@OnceJob(name = "export", overlap = Overlap.QUEUE)
		public void run(String customer) {
		}

	}

	static class NothingToMiss {

		@OnceJob(name = "triggered", overlap = Overlap.COALESCE, onMissed = OnMissed.RUN_ALL)
		public void run() {
		}

	}

	static class TwoJobs {

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void one() {
		}

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void two() {
		}

	}

	/** Case 27: two beans of the job's class. */
	@Configuration(proxyBeanMethods = false)
	static class TwoJobBeans {

		@Bean
		AJob first() {
			return new AJob();
		}

		@Bean
		AJob second() {
			return new AJob();
		}

	}

	static class AJob {

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBeans {

		@Bean
		Remembered eu() {
			return new Remembered();
		}

		@Bean
		Remembered us() {
			return new Remembered();
		}

	}

	static class OtherTerms {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

		@FarSide(name = "other")
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget Integer target) {
		}

	}

	static class OtherAnswer {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		String send(@EffectTarget Integer target) {
			return "";
		}

	}

	static class TwoFarSides {

		@FarSide(name = "other")
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

		@FarSide(name = "other", remembers = "24h")
		@OnceEffect(action = "send-on", unobservable = Unobservable.ACCEPTED)
		void sendOn(@EffectTarget String target) {
		}

	}

	static class BadFarSide {

		@FarSide(name = "Pay!")
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	@FarSide(name = "mail")
	static class Unobserved {

		@OnceEffect(action = "send")
		void send(@EffectTarget String target) {
		}

	}

	static class AsksNobody {

		@OnceEffect(action = "send", askFirst = true, unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	static class TwoResolvers {

		@OnceResolver("send")
		Resolution<String> find(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

		@OnceResolver("send")
		Resolution<String> search(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

	}

	static class ResolverOfNothing {

		@OnceResolver("send")
		Resolution<String> find() {
			return Resolution.cannotTell();
		}

	}

	static class ResolverOfText {

		@OnceResolver("send")
		Resolution<String> find(String key) {
			return Resolution.cannotTell();
		}

	}

	static class ResolverWithoutResolution {

		@OnceResolver("send")
		boolean find(UnresolvedEffect effect) {
			return true;
		}

	}

	static class ResolverOfOther {

		@OnceEffect(action = "send")
		String send(@EffectTarget String target) {
			return "";
		}

		@OnceResolver("send")
		Resolution<Integer> find(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

	}

	static class PrivateResolver {

		@OnceResolver("send")
		private Resolution<String> find(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

	}

	static class TwinParts {

		@OnceEffect(action = "send", target = "#target", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget String target) {
		}

	}

	@FarSide(name = "mail", remembers = "24h")
	static class Remembered {

		@OnceEffect(action = "send")
		void send(@EffectTarget String target) {
		}

	}

	static class Borrowing {

		@OnceEffect(action = "send-on", farSide = "mail")
		void send(@EffectTarget String target) {
		}

	}

	static class Resolved {

		@OnceEffect(action = "order")
		int order(@EffectTarget String target) {
			return 1;
		}

		@OnceResolver("order")
		Resolution<Integer> find(UnresolvedEffect effect) {
			return Resolution.cannotTell();
		}

	}

	static class Figures {

		@Scheduled(cron = "0 0 6 * * *")
		@OnceEffect(action = "figure", target = "'all'", unobservable = Unobservable.ACCEPTED)
		void post() {
		}

	}

}
