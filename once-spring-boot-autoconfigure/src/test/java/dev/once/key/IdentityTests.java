package dev.once.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What people and columns get to see of an effect.
 */
class IdentityTests {

	private static final String DIGEST = "~[0-9a-f]{16}";

	private final EffectKeys keys = new EffectKeys(null);

	@Test
	void aPlainTargetIsShownAsItIs() {
		assertThat(target("inv-17")).isEqualTo("inv-17");
		assertThat(target("Z\u00fcrich \ud83d\ude00")).isEqualTo("Z\u00fcrich \ud83d\ude00");
		assertThat(target("<img src=x onerror=alert(1)>")).isEqualTo("<img src=x onerror=alert(1)>");
		assertThat(target(17)).isEqualTo("17");
		assertThat(target(new BigDecimal("12.50"))).isEqualTo("12.5");
		assertThat(target(UUID.fromString("123e4567-e89b-12d3-a456-426614174000")))
			.isEqualTo("123e4567-e89b-12d3-a456-426614174000");
		assertThat(target(LocalDate.of(2026, 1, 31))).isEqualTo("2026-01-31");
		assertThat(target(DayOfWeek.MONDAY)).isEqualTo("MONDAY");
	}

	@Test
	void severalTargetPartsAreJoinedByABar() {
		assertThat(target("acme", "inv-17")).isEqualTo("acme|inv-17");
		assertThat(target("acme", null)).isEqualTo("acme|(null)");
		assertThat(target("https://pay.example/a/b")).isEqualTo("https://pay.example/a/b");
	}

	@Test
	void aTargetThatWasChangedToBeShownCarriesADigest() {
		assertThat(target("a\0b\nc\ud83dd\u202ee\u0085f\u007fg\u2028h"))
			.matches("a\\?b\\?c\\?d\\?e\\?f\\?g\\?h" + DIGEST);
		assertThat(target("a".repeat(400))).isEqualTo("a".repeat(400));
		assertThat(target("a".repeat(401))).hasSize(400).matches("a{383}" + DIGEST);
		assertThat(target("a".repeat(382) + "\ud83d\ude00" + "b".repeat(20))).hasSize(399).matches("a{382}" + DIGEST);
		assertThat(target(List.of("a", "b"))).matches("\\[\"a\",\"b\"]" + DIGEST);
		assertThat(target(BigInteger.TEN.pow(1000).add(BigInteger.ONE)))
			.matches("\\(a number of 416 bytes\\)" + DIGEST);
	}

	@Test
	void distinctTargetsStayDistinct() {
		String long1 = "a".repeat(2000) + "1";
		String long2 = "a".repeat(2000) + "2";
		List<Object[]> targets = List.of(parts("a|b"), parts("a", "b"), parts("a|b", "c"), parts("a", "b|c"),
				parts("a", "b", "c"), parts("(null)", "a"), parts(null, "a"), parts("a\0"), parts("a?"), parts("a\1"),
				parts(long1), parts(long2), parts(long1, "a"), parts(List.of("a", "b")), parts("[\"a\",\"b\"]"),
				parts(Set.of("a")), parts(List.of("a")), parts("\ud83d"), parts("\ud83c"), parts(""), parts("", ""),
				parts("|"));
		Set<String> texts = new HashSet<>();
		targets.forEach((parts) -> texts.add(target(parts)));
		assertThat(texts).hasSameSizeAs(targets);
		// A text that looks like one with a digest gets a digest of its own
		List<String> digested = texts.stream().filter((text) -> text.matches(".*" + DIGEST)).toList();
		assertThat(digested).isNotEmpty().allSatisfy((text) -> assertThat(texts.add(target(text))).isTrue());
		assertThat(texts).allSatisfy((text) -> assertThat(text.length()).isLessThanOrEqualTo(400));
	}

	@Test
	void aLabelIsActionTargetAndGrain() {
		assertThat(identity("inv-17").build().label()).isEqualTo("charge/inv-17");
		assertThat(identity("inv-17").grain("2026-W34").build().label()).isEqualTo("charge/inv-17/2026-W34");
		assertThat(identity("inv-17").build()).hasToString("charge/inv-17");
		String cut = identity("a".repeat(300)).grain("2026-W34").build().label();
		assertThat(cut).hasSize(200).matches("charge/a+" + DIGEST + "/2026-W34");
		Identity longest = this.keys.identity("c".repeat(64))
			.target("target", "a\0".repeat(3000))
			.grain("g".repeat(3000))
			.build();
		assertThat(longest.label()).hasSizeLessThanOrEqualTo(200).doesNotContain("\0");
		assertThat(longest.grain()).hasSize(64).matches("g+" + DIGEST);
	}

	@Test
	void aGrainIsShownAsItIs() {
		assertThat(identity("a").grain("2026-11-01T01:30[America/New_York]").build().grain())
			.isEqualTo("2026-11-01T01:30[America/New_York]");
		assertThat(identity("a").build().grain()).isNull();
	}

