package dev.once.key;

/**
 * Whether {@code float} and {@code double} may enter an effect key. They seldom mean what
 * they say (0.1 + 0.2 is not 0.3), and two ways to the same sum give two keys.
 */
public enum FloatingPoint {

	/** A float or double is refused; this is the default. */
	REFUSED,

	/** A finite float or double enters by its exact value. */
	ALLOWED

}
