package dev.once;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method asks the far side whether an effect of the action happened. It takes one
 * {@link UnresolvedEffect}, returns a {@link Resolution}, and changes nothing. It is
 * called on its bean with all its advice, and there is one for each action.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(EffectHints.class)
public @interface OnceResolver {

	/**
	 * The action whose effects it resolves.
	 */
	String value();

}
