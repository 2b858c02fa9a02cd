package dev.once.key;

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
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A Java type whose values are encoded whole. This table is the one definition of what
 * the start-up check accepts and what the encoder writes.
 *
 * @param <T> the Java type
 * @param type the Java type; where it is not final its subtypes are meant too
 * @param content writes the tag, the length and the bytes
 */
record Leaf<T>(Class<T> type, Content<T> content) implements Shape {

	private static final List<Leaf<?>> ALL = List.of(new Leaf<>(CharSequence.class, Encoder::text),
			new Leaf<>(String.class, Encoder::text), new Leaf<>(Character.class, Encoder::character),
			new Leaf<>(char[].class, Encoder::characters), new Leaf<>(Boolean.class, Encoder::bool),
			new Leaf<>(Byte.class, Encoder::integer), new Leaf<>(Short.class, Encoder::integer),
			new Leaf<>(Integer.class, Encoder::integer), new Leaf<>(Long.class, Encoder::integer),
			new Leaf<>(BigInteger.class, Encoder::integer), new Leaf<>(BigDecimal.class, Encoder::decimal),
			new Leaf<>(Float.class, Encoder::floating), new Leaf<>(Double.class, Encoder::floating),
			new Leaf<>(UUID.class, Encoder::uuid), new Leaf<>(byte[].class, Encoder::bytes),
			new Leaf<>(Instant.class, Encoder::instant),
			new Leaf<>(OffsetDateTime.class, (encoder, value) -> encoder.instant(value.toInstant())),
			new Leaf<>(ZonedDateTime.class, (encoder, value) -> encoder.instant(value.toInstant())),
			new Leaf<>(Date.class, (encoder, value) -> encoder.instant(value.toInstant())),
			new Leaf<>(Calendar.class, (encoder, value) -> encoder.instant(value.toInstant())),
			new Leaf<>(LocalDate.class, Encoder::date), new Leaf<>(LocalTime.class, Encoder::time),
			new Leaf<>(LocalDateTime.class, Encoder::dateTime), new Leaf<>(Year.class, Encoder::year),
			new Leaf<>(YearMonth.class, Encoder::yearMonth), new Leaf<>(MonthDay.class, Encoder::monthDay),
			new Leaf<>(Duration.class, Encoder::duration), new Leaf<>(Period.class, Encoder::period),
			new Leaf<>(ZoneId.class, (encoder, value) -> encoder.named(Tag.ZONE, value.getId())),
			new Leaf<>(Currency.class, (encoder, value) -> encoder.named(Tag.CURRENCY, value.getCurrencyCode())),
			new Leaf<>(URI.class, (encoder, value) -> encoder.named(Tag.URI, value.toString())),
			new Leaf<>(Locale.class, (encoder, value) -> encoder.named(Tag.LOCALE, value.toLanguageTag())));

	private static final Map<Class<?>, Leaf<?>> BY_TYPE = new HashMap<>();

	static {
		ALL.forEach((leaf) -> BY_TYPE.put(leaf.type, leaf));
	}

	/** The leaf of exactly this class. */
	static @Nullable Leaf<?> exactly(Class<?> type) {
		return BY_TYPE.get(type);
	}

	/** The leaf that this class, or a class above it, is. */
	static @Nullable Leaf<?> of(Class<?> type) {
		Leaf<?> exact = BY_TYPE.get(type);
		if (exact != null) {
			return exact;
		}
		for (Leaf<?> leaf : ALL) {
			if (leaf.type.isAssignableFrom(type)) {
				return leaf;
			}
		}
		return null;
	}

	/** Whether some leaf may stand where this type is declared. */
	static boolean anyIs(Class<?> type) {
		return ALL.stream().anyMatch((leaf) -> type.isAssignableFrom(leaf.type));
	}

	boolean isFloatingPoint() {
		return this.type == Double.class || this.type == Float.class;
	}

	void write(Encoder encoder, Object value) {
		this.content.write(encoder, this.type.cast(value));
	}

	@FunctionalInterface
	interface Content<T> {

		void write(Encoder encoder, T value);

	}

}
