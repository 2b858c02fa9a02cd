package dev.once.aop;

/**
 * Text that every database can keep: no NUL, which PostgreSQL refuses, and no half of a
 * surrogate pair, which has no UTF-8.
 */
final class StorableText {

	private static final char ESCAPE = '\\';

	private StorableText() {
	}

	static boolean isStorable(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (isUnstorable(text, i)) {
				return false;
			}
		}
		return true;
	}

	private static boolean isUnstorable(String text, int i) {
		char unit = text.charAt(i);
		if (Character.isHighSurrogate(unit)) {
			return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
		}
		if (Character.isLowSurrogate(unit)) {
			return i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
		}
		return unit == 0;
	}

	/**
	 * Escapes what cannot be stored, so that {@link #unescape} gives the same text again.
	 */
	static String escape(String text) {
		StringBuilder escaped = new StringBuilder(text.length() + 16);
		for (int i = 0; i < text.length(); i++) {
			char unit = text.charAt(i);
			if (unit == ESCAPE || isUnstorable(text, i)) {
				escaped.append(ESCAPE).append('u');
				for (int shift = 12; shift >= 0; shift -= 4) {
					escaped.append(Character.forDigit((unit >> shift) & 0xf, 16));
				}
			}
			else {
				escaped.append(unit);
			}
		}
		return escaped.toString();
	}

	static String unescape(String text) {
		StringBuilder plain = new StringBuilder(text.length());
		for (int i = 0; i < text.length(); i++) {
			char unit = text.charAt(i);
			if (unit == ESCAPE) {
				plain.append((char) Integer.parseInt(text, i + 2, i + 6, 16));
				i += 5;
			}
			else {
				plain.append(unit);
			}
		}
		return plain.toString();
	}

}
