package dev.once.aop;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.once.EffectTarget;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Case 24: a call that stays within the object passes Once by, and is found in the
 * object's bytecode.
 */
@ExtendWith(OutputCaptureExtension.class)
class SelfInvocationTests {

	static Stream<Arguments> certain() {
		return Stream.of(arguments(CallsThis.class, "CallsThis.all (SelfInvocationTests.java:"),
				arguments(InALambda.class, "a lambda in SelfInvocationTests.InALambda.all"),
				arguments(InALambdaOfALambda.class, "a lambda in SelfInvocationTests.InALambdaOfALambda."),
				arguments(ByReference.class, "SelfInvocationTests.ByReference.all"),
				arguments(InAnAnonymousClass.class, "InAnAnonymousClass.1.run"),
				arguments(InAnInnerClass.class, "InAnInnerClass.Inner.all"),
				arguments(FromASuperclass.class, "SelfInvocationTests.Template.all"),
				arguments(FromAnInterface.class, "SelfInvocationTests.Batch.all"),
				arguments(CallsSuper.class, "SelfInvocationTests.CallsSuper.all"),
				arguments(ThroughALocal.class, "SelfInvocationTests.ThroughALocal.all"),
				arguments(ThroughACapturedLocal.class, "a lambda in SelfInvocationTests.ThroughACapturedLocal.all"),
				arguments(ThroughAFluentMethod.class, "SelfInvocationTests.ThroughAFluentMethod.all"),
				arguments(FromTheConstructor.class, "the constructor of SelfInvocationTests.FromTheConstructor"),
				arguments(ByABridge.class, "SelfInvocationTests.Sender.all"),
				arguments(AJob.class, "SelfInvocationTests.AJob.now"),
				arguments(AfterMuchElse.class, "SelfInvocationTests.AfterMuchElse.all"));
	}

	@ParameterizedTest
	@MethodSource("certain")
	void aCallThroughThisStopsTheStart(Class<?> bean, String caller) {
		InvalidGuardException refusal = GuardedContext.refusal(bean);
		assertThat(refusal.problems()).singleElement().satisfies((problem) -> {
			assertThat(problem.where()).startsWith("Method ").contains(" of bean '");
			assertThat(problem.what()).contains(caller).contains("calls it through 'this'");
			assertThat(problem.mend()).contains("self.").contains("once.self-invocation=warn");
		});
	}

