package dev.once.actuate;

import java.util.Locale;

/**
 * The fixed words of tags, details and answers.
 */
final class Words {

	private Words() {
	}

	/** A constant as meters and pages spell it: {@code not_sent}. */
	static String of(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT);
	}

}
