package dev.once.key;

import java.util.HexFormat;

/**
 * Several encoded values as one readable text, with a bar between.
 *
 * @param text the text
 * @param ambiguous whether it alone would not tell what it stands for
 */
record TargetText(String text, boolean ambiguous) {

	/** Between the parts. */
	private static final char BAR = '|';

	private static final HexFormat HEX = HexFormat.of();

	/**
	 * Reads values that stand one after the other.
	 * @param encoding where they are
	 * @param at position of the first
	 * @param parts how many there are
	 * @param max the number of characters after which no part goes on
	 */
	static TargetText of(byte[] encoding, int at, int parts, int max) {
		StringBuilder text = new StringBuilder();
		boolean ambiguous = false;
		int next = at;
		for (int i = 0; i < parts; i++) {
			if (i > 0) {
				text.append(BAR);
			}
			switch (Readable.tag(encoding, next)) {
				case NULL -> text.append("(null)");
				case SECRET -> text.append("(secret ")
					.append(HEX.formatHex(encoding, next + Encoder.HEADER, next + Encoder.HEADER + 8))
					.append(')');
				case LIST, SET, MAP, OBJECT -> {
					// JSON may be the text of a text, or have a bar in it
					ambiguous = true;
					text.append(plain(encoding, next, max).text());
				}
				default -> {
					Readable plain = plain(encoding, next, max);
					ambiguous |= plain.overLimit() || isAmbiguous(plain.text());
					text.append(plain.text());
				}
			}
			next = Readable.next(encoding, next);
		}
		return new TargetText(text.toString(), ambiguous);
	}

	private static Readable plain(byte[] encoding, int at, int limit) {
		Readable readable = new Readable(encoding, at, limit);
		readable.plain();
		return readable;
	}

	/** Whether a part reads like two parts, or like one that is null or secret. */
	private static boolean isAmbiguous(String part) {
		return part.indexOf(BAR) >= 0 || part.startsWith("(null)") || part.startsWith("(secret ");
	}

}
