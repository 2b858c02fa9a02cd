package dev.once.key;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Writes values in the canonical encoding: a tag, the length of the content as four
 * bytes, the content. The format is fixed for ever by docs/effect-key.md and its golden
 * vectors. It never calls {@code toString()}, {@code hashCode()} or {@code equals()} of
 * an application's object. Not thread-safe.
 */
final class Encoder {

	/** A tag and a length. */
	static final int HEADER = 5;

	static final int MAX_DEPTH = 64;

	static final int MAX_SIZE = 64 << 20;

	private static final byte[] NO_BYTES = {};

	private byte[] bytes;

	private int size;

	private FloatingPoint floatingPoint = FloatingPoint.REFUSED;

	/** The structures that are being read, to find one that contains itself. */
	private Object @Nullable [] open;

	private int depth;

	Encoder(int capacity) {
		this.bytes = (capacity == 0) ? NO_BYTES : new byte[capacity];
	}

	int size() {
		return this.size;
	}

	byte[] array() {
		return this.bytes;
	}

	void truncate(int size) {
		this.size = size;
		this.depth = 0;
	}

	/** What was written; the encoder must not be used after that. */
	byte[] toBytes() {
		return (this.size == this.bytes.length) ? this.bytes : Arrays.copyOf(this.bytes, this.size);
	}

	/**
	 * Writes one value.
	 * @throws NoStableForm if it, or something in it, has no stable form
	 */
	void value(@Nullable Object value, FloatingPoint allowed) {
		this.floatingPoint = allowed;
		value(value);
	}

	private void value(@Nullable Object value) {
		if (value == null) {
			empty(Tag.NULL);
			return;
		}
		Shape shape = Shape.of(value.getClass());
		if (shape instanceof Leaf<?> leaf) {
			leaf.write(this, value);
		}
		else if (shape instanceof Shape.Structure structure) {
			structure(structure, value);
		}
		else if (shape instanceof Properties properties) {
			enter(value);
			object(properties, value);
			leave();
		}
		else if (shape instanceof Shape.Refused refused) {
			throw new NoStableForm(refused.reason());
		}
	}

	private void structure(Shape.Structure structure, Object value) {
		switch (structure) {
			case ENUM -> named(Tag.ENUM, ((Enum<?>) value).name());
			case OPTIONAL -> optional(value);
			case ARRAY -> {
				enter(value);
				array(value);
				leave();
			}
			case SEQUENCE -> {
				enter(value);
				sequence((Collection<?>) value);
				leave();
			}
			case SET -> {
				enter(value);
				set((Set<?>) value);
				leave();
			}
			case MAP -> {
				enter(value);
				map((Map<?, ?>) value);
				leave();
			}
		}
	}

	// Structures

	private void enter(Object structure) {
		if (this.open == null) {
			this.open = new Object[MAX_DEPTH];
		}
		for (int i = 0; i < this.depth; i++) {
			if (this.open[i] == structure) {
				throw new NoStableForm("contains itself; pass what identifies it instead");
			}
		}
		if (this.depth == MAX_DEPTH) {
			throw new NoStableForm("is nested deeper than " + MAX_DEPTH + " levels; pass what identifies it instead");
		}
		this.open[this.depth++] = structure;
	}

	private void leave() {
		this.depth--;
	}

	private void optional(Object value) {
		Object content = null;
		if (value instanceof Optional<?> optional) {
			content = optional.orElse(null);
		}
		else if (value instanceof OptionalInt optional && optional.isPresent()) {
			content = optional.getAsInt();
		}
		else if (value instanceof OptionalLong optional && optional.isPresent()) {
			content = optional.getAsLong();
		}
		else if (value instanceof OptionalDouble optional && optional.isPresent()) {
			content = optional.getAsDouble();
		}
		if (content instanceof Optional) {
			throw new NoStableForm("is an Optional of an Optional, where two kinds of empty would be one; pass one");
		}
		value(content);
	}

	private void array(Object array) {
		int start = begin(Tag.LIST);
		int length = Array.getLength(array);
		for (int i = 0; i < length; i++) {
			element(Array.get(array, i), i);
		}
		end(start);
	}

	private void sequence(Collection<?> values) {
		int start = begin(Tag.LIST);
		int index = 0;
		for (Object value : values) {
			element(value, index++);
		}
		end(start);
	}

	private void element(@Nullable Object value, int index) {
		try {
			value(value);
		}
		catch (NoStableForm ex) {
			throw ex.within("[" + index + "]");
		}
	}

	private void object(Properties properties, Object owner) {
		int start = begin(Tag.OBJECT);
		for (Properties.Property property : properties.properties()) {
			named(Tag.TEXT, property.name());
			try {
				value(property.of(owner));
			}
			catch (NoStableForm ex) {
				throw ex.within("." + property.name());
			}
		}
		end(start);
	}

