package dev.once;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The parameter names what the effect acts on: the invoice that is charged, the order
 * that is placed.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface EffectTarget {

	/**
	 * Whether the value is stored nowhere and enters the key by a keyed hash
	 * ({@code once.key.secret}).
	 */
	boolean secret() default false;

}
