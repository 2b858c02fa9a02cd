package dev.once.sample.story;

import java.util.Locale;

import org.springframework.core.env.Environment;

/**
 * What the story does.
 */
public enum StoryMode {

	/**
	 * Nothing: the application is an ordinary node.
	 */
	OFF,

	/**
	 * It is told, then the application stays up for a look.
	 */
	STAY,

	/**
	 * It is told, then the application ends: with 0 when every figure was as it should
	 * be, else with 1.
	 */
	EXIT;

	/**
	 * What {@code sample.story} says; {@code off} where it says nothing.
	 * @param environment where to look
	 */
	public static StoryMode of(Environment environment) {
		return valueOf(environment.getProperty("sample.story", "off").toUpperCase(Locale.ROOT));
	}

}