	private void set(Set<?> values) {
		int start = begin(Tag.SET);
		List<Span> spans = new ArrayList<>();
		for (Object value : values) {
			int from = this.size;
			element(value, spans.size());
			spans.add(new Span(from, this.size, this.size));
		}
		sort(spans, "is a set in which two elements have one encoding (such as 1.0 and 1.00); leave one of them out");
		end(start);
	}

	private void map(Map<?, ?> map) {
		int start = begin(Tag.MAP);
		List<Span> spans = new ArrayList<>();
		for (Map.Entry<?, ?> entry : map.entrySet()) {
			int from = this.size;
			try {
				value(entry.getKey());
			}
			catch (NoStableForm ex) {
				throw ex.within("(a key)");
			}
			int keyEnd = this.size;
			try {
				value(entry.getValue());
			}
			catch (NoStableForm ex) {
				throw ex.within("(a value)");
			}
			spans.add(new Span(from, keyEnd, this.size));
		}
		sort(spans, "is a map in which two keys have one encoding (such as 1.0 and 1.00); leave one of them out");
		end(start);
	}

	/** Puts what was just written into the order of its encoded keys. */
	private void sort(List<Span> spans, String ambiguous) {
		if (spans.size() < 2) {
			return;
		}
		List<Span> sorted = new ArrayList<>(spans);
		sorted.sort(this::compareKeys);
		for (int i = 1; i < sorted.size(); i++) {
			if (compareKeys(sorted.get(i - 1), sorted.get(i)) == 0) {
				throw new NoStableForm(ambiguous);
			}
		}
		int from = spans.get(0).from;
		byte[] unsorted = Arrays.copyOfRange(this.bytes, from, this.size);
		int to = from;
		for (Span span : sorted) {
			System.arraycopy(unsorted, span.from - from, this.bytes, to, span.to - span.from);
			to += span.to - span.from;
		}
	}

	private int compareKeys(Span one, Span other) {
		return Arrays.compareUnsigned(this.bytes, one.from, one.keyEnd, this.bytes, other.from, other.keyEnd);
	}

	// Leaves

	void empty(Tag tag) {
		end(begin(tag));
	}

	void named(Tag tag, String name) {
		int start = begin(tag);
		int length = name.length();
		ensure(2L * length);
		byte[] target = this.bytes;
		int at = this.size;
		for (int i = 0; i < length; i++) {
			char unit = name.charAt(i);
			target[at++] = (byte) (unit >> 8);
			target[at++] = (byte) unit;
		}
		this.size = at;
		end(start);
	}

	void text(CharSequence text) {
		if (text instanceof String string) {
			named(Tag.TEXT, string);
			return;
		}
		int start = begin(Tag.TEXT);
		int length = text.length();
		ensure(2L * length);
		for (int i = 0; i < length; i++) {
			putChar(text.charAt(i));
		}
		end(start);
	}

	void character(char character) {
		int start = begin(Tag.TEXT);
		putChar(character);
		end(start);
	}

	void characters(char[] characters) {
		int start = begin(Tag.TEXT);
		ensure(2L * characters.length);
		for (char character : characters) {
			putChar(character);
		}
		end(start);
	}

	void bool(boolean value) {
		int start = begin(Tag.BOOLEAN);
		put(value ? 1 : 0);
		end(start);
	}

	void bytes(byte[] value) {
		int start = begin(Tag.BYTES);
		raw(value, 0, value.length);
		end(start);
	}

	void uuid(UUID value) {
		int start = begin(Tag.UUID);
		putLong(value.getMostSignificantBits());
		putLong(value.getLeastSignificantBits());
		end(start);
	}

	// Numbers: exponent, then the unscaled value without trailing zeros

	void integer(Number value) {
		if (value instanceof BigInteger big) {
			number(big, 0);
		}
		else {
			number(value.longValue(), 0);
		}
	}

	void decimal(BigDecimal value) {
		number(value.unscaledValue(), -(long) value.scale());
	}

	void floating(Number value) {
		if (this.floatingPoint == FloatingPoint.REFUSED) {
			throw new NoStableForm("is a " + ((value instanceof Float) ? "float" : "double")
					+ "; pass a BigDecimal, or ask for it with floatingPoint = true");
		}
		double number = value.doubleValue();
		if (!Double.isFinite(number)) {
			throw new NoStableForm("is not a finite number; pass one");
		}
		decimal(new BigDecimal(number));
	}

