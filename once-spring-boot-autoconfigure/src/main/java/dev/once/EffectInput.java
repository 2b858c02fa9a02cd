package dev.once;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter changes the consequence: an amount, a date, a recipient. What differs
 * between two calls for the same fact (a trace id, a timestamp) is not an input.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface EffectInput {

	/**
	 * Whether the value is stored nowhere and enters the key by a keyed hash
	 * ({@code once.key.secret}).
	 */
	boolean secret() default false;

	/**
	 * Whether {@code float} and {@code double} values are accepted, by their exact binary
	 * value.
	 */
	boolean floatingPoint() default false;

}
