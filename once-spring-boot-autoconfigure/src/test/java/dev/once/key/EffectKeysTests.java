package dev.once.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.AbstractList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.once.OnceException;
import dev.once.UnstableTypeException;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.implementation.FixedValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Which values give one key, which give two, and which give none.
 */
class EffectKeysTests {

	private final EffectKeys keys = new EffectKeys(null);

	// Numbers and times

	@Test
	void theSameNumberInAnotherSpellingIsTheSameEffect() {
		assertThat(Stream
			.of(new BigDecimal("10.0"), new BigDecimal("10.00"), new BigDecimal("1E+1"), 10, 10L, (short) 10, (byte) 10,
					BigInteger.TEN)
			.map(this::key)
			.distinct()).hasSize(1);
		assertThat(key(new BigDecimal("10.01"))).isNotEqualTo(key(10));
		assertThat(key(new BigDecimal("-0.00"))).isEqualTo(key(0));
		assertThat(key(-10)).isNotEqualTo(key(10));
		assertThat(key("10")).isNotEqualTo(key(10));
	}

	@Test
	void largeNumbersAreEqualByValueToo() {
		BigInteger large = new BigInteger("123456789012345678901234567890");
		for (int zeros : new int[] { 0, 1, 2, 3, 7, 8, 100, 12345 }) {
			BigInteger padded = large.multiply(BigInteger.TEN.pow(zeros));
			assertThat(key(padded)).isEqualTo(key(new BigDecimal(large, -zeros)));
		}
		assertThat(key(BigInteger.TWO.pow(200))).isNotEqualTo(key(BigInteger.TWO.pow(201)));
	}

	@Test
	void theSameInstantInAnotherSpellingIsTheSameEffect() {
		Instant instant = Instant.parse("2026-01-01T00:00:00Z");
		Calendar calendar = Calendar.getInstance(TimeZone.getTimeZone("Asia/Tokyo"));
		calendar.setTimeInMillis(instant.toEpochMilli());
		assertThat(Stream
			.of(instant, OffsetDateTime.parse("2026-01-01T01:00+01:00"), OffsetDateTime.parse("2026-01-01T00:00Z"),
					Date.from(instant), java.sql.Timestamp.from(instant), calendar)
			.map(this::key)
			.distinct()).hasSize(1);
		assertThat(key(instant.plusNanos(1))).isNotEqualTo(key(instant));
	}

