package dev.once.key;

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
import java.util.Base64;
import java.util.List;
import java.util.UUID;

/**
 * Reads an encoding back as text, so that what people see is what was hashed: a snapshot
 * of the call, without the application's objects and without secrets. It stops when it
 * has written more than its limit.
 */
final class Readable {

	static final String SECRET = "(secret)";

	private static final char[] HEX = "0123456789abcdef".toCharArray();

	/** A number with more zeros than this to write out is shown with an exponent. */
	private static final int MAX_ZEROS = 20;

	private final byte[] bytes;

	private final int limit;

	private final StringBuilder out;

	private int at;

	private boolean leftOut;

	/**
	 * Reads from a position in an encoding.
	 * @param limit the number of characters after which nothing more is written
	 */
	Readable(byte[] bytes, int at, int limit) {
		this.bytes = bytes;
		this.at = at;
		this.limit = limit;
		this.out = new StringBuilder();
	}

	/** The tag of the value at a position. */
	static Tag tag(byte[] bytes, int at) {
		return Tag.of(bytes[at]);
	}

	/** The position after the value at a position. */
	static int next(byte[] bytes, int at) {
		return at + Encoder.HEADER + length(bytes, at);
	}

	private static int length(byte[] bytes, int at) {
		return intAt(bytes, at + 1);
	}

	/** Whether the value at a position is null, or holds nothing but nulls. */
	static boolean isNothing(byte[] bytes, int at) {
		return switch (tag(bytes, at)) {
			case NULL -> true;
			case LIST, SET -> nothingWithin(bytes, at, 1);
			case MAP, OBJECT -> nothingWithin(bytes, at, 2);
			default -> false;
		};
	}

	private static boolean nothingWithin(byte[] bytes, int at, int step) {
		int end = next(bytes, at);
		int value = at + Encoder.HEADER;
		for (int i = 1; value < end; i++) {
			// Of a map or an object only the values count
			if (i % step == 0 && !isNothing(bytes, value)) {
				return false;
			}
			value = next(bytes, value);
		}
		return true;
	}

	/** Whether what was written is not the whole. */
	boolean overLimit() {
		return this.leftOut || this.out.length() > this.limit;
	}

	/** What was written; over the limit it is cut somewhere. */
	String text() {
		return this.out.toString();
	}

	/** Writes a list of values as a JSON object under the given names. */
	void json(List<String> names) {
		this.at += Encoder.HEADER;
		this.out.append('{');
		String comma = "";
		for (String name : names) {
			this.out.append(comma);
			quote(name);
			this.out.append(':');
			json();
			comma = ",";
		}
		this.out.append('}');
	}

	/** Writes the next value as JSON. */
	void json() {
		if (overLimit()) {
			return;
		}
		int end = next(this.bytes, this.at);
		Tag tag = tag(this.bytes, this.at);
		this.at += Encoder.HEADER;
		switch (tag) {
			case NULL -> this.out.append("null");
			case BOOLEAN, NUMBER, YEAR -> leaf(tag, end);
			case TEXT, ENUM, ZONE, CURRENCY, URI, LOCALE -> quoted(end);
			case LIST, SET -> elements(end);
			case OBJECT -> members(end);
			case MAP -> entries(end);
			case SECRET -> this.out.append('"').append(SECRET).append('"');
			default -> {
				this.out.append('"');
				leaf(tag, end);
				this.out.append('"');
			}
		}
		this.at = end;
	}

	/** Writes the next value as it is meant to be read by people: text without quotes. */
	void plain() {
		Tag tag = tag(this.bytes, this.at);
		int end = next(this.bytes, this.at);
		switch (tag) {
			case LIST, SET, OBJECT, MAP -> json();
			case NULL -> this.out.append("(null)");
			case SECRET -> this.out.append(SECRET);
			case TEXT, ENUM, ZONE, CURRENCY, URI, LOCALE -> {
				this.at += Encoder.HEADER;
				while (this.at < end && !overLimit()) {
					this.out.append(nextChar());
				}
			}
			default -> {
				this.at += Encoder.HEADER;
				leaf(tag, end);
			}
		}
		this.at = end;
	}

	private void elements(int end) {
		this.out.append('[');
		String comma = "";
		while (this.at < end && !overLimit()) {
			this.out.append(comma);
			json();
			comma = ",";
		}
		this.out.append(']');
	}

	private void members(int end) {
		this.out.append('{');
		String comma = "";
		while (this.at < end && !overLimit()) {
			this.out.append(comma);
			json();
			this.out.append(':');
			json();
			comma = ",";
		}
		this.out.append('}');
	}

	/** A JSON object if all keys are text or all are enums, else a list of pairs. */
	private void entries(int end) {
		if (namesOnly(end)) {
			members(end);
			return;
		}
		this.out.append('[');
		String comma = "";
		while (this.at < end && !overLimit()) {
			this.out.append(comma).append('[');
			json();
			this.out.append(',');
			json();
			this.out.append(']');
			comma = ",";
		}
		this.out.append(']');
	}

