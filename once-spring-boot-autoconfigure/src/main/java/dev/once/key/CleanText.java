package dev.once.key;

import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * Text that any column, log line and terminal takes: no NUL, no control or formatting
 * characters, no half of a surrogate pair, and bounded.
 */
public final class CleanText {

	private static final char MARK = '~';

	private static final int DIGEST_LENGTH = 16;

	private CleanText() {
	}

	/** Whether a code point must not be shown or stored as it is. */
	static boolean isUnsafe(int codePoint) {
		if (codePoint < 0x7f) {
			return codePoint < 0x20;
		}
		return switch (Character.getType(codePoint)) {
			case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR,
					Character.PARAGRAPH_SEPARATOR ->
				true;
			default -> false;
		};
	}

	/**
	 * The text itself where it is clean, at most {@code max} characters and unambiguous,
	 * else as much of it as fits, with a digest of the whole, so that distinct texts stay
	 * distinct.
	 * @param ambiguous whether the text alone would not tell what it stands for
	 * @param digest a digest of the whole
	 */
	static String of(String text, int max, boolean ambiguous, Supplier<byte[]> digest) {
		String clean = clean(text, max);
		if (!ambiguous && clean.equals(text) && !endsLikeDigest(text)) {
			return text;
		}
		return cut(clean, max - 1 - DIGEST_LENGTH) + MARK
				+ HexFormat.of().formatHex(digest.get(), 0, DIGEST_LENGTH / 2);
	}

	/**
	 * The text with '?' for what is unsafe, at most {@code max} characters.
	 * @param text the text
	 * @param max the most characters that are kept
	 * @return the text itself where it is clean and short enough
	 */
	public static String clean(String text, int max) {
		int end = Math.min(text.length(), max);
		int safe = 0;
		while (safe < end && text.charAt(safe) >= 0x20 && text.charAt(safe) < 0x7f) {
			safe++;
		}
		if (safe == text.length()) {
			return text;
		}
		String kept = cut(text, end);
		StringBuilder clean = new StringBuilder(kept.length());
		kept.codePoints().forEach((codePoint) -> clean.appendCodePoint(isUnsafe(codePoint) ? '?' : codePoint));
		return clean.toString();
	}

	private static String cut(String text, int max) {
		if (text.length() <= max) {
			return text;
		}
		boolean inPair = Character.isHighSurrogate(text.charAt(max - 1)) && Character.isLowSurrogate(text.charAt(max));
		return text.substring(0, inPair ? max - 1 : max);
	}

	private static boolean endsLikeDigest(String text) {
		int mark = text.length() - 1 - DIGEST_LENGTH;
		if (mark < 0 || text.charAt(mark) != MARK) {
			return false;
		}
		return text.chars().skip(mark + 1L).allMatch((unit) -> "0123456789abcdef".indexOf(unit) >= 0);
	}

}
