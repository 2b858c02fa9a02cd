package dev.once.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The effects whose encoding and key are fixed for ever in golden-vectors.txt. Only add
 * to them: its main method prints the blocks of the file.
 */
final class GoldenVectors {

	static final byte[] SECRET = "sixteen bytes or more".getBytes(StandardCharsets.US_ASCII);

	private final EffectKeys keys = new EffectKeys(SECRET);

	private final Map<String, Identity> identities = new LinkedHashMap<>();

	private GoldenVectors() {
		effects();
		texts();
		numbers();
		times();
		others();
		structures();
		secrets();
	}

	static Map<String, Identity> all() {
		return new GoldenVectors().identities;
	}

	public static void main(String[] args) {
		StringBuilder blocks = new StringBuilder();
		all().forEach((description, identity) -> blocks.append(block(description, identity)));
		System.out.print(blocks);
	}

	static String block(String description, Identity identity) {
		return "\n%s\n  encoding %s\n  key      %s\n".formatted(description,
				HexFormat.of().formatHex(identity.encoding()), identity.key());
	}

	private void effects() {
		put("a text target and nothing else", charge());
		put("two target parts", this.keys.identity("charge").target("tenant", "acme").target("invoice", "inv-17"));
		put("a list as one target part", this.keys.identity("charge").target("invoices", List.of("acme", "inv-17")));
		put("a number as target", this.keys.identity("charge").target("invoice", 17));
		put("a grain", charge().grain("2026-W34"));
		put("two inputs", charge().input("customer", "c-1").input("amount", new BigDecimal("12.50")));
		put("two inputs left out of the key",
				charge().input("customer", "c-1").input("amount", new BigDecimal("12.50")).withoutInputsInKey());
		put("an action with digits and hyphens", this.keys.identity("send-mail-2").target("to", "a@b.example"));
	}

	private void texts() {
		value("null", null);
		value("the text null", "null");
		value("the empty text", "");
		value("a character", 'x');
		value("the text of that character", "x");
		value("composed e-acute", "\u00e9");
		value("decomposed e-acute", "e\u0301");
		value("a surrogate pair", "\ud83d\ude00");
		value("half a surrogate pair", "\ud83d");
		value("a NUL", "a\0b");
		value("an array of characters", new char[] { 'a', 'b' });
	}

	private void numbers() {
		value("0", 0);
		value("-0.00", new BigDecimal("-0.00"));
		value("1 as byte", (byte) 1);
		value("1 as long", 1L);
		value("-1", -1);
		value("10.00", new BigDecimal("10.00"));
		value("1E+1", new BigDecimal("1E+1"));
		value("10 as BigInteger", BigInteger.TEN);
		value("10.01", new BigDecimal("10.01"));
		value("127", 127);
		value("128", 128);
		value("-128", -128);
		value("the largest long", Long.MAX_VALUE);
		value("the smallest long", Long.MIN_VALUE);
		value("2^64", BigInteger.TWO.pow(64));
		value("10^40", BigInteger.TEN.pow(40));
		value("1E+1000000000", new BigDecimal("1E+1000000000"));
		value("1E-1000000000", new BigDecimal("1E-1000000000"));
		put("the double 0.5, asked for", charge().input("value", 0.5, FloatingPoint.ALLOWED));
		put("the double 0.1, asked for", charge().input("value", 0.1, FloatingPoint.ALLOWED));
	}

	private void times() {
		value("an instant", Instant.parse("2026-01-01T00:00:00Z"));
		value("the same instant with offset", OffsetDateTime.parse("2026-01-01T01:00+01:00"));
		value("the same instant in a zone", ZonedDateTime.parse("2026-01-01T01:00+01:00[Europe/Zurich]"));
		value("the same instant as Date", Date.from(Instant.parse("2026-01-01T00:00:00Z")));
		value("an instant to the nanosecond", Instant.parse("2026-01-01T00:00:00.000000001Z"));
		value("an instant before 1970", Instant.parse("1969-12-31T23:59:59.999999999Z"));
		value("a local date", LocalDate.of(2026, 1, 31));
		value("a local time", LocalTime.of(23, 59, 59, 1));
		value("a local date-time", LocalDateTime.of(2026, 1, 31, 1, 30));
		value("a year", Year.of(2026));
		value("a year and month", YearMonth.of(2026, 2));
		value("a month and day", MonthDay.of(2, 29));
		value("a duration", Duration.ofMillis(-1500));
		value("a period", Period.of(1, 2, 3));
		value("a zone", ZoneId.of("America/New_York"));
	}

	private void others() {
		value("true", true);
		value("false", false);
		value("an enum", DayOfWeek.MONDAY);
		value("an enum constant with a body", Speed.FAST);
		value("a UUID", UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
		value("a currency", Currency.getInstance("CHF"));
		value("a URI", URI.create("https://pay.example/v1?a=b"));
		value("a locale", Locale.forLanguageTag("tr-TR"));
		value("bytes", new byte[] { 0, 1, (byte) 0xff });
		value("a full Optional", Optional.of("x"));
		value("an empty Optional", Optional.empty());
	}

	private void structures() {
		value("the empty list", List.of());
		value("a list", List.of("a", "b"));
		value("an array", new String[] { "a", "b" });
		value("an array of int", new int[] { 1, 2 });
		value("a list of lists", List.of(List.of("a"), List.of("b")));
		value("a list with null", Arrays.asList("a", null));
		value("a set", Set.of("b", "a", "ab"));
		value("a map", Map.of("b", 1, "a", 2, "ab", 3));
		value("the empty map", Map.of());
		value("a record", new Order("o-1", List.of(new Line("pen", 2)), null));
		value("a bean", new Parcel());
	}

	private void secrets() {
		put("a secret input", charge().secretInput("token", "s3cr3t"));
		put("the same secret for another target",
				this.keys.identity("charge").target("invoice", "inv-18").secretInput("token", "s3cr3t"));
		put("a secret target", this.keys.identity("charge").secretTarget("card", "4111111111111111"));
		put("a secret that is null", charge().secretInput("token", null));
	}

	private void value(String description, @Nullable Object value) {
		put(description, charge().input("value", value));
	}

	private Identity.Builder charge() {
		return this.keys.identity("charge").target("invoice", "inv-17");
	}

	private void put(String description, Identity.Builder identity) {
		if (this.identities.put(description, identity.build()) != null) {
			throw new IllegalStateException("twice: " + description);
		}
	}

	enum Speed {

		SLOW,

		FAST {

			@Override
			int days() {
				return 1;
			}

		};

		int days() {
			return 5;
		}

	}

	record Order(String id, List<Line> lines, @Nullable String note) {

	}

	record Line(String article, int count) {

	}

	public static class Parcel {

		private final List<String> stops = new ArrayList<>(List.of("ZRH", "BRN"));

		public String getId() {
			return "p-1";
		}

		public boolean isExpress() {
			return true;
		}

		public List<String> getStops() {
			return this.stops;
		}

		public String getURL() {
			return "https://parcel.example/p-1";
		}

		@Override
		public String toString() {
			throw new IllegalStateException("toString() is not for keys");
		}

		@Override
		public int hashCode() {
			throw new IllegalStateException("hashCode() is not for keys");
		}

	}

}
