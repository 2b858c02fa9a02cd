package dev.once.aop;

/**
 * Whether somebody chose a setting.
 */
public enum Choice {

	/**
	 * An annotation or a property says it.
	 */
	CHOSEN,

	/**
	 * Nobody did.
	 */
	DEFAULT

}
