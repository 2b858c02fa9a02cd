package dev.once.key;

/**
 * The first byte of every encoded value. The codes are part of the format and never
 * change; see docs/effect-key.md.
 */
enum Tag {

	NULL('0', "null"),

	BOOLEAN('b', "boolean"),

	NUMBER('n', "number"),

	TEXT('t', "text"),

	ENUM('e', "enum"),

	UUID('u', "uuid"),

	INSTANT('i', "instant"),

	DATE('d', "date"),

	TIME('c', "time"),

	DATE_TIME('l', "date-time"),

	YEAR('y', "year"),

	YEAR_MONTH('m', "year-month"),

	MONTH_DAY('f', "month-day"),

	DURATION('r', "duration"),

	PERIOD('p', "period"),

	ZONE('z', "zone"),

	CURRENCY('$', "currency"),

	URI('@', "uri"),

	LOCALE('g', "locale"),

	BYTES('B', "bytes"),

	LIST('L', "list"),

	SET('S', "set"),

	MAP('M', "map"),

	OBJECT('O', "object"),

	SECRET('H', "secret");

	private static final Tag[] BY_CODE = new Tag[128];

	static {
		for (Tag tag : values()) {
			BY_CODE[tag.code] = tag;
		}
	}

	final byte code;

	final String word;

	Tag(char code, String word) {
		this.code = (byte) code;
		this.word = word;
	}

	static Tag of(byte code) {
		return BY_CODE[code];
	}

}