	@Test
	void aFloatingPointNumberMustBeAskedFor() {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(0.1))
			.withMessage("The input 'value' of the effect 'charge' is a double; "
					+ "pass a BigDecimal, or ask for it with floatingPoint = true");
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(List.of(1, 0.1f)))
			.withMessageContaining("The input 'value' of the effect 'charge', at [1], is a float");
		assertThat(floatingKey(0.5)).isEqualTo(key(new BigDecimal("0.5")));
		assertThat(floatingKey(0.5f)).isEqualTo(floatingKey(0.5));
		assertThat(floatingKey(-0.0)).isEqualTo(floatingKey(0.0));
		assertThat(floatingKey(0.1)).isNotEqualTo(key(new BigDecimal("0.1")));
		assertThat(floatingKey(0.1 + 0.2)).isNotEqualTo(floatingKey(0.3));
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> floatingKey(Double.NaN))
			.withMessageContaining("not a finite number");
	}

	@Test
	void askingForFloatingPointHoldsForOneInputOnly() {
		assertThatExceptionOfType(UnstableTypeException.class)
			.isThrownBy(() -> this.keys.identity("charge")
				.target("invoice", "inv-17")
				.input("rate", 0.5, FloatingPoint.ALLOWED)
				.input("amount", 0.5))
			.withMessageContaining("'amount'");
	}

	// Texts, nulls and enums

	@Test
	void textsDifferByTheirExactCodeUnits() {
		assertThat(Stream.of("", "null", "\u00e9", "e\u0301", "a", "A", "a ", "\ud83d", "\ud83c", "\ufffd", "\0")
			.map(this::key)
			.distinct()).hasSize(11);
		assertThat(key(null)).isNotEqualTo(key("null")).isNotEqualTo(key(""));
		assertThat(key(new StringBuilder("a\ud83d"))).isEqualTo(key("a\ud83d"));
		assertThat(key('a')).isEqualTo(key("a"));
	}

	@Test
	void anEnumIsItsNameWhateverItsClass() {
		assertThat(key(GoldenVectors.Speed.FAST)).isEqualTo(key(Renamed.FAST)).isNotEqualTo(key("FAST"));
	}

	@Test
	void anOptionalIsWhatIsInIt() {
		assertThat(key(Optional.of("a"))).isEqualTo(key("a"));
		assertThat(key(Optional.empty())).isEqualTo(key(null));
		assertThat(key(OptionalInt.of(7))).isEqualTo(key(OptionalLong.of(7))).isEqualTo(key(7));
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(Optional.of(Optional.empty())))
			.withMessageContaining("Optional of an Optional");
	}

	// Structures

	@Test
	void listsAndArraysKeepTheirOrder() {
		assertThat(key(List.of("a", "b"))).isEqualTo(key(new String[] { "a", "b" }))
			.isEqualTo(key(new ArrayDeque<>(List.of("a", "b"))))
			.isNotEqualTo(key(List.of("b", "a")));
		assertThat(key(new int[] { 1, 2 })).isEqualTo(key(List.of(1L, 2L)));
		assertThat(key(new byte[] { 1, 2 })).isNotEqualTo(key(new int[] { 1, 2 }));
		assertThat(key(List.of(List.of("a"), List.of("b")))).isNotEqualTo(key(List.of(List.of("a", "b"), List.of())));
	}

	@Test
	void setsAndMapsAreBlindToTheirOrder() {
		Set<String> backwards = new TreeSet<>(Collections.reverseOrder());
		backwards.addAll(List.of("a", "ab", "b"));
		assertThat(key(backwards)).isEqualTo(key(new LinkedHashSet<>(List.of("ab", "b", "a"))))
			.isNotEqualTo(key(List.of("a", "ab", "b")));
		Map<String, Object> forwards = new LinkedHashMap<>();
		forwards.put("a", 1);
		forwards.put("b", Map.of("c", 2));
		Map<String, Object> sorted = new TreeMap<>(Collections.reverseOrder());
		sorted.putAll(forwards);
		assertThat(key(forwards)).isEqualTo(key(sorted)).isNotEqualTo(key(Map.of("b", 1, "a", Map.of("c", 2))));
	}

	@Test
	void twoElementsOrKeysOfOneValueAreRefused() {
		assertThatExceptionOfType(UnstableTypeException.class)
			.isThrownBy(() -> key(Set.of(new BigDecimal("1.0"), new BigDecimal("1.00"))))
			.withMessageContaining("two elements have one encoding");
		Map<Object, Integer> byIdentity = new IdentityHashMap<>();
		byIdentity.put(new StringBuilder("a"), 1);
		byIdentity.put(new StringBuilder("a"), 2);
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(byIdentity))
			.withMessageContaining("two keys have one encoding");
	}

	@Test
	void recordsAndBeansAreTheirPropertiesByName() {
		assertThat(key(new Address("Bern", 3000))).isEqualTo(key(new Turned(3000, "Bern")))
			.isEqualTo(key(new AddressBean("Bern", 3000)))
			.isNotEqualTo(key(new Address("Bern", 3001)))
			.isNotEqualTo(key(Map.of("city", "Bern", "zip", 3000)));
	}

	@Test
	void aProxyOfABeanIsTheBean() {
		ProxyFactory factory = new ProxyFactory(new AddressBean("Bern", 3000));
		factory.setProxyTargetClass(true);
		assertThat(key(factory.getProxy())).isEqualTo(key(new AddressBean("Bern", 3000)));
		AddressBean anonymous = new AddressBean("Bern", 3000) {
		};
		assertThat(key(anonymous)).isEqualTo(key(new AddressBean("Bern", 3000)));
	}

	@Test
	void whatALazyLoadingProxyAddsIsNotInTheKey() throws Exception {
		Class<? extends AddressBean> generated = new ByteBuddy().subclass(AddressBean.class)
			.name(AddressBean.class.getName() + "$HibernateProxy$x1")
			.defineMethod("getHibernateLazyInitializer", Object.class, Visibility.PUBLIC)
			.intercept(FixedValue.value("an initializer"))
			.make()
			.load(AddressBean.class.getClassLoader())
			.getLoaded();
		assertThat(key(generated.getConstructor().newInstance())).isEqualTo(key(new AddressBean()));
	}

	@Test
	void aCollectionThatThrowsIsNamed() {
		List<String> lazy = new AbstractList<>() {

			@Override
			public String get(int index) {
				throw new IllegalStateException("no session");
			}

			@Override
			public int size() {
				return 1;
			}

		};
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> key(lazy))
			.withMessage("The input 'value' of the effect 'charge' cannot be read: "
					+ "going through it threw java.lang.IllegalStateException")
			.withCauseInstanceOf(IllegalStateException.class);
	}

	@Test
	void aGetterThatThrowsIsNamed() {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(List.of(new Lazy())))
			.withMessage("The input 'value' of the effect 'charge', at [0].lines, cannot be read: "
					+ Lazy.class.getName() + ".getLines() threw java.lang.IllegalStateException")
			.withCauseInstanceOf(IllegalStateException.class);
	}

	@Test
	void whatContainsItselfIsRefusedWithoutEnd() {
		List<Object> list = new ArrayList<>();
		list.add(Map.of("self", list));
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(list))
			.withMessageContaining("at [0](a value), contains itself");
		Node node = new Node();
		node.next = node;
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(node))
			.withMessageContaining("at .next, contains itself");
		Object deep = "end";
		for (int i = 0; i < 100_000; i++) {
			deep = List.of(deep);
		}
		Object deepest = deep;
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(deepest))
			.withMessageContaining("nested deeper than 64 levels");
	}

	@Test
	void oneObjectMayStandInTwoPlaces() {
		List<String> shared = List.of("a");
		assertThat(key(List.of(shared, shared))).isEqualTo(key(List.of(List.of("a"), List.of("a"))));
	}

	static Stream<Object> unstable() {
		Supplier<String> lambda = () -> "a";
		return Stream.of(new Object(), lambda, Stream.of("a"), List.of("a").iterator(), String.class,
				Thread.currentThread(), new AtomicInteger(1), new AtomicLong(1), new java.util.Random(),
				java.sql.Date.valueOf("2026-01-01"), java.sql.Time.valueOf("10:00:00"), new Empty(), new Marker(),
				new Failed(), new TreeMap<>(Map.of("a", 1)).values(), new java.util.PriorityQueue<>(List.of("a")),
				Map.entry("a", 1), new IllegalStateException("a"), java.nio.file.Path.of("a"),
				java.io.InputStream.nullInputStream(), TimeZone.getTimeZone("UTC"), new Resource(),
				java.lang.reflect.Proxy.newProxyInstance(EffectKeysTests.class.getClassLoader(),
						new Class<?>[] { Named.class }, (proxy, method, args) -> "a"));
	}

	@ParameterizedTest
	@MethodSource("unstable")
	void whatHasNoStableFormIsRefusedWithItsName(Object value) {
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> key(List.of(value)))
			.withMessageStartingWith("The input 'value' of the effect 'charge', at [0], is a ")
			.withMessageContaining("; ");
	}

	@Test
	void aRefusedInputLeavesTheOthersAsTheyWere() {
		Identity.Builder builder = this.keys.identity("charge").target("invoice", "inv-17");
		assertThatExceptionOfType(UnstableTypeException.class)
			.isThrownBy(() -> builder.input("value", List.of("a", new Object())));
		assertThat(builder.input("value", "a").build().key()).isEqualTo(key("a"));
	}

	// The effect

	@Test
	void everyPartOfAnEffectCounts() {
		assertThat(Stream
			.of(this.keys.identity("charge").target("a", "x"), this.keys.identity("refund").target("a", "x"),
					this.keys.identity("charge").target("a", "y"),
					this.keys.identity("charge").target("a", "x").target("b", "y"),
					this.keys.identity("charge").target("a", List.of("x", "y")),
					this.keys.identity("charge").target("a", "x").grain("y"),
					this.keys.identity("charge").target("a", "x").input("b", "y"),
					this.keys.identity("charge").target("a", "x").input("b", null),
					this.keys.identity("charge").target("a", "x").grain("z").input("b", "y"))
			.map((builder) -> builder.build().key())
			.distinct()).hasSize(9);
	}

	@Test
	void aRenamedParameterIsTheSameEffect() {
		assertThat(this.keys.identity("charge").target("a", "x").input("b", 1).build().key())
			.isEqualTo(this.keys.identity("charge").target("c", "x").input("d", 1).build().key());
	}

	@Test
	void inputsMayStayOutOfTheKeyAndKeepTheirDigest() {
		Identity one = this.keys.identity("charge").target("a", "x").input("b", 1).withoutInputsInKey().build();
		Identity other = this.keys.identity("charge").target("a", "x").input("b", 2).withoutInputsInKey().build();
		assertThat(one.key()).isEqualTo(other.key());
		assertThat(one.inputDigest()).matches("[0-9a-f]{32}").isNotEqualTo(other.inputDigest());
		Identity within = this.keys.identity("charge").target("a", "x").input("b", 1).build();
		assertThat(within.key()).isNotEqualTo(one.key());
		assertThat(within.inputDigest()).isEqualTo(one.inputDigest());
	}

	@Test
	void aLaterChangeOfAnArgumentChangesNothing() {
		List<String> lines = new ArrayList<>(List.of("a"));
		Identity.Builder builder = this.keys.identity("charge").target("a", "x").input("lines", lines);
		lines.add("b");
		Identity identity = builder.build();
		lines.add("c");
		assertThat(identity.key())
			.isEqualTo(this.keys.identity("charge").target("a", "x").input("lines", List.of("a")).build().key());
		assertThat(identity.inputs()).isEqualTo("{\"lines\":[\"a\"]}");
	}

	@Test
	void manyThreadsFindTheKeyThatOneFinds() {
		EffectKeys shared = new EffectKeys(new byte[16]);
		IntFunction<String> key = (
				i) -> shared.identity("charge").target("invoice", i).secretInput("token", "token-" + i).build().key();
		List<String> alone = IntStream.range(0, 5000).mapToObj(key).toList();
		assertThat(IntStream.range(0, 5000).parallel().mapToObj(key).toList()).isEqualTo(alone);
	}

	@Test
	void anEffectWithoutTargetIsRefused() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.keys.identity("charge").input("a", 1).build())
			.withMessage("The effect 'charge' has no target, so all its calls would be one effect; "
					+ "name what it acts on");
	}

	static Stream<@Nullable Object> nothings() {
		return Stream.of(null, Optional.empty(), List.of(), Arrays.asList(null, null), new Object[1],
				new HashMap<>(Collections.singletonMap("a", null)), new Turned(null, null), Map.of());
	}

	@ParameterizedTest
	@MethodSource("nothings")
	void aTargetOfNothingButNullsIsRefused(@Nullable Object value) {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.keys.identity("charge").target("tenant", value).target("order", null).build())
			.withMessageContaining("The target of the effect 'charge' (tenant, order) is null");
		assertThatNoException()
			.isThrownBy(() -> this.keys.identity("charge").target("tenant", value).target("order", 1).build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "Charge", "1charge", "charge invoice", "charge/invoice", "ch\u0131rge", "-charge" })
	void anActionThatIsNoNameIsRefused(String action) {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.keys.identity(action))
			.withMessageContaining("The action '" + action + "'");
	}

	@Test
	void anActionIsRefusedAtTheFirstCharacterTooMany() {
		assertThatNoException().isThrownBy(() -> this.keys.identity("a".repeat(64)));
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> this.keys.identity("a".repeat(65)))
			.withMessageContaining("(65 characters)")
			.withMessageContaining("at most 64 characters");
	}

	@Test
	void twoPartsOfOneNameAreRefused() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> this.keys.identity("charge").target("a", 1).input("b", 1).input("b", 2))
			.withMessageContaining("two parts named 'b' as input");
	}

	private String key(@Nullable Object input) {
		return this.keys.identity("charge").target("invoice", "inv-17").input("value", input).build().key();
	}

	private String floatingKey(Object input) {
		return this.keys.identity("charge")
			.target("invoice", "inv-17")
			.input("value", input, FloatingPoint.ALLOWED)
			.build()
			.key();
	}

	enum Renamed {

		FAST

	}

	record Address(String city, int zip) {

	}

	record Turned(@Nullable Object zip, @Nullable Object city) {

	}

	record Marker() {

	}

	public static class AddressBean {

		private final String city;

		private final int zip;

		public AddressBean() {
			this("", 0);
		}

		AddressBean(String city, int zip) {
			this.city = city;
			this.zip = zip;
		}

		public String getCity() {
			return this.city;
		}

		public int getZip() {
			return this.zip;
		}

		public String getaway() {
			return "is no property";
		}

		public boolean issue() {
			return true;
		}

		public static UUID getRandom() {
			return UUID.randomUUID();
		}

		@Override
		public String toString() {
			throw new IllegalStateException("toString() is not for keys");
		}

		@Override
		public int hashCode() {
			throw new IllegalStateException("hashCode() is not for keys");
		}

		@Override
		public boolean equals(Object other) {
			throw new IllegalStateException("equals() is not for keys");
		}

	}

	public static class Lazy {

		public List<String> getLines() {
			throw new IllegalStateException("no session");
		}

	}

	public static class Node {

		private @Nullable Node next;

		public @Nullable Node getNext() {
			return this.next;
		}

	}

	public static class Failed extends Exception {

		public String getInvoice() {
			return "inv-17";
		}

	}

	static class Empty {

		@Override
		public String toString() {
			return "a";
		}

	}

	public static class Resource implements AutoCloseable {

		public String getName() {
			return "a";
		}

		@Override
		public void close() {
		}

	}

	public interface Named {

		String getName();

	}

}
