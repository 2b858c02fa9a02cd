package dev.once.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The key is injective on its parts, and blind to what does not matter.
 */
class EffectKeyPropertyTests {

	private final EffectKeys keys = new EffectKeys(null);

	@Property
	void movingABoundaryBetweenPartsGivesAnotherKey(@ForAll String one, @ForAll String other) {
		String whole = this.keys.identity("charge").target("a", one + other).target("b", "").build().key();
		String split = this.keys.identity("charge").target("a", one).target("b", other).build().key();
		assertThat(split.equals(whole)).isEqualTo(other.isEmpty());
	}

	@Property
	void movingAPartFromTargetToInputOrGrainGivesAnotherKey(@ForAll String one, @ForAll String other) {
		Set<String> distinct = new LinkedHashSet<>();
		distinct.add(this.keys.identity("charge").target("a", one).target("b", other).build().key());
		distinct.add(this.keys.identity("charge").target("a", one).input("b", other).build().key());
		distinct.add(this.keys.identity("charge").target("a", one).grain(other).build().key());
		assertThat(distinct).hasSize(3);
	}

	@Property
	void equalKeysMeanEqualValues(@ForAll("values") @Nullable Object one, @ForAll("values") @Nullable Object other) {
		assertThat(key(one).equals(key(other))).isEqualTo(normal(one).equals(normal(other)));
	}

	@Property
	void aValueAndTheListOfItAreTwoValues(@ForAll("values") @Nullable Object value) {
		List<@Nullable Object> list = new ArrayList<>();
		list.add(value);
		assertThat(key(list)).isNotEqualTo(key(value));
		assertThat(key(List.of(list))).isNotEqualTo(key(list));
	}

	@Property
	void aCutThroughAListGivesAnotherKey(@ForAll @NotEmpty List<String> elements, @ForAll @IntRange(max = 20) int at) {
		int cut = at % (elements.size() + 1);
		List<List<String>> halves = List.of(elements.subList(0, cut), elements.subList(cut, elements.size()));
		Set<String> distinct = new LinkedHashSet<>();
		distinct.add(key(elements));
		distinct.add(key(halves));
		distinct.add(key(List.of(elements)));
		assertThat(distinct).hasSize(3);
	}

	@Property
	void aSetIsBlindToItsOrder(@ForAll @Size(max = 8) Set<@Nullable String> elements, @ForAll long seed) {
		List<String> shuffled = new ArrayList<>(elements);
		Collections.shuffle(shuffled, new java.util.Random(seed));
		assertThat(key(new LinkedHashSet<>(shuffled))).isEqualTo(key(elements));
	}

	@Property
	void aMapIsBlindToItsOrderAndNothingElse(@ForAll @Size(max = 8) Map<String, Integer> map, @ForAll long seed) {
		List<String> order = new ArrayList<>(map.keySet());
		Collections.shuffle(order, new java.util.Random(seed));
		Map<String, Object> shuffled = new LinkedHashMap<>();
		order.forEach((name) -> shuffled.put(name, map.get(name)));
		assertThat(key(shuffled)).isEqualTo(key(map));
		if (!order.isEmpty()) {
			shuffled.put(order.get(0), map.get(order.get(0)) + 1L);
			assertThat(key(shuffled)).isNotEqualTo(key(map));
		}
	}

	@Property
	void aListKeepsItsOrder(@ForAll @Size(max = 8) List<Integer> elements, @ForAll long seed) {
		List<Integer> shuffled = new ArrayList<>(elements);
		Collections.shuffle(shuffled, new java.util.Random(seed));
		assertThat(key(shuffled).equals(key(elements))).isEqualTo(shuffled.equals(elements));
	}

	@Property
	void aNumberIsItsValueInEverySpelling(@ForAll BigInteger unscaled, @ForAll @IntRange(min = -50, max = 50) int scale,
			@ForAll @IntRange(max = 50) int zeros) {
		BigDecimal number = new BigDecimal(unscaled, scale);
		assertThat(key(number.setScale(scale + zeros))).isEqualTo(key(number));
		assertThat(key(number.stripTrailingZeros())).isEqualTo(key(number));
		assertThat(key(number.add(BigDecimal.valueOf(1, 60)))).isNotEqualTo(key(number));
	}

