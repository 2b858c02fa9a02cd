package dev.once.aop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Overlap;
import dev.once.Unobservable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AliasFor;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which methods are found and guarded, wherever the annotation stands (cases 24 and 25).
 */
@ExtendWith(OutputCaptureExtension.class)
class GuardDiscoveryTests {

	private static void assertGuardedOnce(GuardedContext guarded, Runnable call) {
		call.run();
		call.run();
		assertThat(guarded.rows()).singleElement().satisfies((row) -> assertThat(row.attempt().number()).isOne());
		assertThat(guarded.methods().effects()).hasSize(1);
	}

	@Test
	void publicProtectedAndPackagePrivateMethods() {
		try (GuardedContext guarded = GuardedContext.of(Visibilities.class)) {
			Visibilities bean = guarded.get(Visibilities.class);
			for (int i = 0; i < 2; i++) {
				bean.open("a");
				bean.inherited("a");
				bean.inside("a");
			}
			assertThat(guarded.rows()).hasSize(3);
			assertThat(guarded.methods().effects()).hasSize(3);
		}
	}

	@Test
	void anAnnotationOnAnInterfaceMethodAndItsParameters() {
		try (GuardedContext guarded = GuardedContext.of(ByInterface.class)) {
			ByInterface bean = guarded.get(ByInterface.class);
			assertGuardedOnce(guarded, () -> bean.mail("a@example.org", "hello"));
			assertThat(guarded.row().facts().inputs()).isEqualTo("{\"text\":\"hello\"}");
		}
	}

	@Test
	void anAnnotationOnAGenericInterfaceWithABridgeMethod() {
		try (GuardedContext guarded = GuardedContext.of(Generic.class)) {
			Sender<String> bean = guarded.get(Generic.class);
			assertGuardedOnce(guarded, () -> bean.send("a"));
		}
	}

	@Test
	void anInheritedMethodAndAnOverriddenOne() {
		try (GuardedContext guarded = GuardedContext.of(Inheriting.class)) {
			Inheriting bean = guarded.get(Inheriting.class);
			assertGuardedOnce(guarded, () -> bean.send("a"));
		}
		try (GuardedContext guarded = GuardedContext.of(Overriding.class)) {
			Overriding bean = guarded.get(Overriding.class);
			assertGuardedOnce(guarded, () -> bean.send("a"));
		}
	}

	@Test
	void aDefaultMethodOfAnInterface() {
		try (GuardedContext guarded = GuardedContext.of(ByDefault.class)) {
			ByDefault bean = guarded.get(ByDefault.class);
			assertGuardedOnce(guarded, () -> bean.send("a"));
		}
	}

	@Test
	void aComposedAnnotation() {
		try (GuardedContext guarded = GuardedContext.of(Composed.class)) {
			Composed bean = guarded.get(Composed.class);
			assertGuardedOnce(guarded, () -> bean.send("a"));
			assertThat(guarded.row().facts().action()).isEqualTo("composed");
		}
	}

	@Test
	void aComposedAnnotationWithAttributesOfItsOwn() {
		try (GuardedContext guarded = GuardedContext.of(Aliased.class)) {
			Aliased bean = guarded.get(Aliased.class);
			assertGuardedOnce(guarded, () -> bean.send("a"));
			assertThat(guarded.row().facts().action()).isEqualTo("aliased");
		}
	}

	@Test
	void aFarSideOnASuperclassAndOnAnInterface() {
		try (GuardedContext guarded = GuardedContext.of(ByInterface.class)) {
			assertThat(guarded.methods().effects().get(0).farSide()).isEqualTo("mail");
			assertThat(guarded.methods().farSides()).containsExactly("mail");
		}
	}

