package dev.once.sample.story;

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
	EXIT

}
