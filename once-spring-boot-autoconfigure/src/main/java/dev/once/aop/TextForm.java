package dev.once.aop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
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
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * How an answer of a simple type is written as text and read again, without any library.
 *
 * @param tag names the form in the ledger, for ever; types that read each other's text
 * share it
 * @param write writes a value
 * @param read reads it again
 */
record TextForm(String tag, Function<Object, String> write, Function<String, Object> read) {

	private static final Map<Class<?>, TextForm> FORMS = new HashMap<>();

	static {
		add(String.class, "string", Function.identity(), Function.identity());
		add(Boolean.class, "boolean", Object::toString, TextForm::readBoolean);
		add(Character.class, "character", Object::toString, TextForm::readCharacter);
		add(Byte.class, "integer", Object::toString, Byte::valueOf);
		add(Short.class, "integer", Object::toString, Short::valueOf);
		add(Integer.class, "integer", Object::toString, Integer::valueOf);
		add(Long.class, "integer", Object::toString, Long::valueOf);
		add(BigInteger.class, "integer", Object::toString, BigInteger::new);
		add(BigDecimal.class, "decimal", Object::toString, BigDecimal::new);
		add(Float.class, "floating-point", Object::toString, Float::valueOf);
		add(Double.class, "floating-point", Object::toString, Double::valueOf);
		add(UUID.class, "uuid", Object::toString, UUID::fromString);
		add(Instant.class, "instant", Object::toString, Instant::parse);
		add(LocalDate.class, "date", Object::toString, LocalDate::parse);
		add(LocalTime.class, "time", Object::toString, LocalTime::parse);
		add(LocalDateTime.class, "date-time", Object::toString, LocalDateTime::parse);
		add(OffsetDateTime.class, "offset-date-time", Object::toString, OffsetDateTime::parse);
		add(ZonedDateTime.class, "zoned-date-time", Object::toString, ZonedDateTime::parse);
		add(Year.class, "year", Object::toString, Year::parse);
		add(YearMonth.class, "year-month", Object::toString, YearMonth::parse);
		add(MonthDay.class, "month-day", Object::toString, MonthDay::parse);
		add(Duration.class, "duration", Object::toString, Duration::parse);
		add(Period.class, "period", Object::toString, Period::parse);
		add(URI.class, "uri", Object::toString, URI::create);
		add(byte[].class, "bytes", Base64.getEncoder()::encodeToString, Base64.getDecoder()::decode);
	}

	private static <T> void add(Class<T> type, String tag, Function<T, String> write, Function<String, T> read) {
		FORMS.put(type, new TextForm(tag, (value) -> write.apply(type.cast(value)), read::apply));
	}

	/**
	 * The form of a type, or {@code null} where it has no simple one.
	 */
	static @Nullable TextForm of(Class<?> type) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (Enum.class.isAssignableFrom(boxed) && boxed != Enum.class) {
			return new TextForm("enum", (value) -> ((Enum<?>) value).name(), (name) -> constant(boxed, name));
		}
		return FORMS.get(boxed);
	}

	private static Object constant(Class<?> type, String name) {
		return Arrays.stream(type.getEnumConstants())
			.filter((constant) -> ((Enum<?>) constant).name().equals(name))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("no such constant"));
	}

	private static Boolean readBoolean(String text) {
		return switch (text) {
			case "true" -> Boolean.TRUE;
			case "false" -> Boolean.FALSE;
			default -> throw new IllegalArgumentException("neither true nor false");
		};
	}

	private static Character readCharacter(String text) {
		if (text.length() != 1) {
			throw new IllegalArgumentException("not one character");
		}
		return text.charAt(0);
	}

}