	@ParameterizedTest
	@ValueSource(classes = { ThroughATernary.class, ThroughAField.class, ThroughAParameter.class })
	void aCallThatMayGoThroughThisIsWarnedAbout(Class<?> bean, CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(bean)) {
			assertThat(guarded.methods().effects()).hasSize(1);
			assertThat(output).containsOnlyOnce("perhaps calls it through 'this'").contains(bean.getSimpleName());
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { ThroughItsProxy.class, ThroughAProvider.class, ThroughAParameterOfOthers.class,
			OtherMethods.class, OverridesWithSuper.class })
	void aCallThroughAProxyIsNone(Class<?> bean, CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(bean)) {
			assertThat(guarded.methods().effects()).hasSize(1);
			assertThat(output).doesNotContain("through 'this'");
		}
	}

	@Test
	void aCallThroughTheInjectedProxyIsGuarded() {
		try (GuardedContext guarded = GuardedContext.of(ThroughItsProxy.class)) {
			guarded.get(ThroughItsProxy.class).all();
			guarded.get(ThroughItsProxy.class).all();
			assertThat(guarded.rows()).hasSize(1);
		}
	}

	@Test
	void allOfThemAreNamedAtOnce() {
		assertThat(GuardedContext.refusal(Several.class).problems()).hasSize(3);
	}

	@Test
	void aWarningIsEnoughWhereItIsChosen(CapturedOutput output) {
		TestSettings settings = new TestSettings().selfInvocation(SelfInvocation.WARN);
		try (GuardedContext guarded = GuardedContext.of(settings, CallsThis.class)) {
			assertThat(guarded.methods().effects()).hasSize(1);
			assertThat(output).containsOnlyOnce("CallsThis.all (SelfInvocationTests.java:")
				.contains("calls it through 'this'");
		}
	}

	@Test
	void aClassFileOfALaterJavaIsReadAsFarAsItCanBe() throws Exception {
		Problems problems = new Problems();
		scan((file) -> file[7] = (byte) 250, problems);
		assertThat(problems.asException()).hasMessageContaining("Alone.all");
	}

	@Test
	void aClassFileThatCannotBeReadIsSaidAndDoesNotStopTheStart(CapturedOutput output) throws Exception {
		Problems problems = new Problems();
		scan((file) -> Arrays.fill(file, file.length / 3, file.length, (byte) 0x7f), problems);
		problems.throwIfAny();
		assertThat(output).contains("Bean 'alone'").contains("cannot be seen: the class file of ");
	}

	private static void scan(Consumer<byte[]> change, Problems problems) throws Exception {
		Class<?> type = new ChangedFiles(change).loadClass(Alone.class.getName());
		new BodyScan().check(List.of(new MarkedBean("alone", MarkedClass.of(type))), SelfInvocation.FAIL, problems);
	}

	/** Runs a class as it is, and changes the file in which it is read again. */
	private static final class ChangedFiles extends ClassLoader {

		private final Consumer<byte[]> change;

		private ChangedFiles(Consumer<byte[]> change) {
			super(SelfInvocationTests.class.getClassLoader());
			this.change = change;
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.equals(Alone.class.getName())) {
				return super.loadClass(name, resolve);
			}
			byte[] file = read(name.replace('.', '/') + ".class");
			return defineClass(name, file, 0, file.length);
		}

		@Override
		public InputStream getResourceAsStream(String name) {
			byte[] file = read(name);
			this.change.accept(file);
			return new ByteArrayInputStream(file);
		}

		private static byte[] read(String name) {
			try (InputStream in = SelfInvocationTests.class.getClassLoader().getResourceAsStream(name)) {
				return in.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

	}

	static class Base {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String target) {
		}

	}

	static class Alone {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String target) {
		}

		void all() {
			send("a");
		}

	}

	static class CallsThis extends Base {

		void all() {
			send("a");
		}

	}

	static class InALambda extends Base {

		void all(List<String> targets) {
			targets.forEach((target) -> send(target));
		}

	}

	static class InALambdaOfALambda extends Base {

		Callable<Runnable> all() {
			return () -> () -> send("a");
		}

	}

	static class ByReference extends Base {

		void all(List<String> targets) {
			targets.forEach(this::send);
		}

	}

	static class InAnAnonymousClass extends Base {

		Runnable all() {
			return new Runnable() {

				@Override
				public void run() {
					send("a");
				}

			};
		}

	}

	static class InAnInnerClass extends Base {

		class Inner {

			void all(List<String> targets) {
				targets.forEach((target) -> send(target));
			}

		}

	}

	abstract static class Template {

		void all() {
			one("a");
		}

		abstract void one(String target);

	}

	static class FromASuperclass extends Template {

		@Override
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void one(@EffectTarget String target) {
		}

	}

	interface Batch {

		void one(String target);

		default void all() {
			one("a");
		}

	}

	static class FromAnInterface implements Batch {

		@Override
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void one(@EffectTarget String target) {
		}

	}

	static class CallsSuper extends Base {

		void all() {
			super.send("a");
		}

	}

	static class ThroughALocal extends Base {

		void all(int count) {
			long sum = 0;
			CallsThis other = null;
			ThroughALocal self = this;
			for (int i = 0; i < count; i++) {
				try {
					sum += (i % 2 == 0) ? i : 2L * i;
				}
				catch (RuntimeException ex) {
					other = new CallsThis();
				}
			}
			if (sum > 3 && other == null) {
				self.send("a");
			}
		}

	}

	static class ThroughACapturedLocal extends Base {

		Runnable all() {
			ThroughACapturedLocal self = this;
			return () -> self.send("a");
		}

	}

	static class ThroughAFluentMethod extends Base {

		ThroughAFluentMethod with(String text) {
			return this;
		}

		void all() {
			with("a").send("a");
		}

	}

	static class FromTheConstructor extends Base {

		FromTheConstructor() {
			send("a");
		}

	}

	abstract static class Sender<T> {

		public abstract void send(T target);

		void all(T target) {
			send(target);
		}

	}

	static class ByABridge extends Sender<String> {

		@Override
		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String target) {
		}

	}

	static class AJob {

		@OnceJob(name = "job", overlap = Overlap.COALESCE)
		void run() {
		}

		void now() {
			run();
		}

	}

	static class AfterMuchElse extends Base {

		void all(Object value, long[] numbers, String name) {
			double half = (numbers.length > 1) ? numbers[0] / 2.0 : 1;
			String text = switch (name) {
				case "a", "b" -> "one";
				case "c" -> {
					numbers[0] += 3L;
					yield "two" + half + numbers[0]++;
				}
				default -> (value instanceof String given) ? given : "none";
			};
			synchronized (value) {
				int[][] grid = new int[2][3];
				grid[1][2] = text.length() << 2;
				if (grid[0][0] == 0 || Double.compare(half, 1.5f) > 0) {
					send(text);
				}
			}
		}

	}

	static class ThroughATernary extends Base {

		private Base other;

		void all(boolean own) {
			(own ? this : this.other).send("a");
		}

	}

	static class ThroughAField extends Base {

		private final ThroughAField self;

		ThroughAField() {
			this.self = this;
		}

		void all() {
			this.self.send("a");
		}

	}

	static class ThroughAParameter extends Base {

		void all() {
			of(this);
		}

		private static void of(ThroughAParameter bean) {
			bean.send("a");
		}

	}

	static class ThroughItsProxy extends Base {

		private final ThroughItsProxy self;

		ThroughItsProxy(@Lazy ThroughItsProxy self) {
			this.self = self;
		}

		void all() {
			this.self.send("a");
			List.of("a").forEach((target) -> this.self.send(target));
			List.of("a").forEach(this.self::send);
			new Inner().all();
		}

		private final class Inner {

			private void all() {
				ThroughItsProxy.this.self.send("a");
			}

		}

	}

	static class ThroughAProvider extends Base {

		private final ObjectProvider<ThroughAProvider> self;

		ThroughAProvider(ObjectProvider<ThroughAProvider> self) {
			this.self = self;
		}

		void all() {
			this.self.getObject().send("a");
			this.self.ifAvailable((self) -> self.send("a"));
		}

	}

	static class ThroughAParameterOfOthers extends Base {

		void all(Base other, Consumer<Object> consumer) {
			other.send("a");
			consumer.accept(this);
			equals(this);
		}

	}

	static class OtherMethods extends Base {

		void all() {
			send(1);
			sent();
		}

		private void send(int number) {
		}

		void sent() {
		}

	}

	static class OverridesWithSuper extends Base {

		@Override
		public void send(String target) {
			super.send(target);
		}

	}

	static class Several extends Base {

		void one() {
			send("a");
		}

		void two() {
			send("a");
			send("b");
		}

	}

}