	@Test
	void aBeanBehindAJdkProxy() {
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(), (context) -> {
			AopConfigUtils.registerAutoProxyCreatorIfNecessary(context);
			context.register(ByInterface.class);
		})) {
			Mailer bean = guarded.get(Mailer.class);
			assertThat(AopUtils.isJdkDynamicProxy(bean)).isTrue();
			assertGuardedOnce(guarded, () -> bean.mail("a@example.org", "hello"));
		}
	}

	@Test
	void anInterfaceWithoutAClassSuchAsAnHttpClient() {
		try (GuardedContext guarded = GuardedContext.of(ClientFactory.class)) {
			Mailer bean = guarded.get(Mailer.class);
			assertGuardedOnce(guarded, () -> bean.mail("a@example.org", "hello"));
		}
	}

	@Test
	void lazyPrototypeAndScopedBeansAreListedAtStartAndGuarded() {
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(), (context) -> {
			context.getBeanFactory().registerScope("thread", new SimpleThreadScope());
			context.register(Rare.class);
		})) {
			assertThat(guarded.methods().effects()).extracting(GuardedEffect::method)
				.containsExactlyInAnyOrder("lazy.send(String)", "prototype.other(String)", "scoped.third(String)");
			LazyBean lazy = guarded.get(LazyBean.class);
			PrototypeBean prototype = guarded.get(PrototypeBean.class);
			ScopedBean scoped = guarded.get(ScopedBean.class);
			for (int i = 0; i < 2; i++) {
				lazy.send("a");
				prototype.other("a");
				scoped.third("a");
			}
			assertThat(guarded.rows()).hasSize(3).allSatisfy((row) -> assertThat(row.attempt().number()).isOne());
		}
	}

	/** Case 25: the second thread must not take the first one's bean for a plain one. */
	@Test
	void aBeanThatAnotherThreadHasJustMetIsGuarded() throws Exception {
		TestSettings settings = new TestSettings();
		try (GuardedContext guarded = GuardedContext.of(settings, Appearing.class)) {
			CountDownLatch reading = new CountDownLatch(1);
			CountDownLatch goOn = new CountDownLatch(1);
			Thread first = new Thread(() -> guarded.get(Sender.class));
			settings.whenRead = () -> {
				if (Thread.currentThread() == first) {
					reading.countDown();
					await(goOn);
				}
			};
			first.start();
			await(reading);
			for (int i = 0; i < 2; i++) {
				((Generic) guarded.get(Sender.class)).send("a");
			}
			goOn.countDown();
			first.join();
			assertThat(guarded.row().attempt().number()).isOne();
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aBeanWithInstancesOfSeveralClassesKeepsTheGuardsOfEach() {
		try (GuardedContext guarded = GuardedContext.of(Changing.class)) {
			Sender<?> first = guarded.get(Sender.class);
			Sender<?> second = guarded.get(Sender.class);
			for (int i = 0; i < 2; i++) {
				((Generic) first).send("a");
				((OtherGeneric) second).send("b");
				((Generic) first).send("a");
			}
			assertThat(guarded.rows()).hasSize(2).allSatisfy((row) -> assertThat(row.attempt().number()).isOne());
		}
	}

	@Test
	void aScopeThatIsRefreshedMakesANewTargetThatIsGuarded() {
		RefreshableScope scope = new RefreshableScope();
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(), (context) -> {
			context.getBeanFactory().registerScope("refreshable", scope);
			context.register(Refreshed.class);
		})) {
			ScopedBean bean = guarded.get(ScopedBean.class);
			bean.third("a");
			scope.refresh();
			bean.third("a");
			assertThat(scope.created).isEqualTo(2);
			assertThat(guarded.rows()).singleElement().satisfies((row) -> assertThat(row.attempt().number()).isOne());
			assertThat(guarded.methods().effects()).extracting(GuardedEffect::method)
				.containsExactly("refreshed.third(String)");
		}
	}

	@Test
	void aBeanThatIsRegisteredAfterTheStartIsGuarded() {
		try (GuardedContext guarded = GuardedContext.of(Payments.class)) {
			guarded.context().registerBean("late", Base.class);
			assertGuardedOnce(guarded, () -> guarded.get(Base.class).send("a"));
		}
	}

	@Test
	void everyAnnotationOfTheApplicationIsInTheTableOnce(CapturedOutput output) {
		Class<?>[] application = { Visibilities.class, ByInterface.class, Composed.class, Aliased.class, Jobs.class,
				PrototypeBean.class };
		int annotated = 0;
		for (Class<?> type : application) {
			for (Method method : ReflectionUtils.getAllDeclaredMethods(type)) {
				MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
				annotated += annotations.isPresent(OnceEffect.class) ? 1 : 0;
				annotated += annotations.isPresent(OnceJob.class) ? 1 : 0;
			}
		}
		try (GuardedContext guarded = GuardedContext.of(application)) {
			assertThat(guarded.methods().jobs().size() + guarded.methods().effects().size()).isEqualTo(annotated)
				.isEqualTo(10);
			assertThat(output).contains("Once guards 2 jobs and 8 effects");
			Stream
				.concat(guarded.methods().jobs().stream().map(GuardedJob::method),
						guarded.methods().effects().stream().map(GuardedEffect::method))
				.forEach((method) -> assertThat(output).contains(method));
		}
	}

	@Test
	void aClassThatIsSeenOnlyWhenItsBeanIsCreatedIsCheckedThen() {
		try (GuardedContext guarded = GuardedContext.of(BehindAnInterface.class)) {
			assertThat(guarded.methods().effects()).isEmpty();
			Runnable bean = guarded.get(Runnable.class);
			assertThat(guarded.methods().effects()).hasSize(1);
			assertThat(bean).isNotNull();
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> guarded.context().getBean("invalid"))
				.havingRootCause()
				.isInstanceOf(InvalidGuardException.class);
			assertThat(guarded.methods().effects()).hasSize(1);
		}
	}

	@Test
	void aBeanThatAPostProcessorNeedsTooEarlyStopsTheStart() {
		InvalidGuardException refusal = GuardedContext.refusal(Eager.class);
		assertThat(refusal).hasMessageContaining("Bean 'early'").hasMessageContaining("ObjectProvider");
	}

	@Test
	void aBeanThatAPostProcessorsConfigurationNeedsStopsTheStartWithTheWayThere() {
		assertThat(GuardedContext.refusal(EagerConfiguration.class, Base.class).problems()).singleElement()
			.satisfies((problem) -> {
				assertThat(problem.where()).startsWith("Bean '").contains(Base.class.getName());
				assertThat(problem.what()).contains("it is needed by 'guardDiscoveryTests.EagerConfiguration'")
					.contains("whose method needy() makes a post-processor");
				assertThat(problem.mend()).startsWith("Make method needy() static");
			});
	}

	@Test
	void aBeanThatAFactoryPostProcessorNeedsThroughAnotherStopsTheStart() {
		assertThat(GuardedContext.refusal(EagerChain.class, Base.class).problems()).singleElement()
			.satisfies((problem) -> assertThat(problem.what())
				.contains("it is needed by 'between', which is needed by 'first', a post-processor"));
	}

	@Test
	void aBeanThatIsAskedForTooEarlyWithoutATraceStopsTheStart() {
		InvalidGuardException refusal = GuardedContext.refusal(new TestSettings(), (context) -> {
			context.register(Base.class);
			context.addBeanFactoryPostProcessor((beans) -> beans.getBean(Base.class));
		});
		assertThat(refusal).hasMessageContaining("BeanFactoryPostProcessor asks for it");
	}

	@Test
	void aBeanThatAPostProcessorNeedsLaterIsGuarded() {
		try (GuardedContext guarded = GuardedContext.of(Patient.class)) {
			assertGuardedOnce(guarded, () -> guarded.get(Base.class).send("a"));
		}
	}

	@Test
	void anObjectThatIsPutIntoTheContextAsItIsIsWarnedAbout(CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(),
				(context) -> context.getBeanFactory().registerSingleton("raw", new Base()))) {
			assertThat(guarded.methods().effects()).isEmpty();
			assertThat(output).contains("Bean 'raw'").contains("run unguarded");
		}
	}

	@Test
	void aBeanBehindTwoProxiesIsGuardedOnce() {
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(), (context) -> {
			context.register(Base.class);
			context.registerBean("first", DefaultAdvisorAutoProxyCreator.class, GuardDiscoveryTests::proxyCreator);
			context.registerBean("second", DefaultAdvisorAutoProxyCreator.class, GuardDiscoveryTests::proxyCreator);
		})) {
			assertGuardedOnce(guarded, () -> guarded.get(Base.class).send("a"));
		}
	}

	@Test
	void aProxyCreatorOfTheApplicationIsEnough() {
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(), (context) -> {
			context.register(Base.class);
			context.registerBean("own", DefaultAdvisorAutoProxyCreator.class, GuardDiscoveryTests::proxyCreator);
		})) {
			assertThat(guarded.context().containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)).isFalse();
			assertGuardedOnce(guarded, () -> guarded.get(Base.class).send("a"));
		}
	}

	@Test
	void aBeanThatCallsWhileTheContextStartsIsGuardedAlready() {
		try (GuardedContext guarded = GuardedContext.of(Base.class, CallsEarly.class)) {
			assertGuardedOnce(guarded, () -> guarded.get(Base.class).send("a"));
		}
	}

	@Test
	void theTableIsPrintedOnceAndSaysWhatStopsTheSecondOne(CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(ByInterface.class)) {
			assertThat(guarded.methods().jobs()).isEmpty();
			assertThat(output).containsOnlyOnce("Once guards 0 jobs and 1 effect")
				.contains("SECOND ONE STOPPED BY")
				.containsPattern(
						"mail +.*ByInterface.mail\\(String, String\\) +address +text +mail +wait \\(default\\) +key 24h");
		}
	}

	@Test
	void nothingGuardedIsSaidToo(CapturedOutput output) {
		try (GuardedContext guarded = GuardedContext.of(Payments.class)) {
			assertThat(guarded.methods().effects()).isEmpty();
			assertThat(output).contains("Once guards nothing");
		}
	}

	private static DefaultAdvisorAutoProxyCreator proxyCreator() {
		DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
		creator.setProxyTargetClass(true);
		return creator;
	}

	static class Visibilities {

		@OnceEffect(action = "open", unobservable = Unobservable.ACCEPTED)
		public void open(@EffectTarget String target) {
		}

		@OnceEffect(action = "inherited", unobservable = Unobservable.ACCEPTED)
		protected void inherited(@EffectTarget String target) {
		}

		@OnceEffect(action = "inside", unobservable = Unobservable.ACCEPTED)
		void inside(@EffectTarget String target) {
		}

	}

	@FarSide(name = "mail", remembers = "24h")
	interface Mailer {

		@OnceEffect(action = "mail")
		void mail(@EffectTarget String address, @EffectInput String text);

	}

	static class ByInterface implements Mailer {

		@Override
		public void mail(String address, String text) {
		}

	}

	interface Sender<T> {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		void send(@EffectTarget T target);

	}

	static class Generic implements Sender<String> {

		@Override
		public void send(String target) {
		}

	}

	static class Base {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		public void send(@EffectTarget String target) {
		}

	}

	static class Inheriting extends Base {

	}

	static class Overriding extends Base {

		@Override
		public void send(String target) {
		}

	}

	interface Defaulting {

		@OnceEffect(action = "send", unobservable = Unobservable.ACCEPTED)
		default void send(@EffectTarget String target) {
		}

	}

	static class ByDefault implements Defaulting {

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@OnceEffect(action = "composed", unobservable = Unobservable.ACCEPTED)
	@interface Careful {

	}

	static class Composed {

		@Careful
		void send(@EffectTarget String target) {
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@OnceEffect(action = "to-be-named", unobservable = Unobservable.ACCEPTED)
	@interface Named {

		@AliasFor(annotation = OnceEffect.class, attribute = "action")
		String value();

	}

	static class Aliased {

		@Named("aliased")
		void send(@EffectTarget String target) {
		}

	}

	static class Jobs {

		@OnceJob(name = "one", overlap = Overlap.COALESCE)
		void one() {
		}

		@OnceJob(name = "two", overlap = Overlap.COALESCE)
		@OnceEffect(action = "two", unobservable = Unobservable.ACCEPTED)
		void two(@EffectTarget String target) {
		}

	}

	static class OtherGeneric implements Sender<String> {

		@Override
		public void send(String target) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Changing {

		private boolean other;

		@Bean
		@Scope("prototype")
		Sender<String> sender() {
			this.other = !this.other;
			return this.other ? new First() : new Second();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Appearing {

		@Bean
		@Scope("prototype")
		Sender<String> sender() {
			return new Generic();
		}

	}

	static class First extends Generic {

		@OnceJob(name = "sending", overlap = Overlap.COALESCE)
		void run() {
		}

	}

	static class Second extends OtherGeneric {

		@OnceJob(name = "sending", overlap = Overlap.COALESCE)
		void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Refreshed {

		@Bean
		@Scope(scopeName = "refreshable", proxyMode = ScopedProxyMode.TARGET_CLASS)
		ScopedBean refreshed() {
			return new ScopedBean();
		}

	}

	static class RefreshableScope extends SimpleThreadScope {

		int created;

		private Object current;

		@Override
		public Object get(String name, ObjectFactory<?> factory) {
			if (this.current == null) {
				this.created++;
				this.current = factory.getObject();
			}
			return this.current;
		}

		void refresh() {
			this.current = null;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EagerConfiguration {

		EagerConfiguration(Base base) {
		}

		@Bean
		OrderedNeedy needy() {
			return new OrderedNeedy();
		}

	}

	static class OrderedNeedy implements BeanPostProcessor, Ordered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EagerChain {

		@Bean
		static BeanFactoryPostProcessor first(Runnable between) {
			return (beans) -> {
			};
		}

		@Bean
		static Runnable between(Base base) {
			return () -> {
			};
		}

	}

	static class ClientFactory implements FactoryBean<Mailer> {

		@Override
		public Mailer getObject() {
			return (Mailer) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Mailer.class },
					(proxy, method, args) -> method.getName().equals("toString") ? "client" : null);
		}

		@Override
		public Class<?> getObjectType() {
			return Mailer.class;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Rare {

		@Bean
		@Lazy
		LazyBean lazy() {
			return new LazyBean();
		}

		@Bean
		@Scope("prototype")
		PrototypeBean prototype() {
			return new PrototypeBean();
		}

		@Bean
		@Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
		ScopedBean scoped() {
			return new ScopedBean();
		}

	}

	static class LazyBean extends Base {

	}

	static class PrototypeBean {

		@OnceEffect(action = "other", unobservable = Unobservable.ACCEPTED)
		void other(@EffectTarget String target) {
		}

	}

	static class ScopedBean {

		@OnceEffect(action = "third", unobservable = Unobservable.ACCEPTED)
		void third(@EffectTarget String target) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BehindAnInterface {

		@Bean
		@Lazy
		Runnable hidden() {
			return new Hidden();
		}

		@Bean
		@Lazy
		Iterable<String> invalid() {
			return new Invalid();
		}

	}

	static class Hidden extends Base implements Runnable {

		@Override
		public void run() {
		}

	}

	static class Invalid implements Iterable<String> {

		@Override
		public Iterator<String> iterator() {
			return List.<String>of().iterator();
		}

		@OnceEffect(action = "NotAName")
		public void send(@EffectTarget String target) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Eager {

		@Bean
		static Needy needy(Base early) {
			return new Needy();
		}

		@Bean
		static Base early() {
			return new Base();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Patient {

		@Bean
		static Needy needy(ObjectProvider<Base> later) {
			return new Needy();
		}

		@Bean
		static Base later() {
			return new Base();
		}

	}

	static class Needy implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	static class CallsEarly {

		CallsEarly(Base base) {
			base.send("a");
		}

	}

}
