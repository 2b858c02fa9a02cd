package dev.once;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * The method's consequence in the outside world happens once for each action, target and
 * inputs, whoever calls it however often. A repeat returns the recorded answer.
 * <p>
 * Parameters take part in the effect's identity only when they are marked with
 * {@link EffectTarget} or {@link EffectInput}, or named by {@link #target()} or
 * {@link #inputs()}.
 * <p>
 * An effect that is called within another one's body is an effect of its own: its request
 * counts for it alone, and it stays done whatever becomes of the outer one. Several
 * methods of one bean may have the same action if they agree on far side, settings and
 * answer; two beans may not.
 */
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(EffectHints.class)
public @interface OnceEffect {

	/**
	 * Name of what is done ({@code charge}): {@code [a-z][a-z0-9-]*}, at most 64
	 * characters. It names the fact in the ledger and must survive every refactoring.
	 */
	String action();

	/**
	 * SpEL over the arguments ({@code #order.id}) for a target that no single parameter
	 * is. Data only: no types, constructors or beans.
	 */
	String target() default "";

	/**
	 * SpEL over the arguments, one expression for each input that no single parameter is.
	 */
	String[] inputs() default {};

	/**
	 * For how long the effect is the same fact, by the due time of the run or of
	 * {@link OnceOperations#at}: {@link Grain#FACT} for ever, the others anew with each
	 * occurrence, day, week, month or year. {@link Grain#OCCURRENCE} needs no target, and
	 * a method without parameters needs it.
	 */
	Grain grain() default Grain.FACT;

	/**
	 * What happens while an earlier effect of the same action and target, with other
	 * inputs, is still open.
	 */
	ChangedFact changedFact() default ChangedFact.WAIT;

	/**
	 * Where the effect happens. {@link Boundary#DATABASE} is for writes to the ledger's
	 * own database: its row is committed in the same transaction.
	 */
	Boundary boundary() default Boundary.EXTERNAL;

	/**
	 * Whether the resolver is asked before the first attempt too.
	 */
	boolean askFirst() default false;

	/**
	 * Whether the effect may go without both a resolver and a deduplicating far side.
	 */
	Unobservable unobservable() default Unobservable.REFUSED;

	/**
	 * Name of the far side whose contract holds, where it is not the one of a
	 * {@link FarSide} on the method or its class.
	 */
	String farSide() default "";

}