	private boolean namesOnly(int end) {
		if (this.at == end) {
			return true;
		}
		Tag first = tag(this.bytes, this.at);
		if (first != Tag.TEXT && first != Tag.ENUM) {
			return false;
		}
		for (int key = this.at; key < end; key = next(this.bytes, next(this.bytes, key))) {
			if (tag(this.bytes, key) != first) {
				return false;
			}
		}
		return true;
	}

	private void leaf(Tag tag, int end) {
		switch (tag) {
			case BOOLEAN -> this.out.append(this.bytes[this.at] != 0);
			case NUMBER -> number(end);
			case UUID -> this.out.append(new UUID(nextLong(), nextLong()));
			case INSTANT -> this.out.append(Instant.ofEpochSecond(nextLong(), nextInt()));
			case DATE -> this.out.append(nextDate());
			case TIME -> this.out.append(LocalTime.ofNanoOfDay(nextLong()));
			case DATE_TIME -> this.out.append(LocalDateTime.of(nextDate(), LocalTime.ofNanoOfDay(nextLong())));
			case YEAR -> this.out.append(Year.of(nextInt()).getValue());
			case YEAR_MONTH -> this.out.append(YearMonth.of(nextInt(), next()));
			case MONTH_DAY -> this.out.append(MonthDay.of(next(), next()));
			case DURATION -> this.out.append(Duration.ofSeconds(nextLong(), nextInt()));
			case PERIOD -> this.out.append(Period.of(nextInt(), nextInt(), nextInt()));
			case BYTES -> base64(end);
			default -> throw new IllegalStateException(tag + " is not a leaf");
		}
	}

	private void number(int end) {
		long exponent = nextLong();
		int length = end - this.at;
		// A byte is more than two digits: do not turn into digits what is over the limit
		if (length * 2L > room()) {
			leaveOut("a number of " + length + " bytes");
			return;
		}
		BigInteger unscaled = new BigInteger(this.bytes, this.at, length);
		String digits = unscaled.toString();
		boolean few = (exponent > 0) ? exponent <= MAX_ZEROS : -exponent <= digits.length() + MAX_ZEROS;
		if (few) {
			this.out.append(new BigDecimal(unscaled, (int) -exponent).toPlainString());
		}
		else {
			this.out.append(digits).append('E').append(exponent);
		}
	}

	private void base64(int end) {
		int length = end - this.at;
		if (length > room()) {
			leaveOut(length + " bytes");
			return;
		}
		byte[] content = new byte[length];
		System.arraycopy(this.bytes, this.at, content, 0, length);
		this.out.append(Base64.getEncoder().encodeToString(content));
	}

	private long room() {
		return (long) this.limit - this.out.length();
	}

	private void leaveOut(String what) {
		this.out.append('(').append(what).append(')');
		this.leftOut = true;
	}

	private void quoted(int end) {
		this.out.append('"');
		while (this.at < end && !overLimit()) {
			char unit = nextChar();
			if (Character.isHighSurrogate(unit) && this.at < end && Character.isLowSurrogate(peekChar())) {
				escape(Character.toCodePoint(unit, nextChar()));
			}
			else {
				escape(unit);
			}
		}
		this.out.append('"');
	}

	private void quote(String text) {
		this.out.append('"');
		text.codePoints().forEach(this::escape);
		this.out.append('"');
	}

	private void escape(int codePoint) {
		if (codePoint == '"' || codePoint == '\\') {
			this.out.append('\\').append((char) codePoint);
		}
		else if (!CleanText.isUnsafe(codePoint)) {
			this.out.appendCodePoint(codePoint);
		}
		else {
			for (char unit : Character.toChars(codePoint)) {
				this.out.append("\\u");
				for (int shift = 12; shift >= 0; shift -= 4) {
					this.out.append(HEX[(unit >> shift) & 0xf]);
				}
			}
		}
	}

	private LocalDate nextDate() {
		return LocalDate.of(nextInt(), next(), next());
	}

	private int next() {
		return this.bytes[this.at++];
	}

	private char peekChar() {
		return (char) (((this.bytes[this.at] & 0xff) << 8) | (this.bytes[this.at + 1] & 0xff));
	}

	private char nextChar() {
		char unit = peekChar();
		this.at += 2;
		return unit;
	}

	private int nextInt() {
		int value = intAt(this.bytes, this.at);
		this.at += 4;
		return value;
	}

	private long nextLong() {
		return ((long) nextInt() << 32) | (nextInt() & 0xffffffffL);
	}

	private static int intAt(byte[] bytes, int at) {
		return ((bytes[at] & 0xff) << 24) | ((bytes[at + 1] & 0xff) << 16) | ((bytes[at + 2] & 0xff) << 8)
				| (bytes[at + 3] & 0xff);
	}

}
