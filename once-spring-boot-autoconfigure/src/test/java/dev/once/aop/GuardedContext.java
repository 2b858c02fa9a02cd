package dev.once.aop;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.once.OnceOperations;
import dev.once.key.EffectKeys;
import dev.once.lease.Renewer;
import dev.once.ledger.EffectRow;
import dev.once.ledger.ProtocolUnderTest;
import dev.once.occurrence.JobListener;
import dev.once.occurrence.Runs;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * An application context with guarded beans, over a ledger and leases in memory.
 */
final class GuardedContext implements AutoCloseable {

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final TestSettings settings;

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final Renewer renewer = new Renewer(List.of(), Duration.ofHours(1));

	private final Runs runs = new Runs(this.once.leases(), this.once.occurrences(), this.renewer, new JobListener() {
	}, this.once.time());

	private GuardedContext(TestSettings settings) {
		this.settings = settings;
	}

	static GuardedContext of(Class<?>... beans) {
		return of(new TestSettings(), beans);
	}

	static GuardedContext of(TestSettings settings, Class<?>... beans) {
		return of(settings, (context) -> context.register(beans));
	}

	static GuardedContext of(TestSettings settings, Consumer<AnnotationConfigApplicationContext> beans) {
		GuardedContext guarded = new GuardedContext(settings);
		try {
			beans.accept(guarded.context);
			guarded.start();
			return guarded;
		}
		catch (RuntimeException ex) {
			guarded.close();
			throw ex;
		}
	}

	private void start() {
		guard(this.context, this.settings, this);
		this.context.refresh();
	}

	/**
	 * Guards the beans of a context, over the ledger and leases of a guarded one.
	 */
	static void guard(AnnotationConfigApplicationContext context, TestSettings settings, GuardedContext of) {
		Collaborators collaborators = new Collaborators(
				new EffectKeys(settings.keySecret ? "0123456789abcdef".getBytes() : null), of.once.protocol(), of.runs,
				of.once.time());
		infrastructure(context, "onceGuardedMethods", GuardedMethods.class,
				() -> new GuardedMethods(context.getBeanFactory(), () -> settings));
		infrastructure(context, "onceGuardAdvisor", GuardAdvisor.class,
				() -> new GuardAdvisor(context.getBean(GuardedMethods.class), () -> collaborators));
		context.registerBean(OnceOperations.class,
				() -> new EffectOperations(context.getBean(GuardedMethods.class), collaborators));
		context.register(ProxyCreator.class);
	}

	private static <T> void infrastructure(AnnotationConfigApplicationContext context, String name, Class<T> type,
			Supplier<T> supplier) {
		RootBeanDefinition definition = (RootBeanDefinition) BeanDefinitionBuilder.rootBeanDefinition(type, supplier)
			.getBeanDefinition();
		definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE);
		context.registerBeanDefinition(name, definition);
	}

	<T> T get(Class<T> type) {
		return this.context.getBean(type);
	}

	AnnotationConfigApplicationContext context() {
		return this.context;
	}

	GuardedMethods methods() {
		return get(GuardedMethods.class);
	}

	ProtocolUnderTest once() {
		return this.once;
	}

	Runs runs() {
		return this.runs;
	}

	List<EffectRow> rows() {
		return this.once.rows().rows().toList();
	}

	EffectRow row() {
		List<EffectRow> rows = rows();
		if (rows.size() != 1) {
			throw new AssertionError("Not one row, but " + rows);
		}
		return rows.get(0);
	}

	/**
	 * Looks after the rows that are due, as the caretaker does.
	 */
	void resolveDue(String action) {
		this.once.time().advance(Duration.ofSeconds(31));
		this.once.resolveDue(Objects.requireNonNull(methods().resolvable(action)));
	}

	/**
	 * The refusal with which a context does not start, wherever in the causes it is.
	 */
	static InvalidGuardException refusal(Class<?>... beans) {
		return refusal(new TestSettings(), beans);
	}

	static InvalidGuardException refusal(TestSettings settings, Class<?>... beans) {
		return refusal(settings, (context) -> context.register(beans));
	}

	static InvalidGuardException refusal(TestSettings settings, Consumer<AnnotationConfigApplicationContext> beans) {
		try (GuardedContext guarded = of(settings, beans)) {
			throw new AssertionError("It started: " + guarded.methods().effects());
		}
		catch (RuntimeException ex) {
			return Objects.requireNonNull(find(ex), () -> "Refused otherwise: " + ex);
		}
	}

	private static @Nullable InvalidGuardException find(@Nullable Throwable ex) {
		return (ex == null) ? null : (ex instanceof InvalidGuardException found) ? found : find(ex.getCause());
	}

	@Override
	public void close() {
		this.context.close();
		this.renewer.close();
		this.once.close();
	}

	@Import(ProxyCreatorRegistrar.class)
	static class ProxyCreator {

	}

}