	@Test
	void inputsAreJsonByName() {
		Map<String, Object> values = new LinkedHashMap<>();
		values.put("text", "a \"quoted\" \\ line\n\0\u202e \ud83d\ude00 \ud83d");
		values.put("number", new BigDecimal("12.50"));
		values.put("zeros", new BigDecimal("1E+3"));
		values.put("small", new BigDecimal("0.0001"));
		values.put("huge", new BigDecimal("1E+1000000000"));
		values.put("tiny", new BigDecimal("-25E-1000000000"));
		values.put("flag", true);
		values.put("when", Instant.parse("2026-01-01T00:00:00.000000001Z"));
		values.put("date", LocalDate.of(2026, 1, 31));
		values.put("time", LocalTime.of(1, 2, 3));
		values.put("local", LocalDateTime.of(2026, 1, 31, 1, 30));
		values.put("year", Year.of(2026));
		values.put("month", YearMonth.of(2026, 2));
		values.put("day", MonthDay.of(2, 29));
		values.put("took", Duration.ofMillis(-1500));
		values.put("term", Period.of(1, 2, 3));
		values.put("zone", ZoneId.of("Europe/Zurich"));
		values.put("bytes", new byte[] { 0, 1, (byte) 0xff });
		values.put("order", new GoldenVectors.Order("o-1", List.of(new GoldenVectors.Line("pen", 2)), null));
		values.put("set", Set.of("b", "a"));
		values.put("byName", Map.of("b", 1, "a", 2));
		values.put("byNumber", Map.of(1, "a"));
		values.put("none", Map.of());
		Identity.Builder builder = identity("inv-17");
		values.forEach(builder::input);
		assertThat(builder.build().inputs()).isEqualTo(
				"""
						{"text":"a \\"quoted\\" \\\\ line\\u000a\\u0000\\u202e \ud83d\ude00 \\ud83d","number":12.5,"zeros":1000,\
						"small":0.0001,"huge":1E1000000000,"tiny":-25E-1000000000,"flag":true,\
						"when":"2026-01-01T00:00:00.000000001Z","date":"2026-01-31","time":"01:02:03",\
						"local":"2026-01-31T01:30","year":2026,"month":"2026-02","day":"--02-29","took":"PT-1.5S",\
						"term":"P1Y2M3D","zone":"Europe/Zurich","bytes":"AAH/",\
						"order":{"id":"o-1","lines":[{"article":"pen","count":2}],"note":null},"set":["a","b"],\
						"byName":{"a":2,"b":1},"byNumber":[[1,"a"]],"none":{}}""");
		assertThat(identity("inv-17").build().inputs()).isEqualTo("{}");
	}

	@Test
	void inputsAreKeptWholeOrNotAtAll() {
		Identity identity = identity("inv-17").input("a", "0123456789").build();
		assertThat(identity.inputs(18)).isEqualTo("{\"a\":\"0123456789\"}").hasSize(18);
		assertThat(identity.inputs(17)).isNull();
		Identity number = identity("inv-17").input("a", BigInteger.TWO.pow(100_000)).build();
		assertThat(number.inputs(1000)).isNull();
		assertThat(number.inputs()).hasSize(6 + 30103);
		Identity bytes = identity("inv-17").input("a", new byte[5000]).build();
		assertThat(bytes.inputs(1000)).isNull();
		Identity nested = identity("inv-17").input("a", List.of(List.of("0123456789"), Map.of("b", 1))).build();
		assertThat(nested.inputs(30)).isEqualTo("{\"a\":[[\"0123456789\"],{\"b\":1}]}");
		assertThat(nested.inputs(29)).isNull();
	}

	@Test
	void anExplanationShowsEveryPartAndTheKey() {
		Identity identity = new EffectKeys("sixteen bytes or more".getBytes(StandardCharsets.US_ASCII))
			.identity("charge")
			.target("invoice", "inv-17")
			.grain("2026-W34")
			.input("amount", new BigDecimal("12.50"))
			.input("note", null)
			.input("text", "x".repeat(300))
			.secretInput("token", "s3cr3t")
			.build();
		assertThat(identity.explain()).isEqualTo("""
				effect key, encoding version 1
				  action: text charge
				  target 'invoice': text inv-17
				  grain: text 2026-W34
				  input 'amount': number 12.5
				  input 'note': null (null)
				  input 'text': text %s...
				  input 'token': secret (secret)
				  input digest: %s
				  key: %s""".formatted("x".repeat(200), identity.inputDigest(), identity.key()));
		assertThat(identity("inv-17").input("a", 1).withoutInputsInKey().build().explain())
			.contains("input (not in the key) 'a': number 1", "grain: null (null)");
	}

	private Identity.Builder identity(String target) {
		return this.keys.identity("charge").target("invoice", target);
	}

	private static @Nullable Object[] parts(@Nullable Object... parts) {
		return parts;
	}

	private String target(@Nullable Object... parts) {
		Identity.Builder builder = this.keys.identity("charge");
		for (int i = 0; i < parts.length; i++) {
			builder.target("part" + i, parts[i]);
		}
		return builder.build().target();
	}

}
