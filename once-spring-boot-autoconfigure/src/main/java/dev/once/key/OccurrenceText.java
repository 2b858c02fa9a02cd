package dev.once.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

import dev.once.OnceException;
import dev.once.UnstableTypeException;
import org.jspecify.annotations.Nullable;

/**
 * Names occurrences by values that callers give.
 */
public final class OccurrenceText {

	/** The most characters of a name. */
	public static final int MAX = 200;

	private OccurrenceText() {
	}

	/**
	 * A name of printable ASCII, the same in every locale and JVM, several values with a
	 * bar between. Distinct values have distinct names: what was left out or cut off
	 * stands in a digest at the end. A name does not show a type: 17 and "17" have one.
	 * @param values the values
	 * @param where what gives them, as the beginning of a sentence
	 * @throws UnstableTypeException when one has no stable form
	 * @throws OnceException when there is nothing in them to tell occurrences apart
	 */
	public static String of(List<? extends @Nullable Object> values, String where) {
		Encoder encoder = new Encoder(128);
		for (Object value : values) {
			try {
				encoder.value(value, FloatingPoint.REFUSED);
			}
			catch (NoStableForm ex) {
				throw new UnstableTypeException(ex.about(where), ex.getCause());
			}
			catch (RuntimeException ex) {
				throw new OnceException(where + " cannot be read: going through it threw " + ex.getClass().getName(),
						ex);
			}
		}
		byte[] encoding = encoder.toBytes();
		refuseNothing(encoding, where);
		TargetText target = TargetText.of(encoding, 0, values.size(), MAX);
		if (target.text().isBlank()) {
			throw new OnceException(where + " is empty, so that different occurrences would look alike");
		}
		String ascii = target.text().replaceAll("[^\\x20-\\x7e]", "?");
		boolean ambiguous = target.ambiguous() || !ascii.equals(target.text());
		return CleanText.of(ascii, MAX, ambiguous, () -> digest(encoding));
	}

	private static void refuseNothing(byte[] encoding, String where) {
		for (int at = 0; at < encoding.length; at = Readable.next(encoding, at)) {
			if (!Readable.isNothing(encoding, at)) {
				return;
			}
		}
		throw new OnceException(where + " is null, so that different occurrences would look alike");
	}

	private static byte[] digest(byte[] encoding) {
		try {
			return MessageDigest.getInstance("SHA-256").digest(encoding);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