	@Property
	void integersOfEveryTypeAreOneNumber(@ForAll long value) {
		assertThat(key(BigInteger.valueOf(value))).isEqualTo(key(value));
		assertThat(key(BigDecimal.valueOf(value))).isEqualTo(key(value));
		if (value == (int) value) {
			assertThat(key((int) value)).isEqualTo(key(value));
		}
	}

	@Property
	void anInstantIsTheSameInEveryZone(@ForAll @LongRange(min = -9_999_999_999L, max = 99_999_999_999L) long second,
			@ForAll @IntRange(max = 999_999_999) int nano, @ForAll("zones") String zone) {
		Instant instant = Instant.ofEpochSecond(second, nano);
		assertThat(key(instant.atZone(ZoneId.of(zone)))).isEqualTo(key(instant));
		assertThat(key(instant.atZone(ZoneId.of(zone)).toOffsetDateTime())).isEqualTo(key(instant));
	}

	@Property
	void distinctTextsHaveDistinctTargets(@ForAll("targets") String one, @ForAll("targets") String other) {
		String first = this.keys.identity("charge").target("a", one).build().target();
		String second = this.keys.identity("charge").target("a", other).build().target();
		assertThat(first.equals(second)).isEqualTo(one.equals(other));
		String joined = this.keys.identity("charge").target("a", one).target("b", other).build().target();
		assertThat(joined).isNotEqualTo(first).isNotEqualTo(second);
		assertThat(joined.length()).isLessThanOrEqualTo(Identity.MAX_TARGET);
		assertThat(joined.codePoints()).noneMatch(CleanText::isUnsafe);
	}

	@Provide
	Arbitrary<Object> values() {
		Arbitrary<Object> leaves = Arbitraries.oneOf(Arbitraries.of("", "null", "a", "ab", "b", "1", "true"),
				Arbitraries.of(0, 1, 10, -1, 255, 256, 97), Arbitraries.of(true, false),
				Arbitraries.of(new BigDecimal("1.0"), new BigDecimal("0.1"), new BigDecimal("1E+1")),
				Arbitraries.of(GoldenVectors.Speed.values()), Arbitraries.of(Instant.EPOCH, Instant.ofEpochSecond(1)));
		return nested(nested(leaves));
	}

	private static Arbitrary<Object> nested(Arbitrary<Object> inner) {
		Arbitrary<Object> lists = inner.injectNull(0.1).list().ofMaxSize(3).map((list) -> list);
		Arbitrary<Object> maps = Arbitraries.maps(Arbitraries.of("a", "b", "ab"), inner.injectNull(0.1))
			.ofMaxSize(2)
			.map((map) -> map);
		return Arbitraries.oneOf(inner, lists, maps);
	}

	@Provide
	Arbitrary<String> zones() {
		return Arbitraries.of("UTC", "Europe/Zurich", "Asia/Kathmandu", "America/St_Johns", "Pacific/Chatham");
	}

	@Provide
	Arbitrary<String> targets() {
		return Arbitraries.strings()
			.withChars("ab|~?()\0\n\ud83d\udc00")
			.ofMaxLength(6)
			.flatMap((text) -> Arbitraries.of(text, text + "x".repeat(500), "x".repeat(395) + text, "(null)" + text,
					text + "~0123456789abcdef"));
	}

	/** The value with the distinctions left out that a key does not make. */
	private static Object normal(@Nullable Object value) {
		if (value == null) {
			return Void.class;
		}
		if (value instanceof BigDecimal || value instanceof Integer) {
			return new BigDecimal(value.toString()).stripTrailingZeros();
		}
		if (value instanceof List<?> list) {
			return list.stream().map(EffectKeyPropertyTests::normal).toList();
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, Object> normal = new LinkedHashMap<>();
			map.forEach((key, entry) -> normal.put(normal(key), normal(entry)));
			return normal;
		}
		return value;
	}

	private String key(@Nullable Object input) {
		return this.keys.identity("charge").target("invoice", "inv-17").input("value", input).build().key();
	}

}
