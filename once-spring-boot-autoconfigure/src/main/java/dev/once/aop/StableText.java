package dev.once.aop;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.support.StandardTypeConverter;

/**
 * Turns values into text where a key's expression joins them ({@code 'order-' + #id}).
 * Only what has one text in every locale and JVM: never an object's {@code toString()}.
 */
final class StableText implements TypeConverter {

	private final TypeConverter others = new StandardTypeConverter();

	@Override
	public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
		return to.getType() == String.class || this.others.canConvert(from, to);
	}

	@Override
	public @Nullable Object convertValue(@Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
		if (to.getType() != String.class) {
			return this.others.convertValue(value, from, to);
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof String || value instanceof Character || value instanceof Boolean
				|| value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte
				|| value instanceof BigInteger || value instanceof UUID || value instanceof LocalDate
				|| value instanceof Instant) {
			return value.toString();
		}
		throw new UnstableTextException((value != null) ? value.getClass() : null);
	}

	/**
	 * A value has no text that is the same everywhere.
	 */
	static final class UnstableTextException extends RuntimeException {

		UnstableTextException(@Nullable Class<?> type) {
			super("it joins text and " + ((type != null)
					? "a " + type.getName() + ", which has no text that is the same everywhere" : "null"));
		}

	}

}