	private void number(BigInteger unscaled, long exponent) {
		if (unscaled.bitLength() < Long.SIZE) {
			number(unscaled.longValue(), exponent);
			return;
		}
		// By growing and then by shrinking powers: a million zeros need twenty divisions
		BigInteger digits = unscaled;
		long power = exponent;
		List<BigInteger> powers = new ArrayList<>();
		BigInteger divisor = BigInteger.TEN;
		int zeros = 1;
		while (digits.getLowestSetBit() >= zeros) {
			BigInteger[] parts = digits.divideAndRemainder(divisor);
			if (parts[1].signum() != 0) {
				break;
			}
			digits = parts[0];
			power += zeros;
			powers.add(divisor);
			divisor = divisor.multiply(divisor);
			zeros *= 2;
		}
		for (int i = powers.size() - 1; i >= 0; i--) {
			zeros /= 2;
			if (digits.getLowestSetBit() >= zeros) {
				BigInteger[] parts = digits.divideAndRemainder(powers.get(i));
				if (parts[1].signum() == 0) {
					digits = parts[0];
					power += zeros;
				}
			}
		}
		int start = begin(Tag.NUMBER);
		putLong(power);
		byte[] content = digits.toByteArray();
		raw(content, 0, content.length);
		end(start);
	}

	private void number(long unscaled, long exponent) {
		long digits = unscaled;
		long power = (digits == 0) ? 0 : exponent;
		while (digits != 0 && digits % 10 == 0) {
			digits /= 10;
			power++;
		}
		int start = begin(Tag.NUMBER);
		putLong(power);
		int bits = Long.SIZE - Long.numberOfLeadingZeros((digits < 0) ? ~digits : digits);
		for (int shift = (bits / 8) * 8; shift >= 0; shift -= 8) {
			put((int) (digits >> shift));
		}
		end(start);
	}

	// Times

	void instant(Instant value) {
		int start = begin(Tag.INSTANT);
		putLong(value.getEpochSecond());
		putInt(value.getNano());
		end(start);
	}

	void date(LocalDate value) {
		int start = begin(Tag.DATE);
		putDate(value);
		end(start);
	}

	void time(LocalTime value) {
		int start = begin(Tag.TIME);
		putLong(value.toNanoOfDay());
		end(start);
	}

	void dateTime(LocalDateTime value) {
		int start = begin(Tag.DATE_TIME);
		putDate(value.toLocalDate());
		putLong(value.toLocalTime().toNanoOfDay());
		end(start);
	}

	void year(Year value) {
		int start = begin(Tag.YEAR);
		putInt(value.getValue());
		end(start);
	}

	void yearMonth(YearMonth value) {
		int start = begin(Tag.YEAR_MONTH);
		putInt(value.getYear());
		put(value.getMonthValue());
		end(start);
	}

	void monthDay(MonthDay value) {
		int start = begin(Tag.MONTH_DAY);
		put(value.getMonthValue());
		put(value.getDayOfMonth());
		end(start);
	}

	void duration(Duration value) {
		int start = begin(Tag.DURATION);
		putLong(value.getSeconds());
		putInt(value.getNano());
		end(start);
	}

	void period(Period value) {
		int start = begin(Tag.PERIOD);
		putInt(value.getYears());
		putInt(value.getMonths());
		putInt(value.getDays());
		end(start);
	}

	private void putDate(LocalDate value) {
		putInt(value.getYear());
		put(value.getMonthValue());
		put(value.getDayOfMonth());
	}

	// Bytes

	/** Starts a value and returns where; its length is written by {@link #end(int)}. */
	int begin(Tag tag) {
		ensure(HEADER);
		int start = this.size;
		this.bytes[start] = tag.code;
		this.size = start + HEADER;
		return start;
	}

	void end(int start) {
		int length = this.size - start - HEADER;
		this.bytes[start + 1] = (byte) (length >> 24);
		this.bytes[start + 2] = (byte) (length >> 16);
		this.bytes[start + 3] = (byte) (length >> 8);
		this.bytes[start + 4] = (byte) length;
	}

	void raw(byte[] source, int from, int length) {
		ensure(length);
		System.arraycopy(source, from, this.bytes, this.size, length);
		this.size += length;
	}

	void put(int value) {
		ensure(1);
		this.bytes[this.size++] = (byte) value;
	}

	private void putChar(char value) {
		put(value >> 8);
		put(value);
	}

	void putInt(int value) {
		for (int shift = 24; shift >= 0; shift -= 8) {
			put(value >> shift);
		}
	}

	private void putLong(long value) {
		putInt((int) (value >> 32));
		putInt((int) value);
	}

	private void ensure(long more) {
		long needed = this.size + more;
		if (needed <= this.bytes.length) {
			return;
		}
		if (needed > MAX_SIZE) {
			throw new NoStableForm("is larger than " + (MAX_SIZE >> 20)
					+ " MiB in the key's encoding; pass what identifies it, or a digest of it");
		}
		this.bytes = Arrays.copyOf(this.bytes, (int) Math.max(needed, Math.min(MAX_SIZE, 2L * this.bytes.length)));
	}

	/** Where an element, or an entry with its key, was written. */
	private record Span(int from, int keyEnd, int to) {

	}

}
