package dev.once.aop;

import java.math.BigDecimal;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import javax.tools.ToolProvider;

import dev.once.OnceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * SpEL in a key: data only, and never null for want of a name (case 16).
 */
class KeyExpressionTests {

	private static final String[] NAMES = { "order", "lines", "map" };

	private static @Nullable Object evaluate(String text, @Nullable Object... args) {
		Object[] all = Arrays.copyOf(args, NAMES.length);
		return KeyExpression.read(text, NAMES, "Method X").evaluate(all, new KeyExpression.Whose.Effect("charge"));
	}

	@Test
	void propertiesOfRecordsBeansListsAndMapsAreData() {
		Order order = new Order("o-1", LocalDate.of(2026, 8, 24), null);
		assertThat(evaluate("#order.id", order)).isEqualTo("o-1");
		assertThat(evaluate("{#order.id, #order.day}", order)).isEqualTo(List.of("o-1", LocalDate.of(2026, 8, 24)));
		assertThat(evaluate("#lines.![id]", null, List.of(order))).isEqualTo(List.of("o-1"));
		assertThat(evaluate("#lines.?[#this.id == 'o-1'].![#this.id]", null, List.of(order))).isEqualTo(List.of("o-1"));
		assertThat(evaluate("#map['a']", null, null, Map.of("a", 1))).isEqualTo(1);
		assertThat(evaluate("#map[a]", null, null, Map.of("a", 1))).isEqualTo(1);
		assertThat(evaluate("{id: #order.id}", order)).isEqualTo(Map.of("id", "o-1"));
		assertThat(evaluate("#order.note ?: 'none'", order)).isEqualTo("none");
		assertThat(evaluate("#order.id == 'o-1' ? 'a' : 'b'", order)).isEqualTo("a");
	}

	@Test
	void textIsJoinedWithWhatHasOneTextEverywhere() {
		Order order = new Order("o-1", LocalDate.of(2026, 8, 24), null);
		assertThat(evaluate("#order.id + '/' + #order.day", order)).isEqualTo("o-1/2026-08-24");
		assertThat(evaluate("'n' + #order", 7L)).isEqualTo("n7");
		assertThat(evaluate("'n' + #order", Thread.State.NEW)).isEqualTo("nNEW");
	}

	@Test
	void textIsNotJoinedWithAnObjectsToString() {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> evaluate("'n' + #order", new Object()))
			.withMessageContaining("java.lang.Object, which has no text that is the same everywhere");
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> evaluate("'n' + #order", new BigDecimal("1E+1000000000")))
			.withMessageContaining("java.math.BigDecimal");
	}

	@ParameterizedTest
	@ValueSource(strings = { "T(java.lang.Runtime).runtime", "new java.lang.String('a')", "@bean.id", "#order.id()",
			"#order.getClass()", "#order.id = 'x'", "#order++", "#fn(1)", "#order instanceof T(String)" })
	void typesConstructorsMethodsBeansAndAssignmentsAreRefused(String text) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> evaluate(text))
			.withMessageContaining("says more than data");
	}

	@ParameterizedTest
	@ValueSource(strings = { "order.id", "id", "{order}" })
	void aForgottenHashIsToldSo(String text) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> evaluate(text))
			.withMessageContaining("Write #");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#oder.id", "#root", "#this", "{#order, #b}", "#lines.![#other]", "'a' + #b" })
	void aVariableThatIsNoParameterIsRefused(String text) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> evaluate(text))
			.withMessageContaining("no such parameter")
			.withMessageContaining("#order, #lines, #map");
	}

	@Test
	void whatIsNoExpressionIsRefused() {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> evaluate("#order.("))
			.withMessageContaining("cannot be read");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#order.note", "{#order.note, #order.note}", "{a: #order.note}", "#lines.![note]" })
	void nullAndStructuresOfOnlyNullsAreRefused(String text) {
		Order order = new Order("o-1", LocalDate.EPOCH, null);
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> evaluate(text, order, List.of(order)))
			.withMessageContaining("it gives null")
			.withMessageContaining("?: 'none'");
	}

	@Test
	void anArgumentThatIsNullItselfIsLetThrough() {
		assertThat(evaluate("#order", new Object[] { null })).isNull();
	}

	@Test
	void whatAGetterThrowsIsNotQuoted() {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> evaluate("#order.secret", new Throwing()))
			.satisfies((ex) -> assertThat(ex.getMessage()).contains("#order.secret").doesNotContain("CANARY"))
			.withNoCause();
	}

	/** Case 16: a class that was compiled without parameter names. */
	@Test
	void aClassWithoutParameterNamesIsRefusedAndNamesExpressionAndFlag(@TempDir Path directory) throws Exception {
		Class<?> orders = compile(directory, "Orders", """
				package com.acme;
				import dev.once.*;
				public class Orders {
					@OnceEffect(action = "order", target = "%s", unobservable = Unobservable.ACCEPTED)
					public void order(String orderId, String b) {
					}
				}
				""".formatted("#orderId"));
		assertThat(GuardedContext.refusal(new TestSettings(), in(orders)))
			.hasMessageContaining("Orders.order(String, String)")
			.hasMessageContaining("'#orderId'")
			.hasMessageContaining("-parameters");
		Class<?> lists = compile(directory.resolve("b"), "Lists", """
				package com.acme;
				import dev.once.*;
				public class Lists {
					@OnceEffect(action = "order", target = "{#orderId, #b}", unobservable = Unobservable.ACCEPTED)
					public void order(String orderId, String b) {
					}
				}
				""");
		assertThat(GuardedContext.refusal(new TestSettings(), in(lists))).hasMessageContaining("{#orderId, #b}")
			.hasMessageContaining("-parameters");
	}

	@Test
	void aClassWithoutParameterNamesIsGuardedByMarkedParameters(@TempDir Path directory) throws Exception {
		Class<?> orders = compile(directory, "Orders", """
				package com.acme;
				import dev.once.*;
				public class Orders {
					@OnceEffect(action = "order", unobservable = Unobservable.ACCEPTED)
					public void order(@EffectTarget String orderId) {
					}
				}
				""");
		try (GuardedContext guarded = GuardedContext.of(new TestSettings(), in(orders))) {
			Object bean = guarded.get(orders);
			for (String order : List.of("a", "b", "c", "a")) {
				bean.getClass().getMethod("order", String.class).invoke(bean, order);
			}
			assertThat(guarded.rows()).hasSize(3);
		}
	}

	private static Consumer<AnnotationConfigApplicationContext> in(Class<?> bean) {
		return (context) -> {
			context.setClassLoader(bean.getClassLoader());
			context.register(bean);
		};
	}

	private static Class<?> compile(Path directory, String name, String source) throws Exception {
		Files.createDirectories(directory);
		Path file = Files.writeString(directory.resolve(name + ".java"), source);
		List<String> options = new ArrayList<>(List.of("-g:none", "-proc:none", "-cp",
				System.getProperty("java.class.path"), "-d", directory.toString(), file.toString()));
		int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new));
		assertThat(result).isZero();
		return new URLClassLoader(new URL[] { directory.toUri().toURL() }, KeyExpressionTests.class.getClassLoader())
			.loadClass("com.acme." + name);
	}

	record Order(String id, LocalDate day, @Nullable String note) {

	}

	public static class Throwing {

		public String getSecret() {
			throw new IllegalStateException("CANARY");
		}

	}

}
