package dev.once;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What the contract of the system in which effects happen promises. The decision to send
 * again rests on it and on nothing else. {@code once.far-sides.<name>.*} overrides it.
 * Durations are {@code 30s} or ISO-8601; placeholders are resolved; empty means the
 * default ({@code once.defaults.*}).
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FarSide {

	/**
	 * Name of the far side: {@code [a-z][a-z0-9-]*}.
	 */
	String name();

	/**
	 * Host names that belong to it: only requests to these take the key and count. Empty
	 * means every host.
	 */
	String[] hosts() default {};

	/**
	 * How long after the submit the request may leave.
	 */
	String window() default "";

	/**
	 * How long after the window's end a "not found" still proves nothing: the far side's
	 * processing, the lag of its lists, and 5 s for a stepped database clock included.
	 */
	String settleAfter() default "";

	/**
	 * How long the far side deduplicates by our key, counted from the first request.
	 * Empty: it does not.
	 */
	String remembers() default "";

	/**
	 * How long the far side still shows an effect that happened. Empty: for ever.
	 */
	String shows() default "";

	/**
	 * Whether a definite refusal is replayed by the far side under the same key, so that
	 * the next attempt needs a fresh one. A refusal that is classified wrongly then
	 * repeats the effect even at a far side that deduplicates.
	 */
	boolean freshKeyAfterRefusal() default false;

	/**
	 * Exceptions that prove that the far side refused and nothing happened.
	 */
	Class<? extends Throwable>[] refusedOn() default {};

	/**
	 * Exceptions that prove that nothing was sent.
	 */
	Class<? extends Throwable>[] notSentOn() default {};

	/**
	 * How many attempts are made before a refusal asks for a person; 0 means the default.
	 */
	int attempts() default 0;

	/**
	 * How long to wait after a refusal that names no time of its own.
	 */
	String backoff() default "";

}
