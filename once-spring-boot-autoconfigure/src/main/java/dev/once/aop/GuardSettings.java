package dev.once.aop;

import java.time.ZoneId;

import dev.once.FarSide;
import dev.once.OnceEffect;
import dev.once.OnceJob;
import dev.once.Unobservable;
import dev.once.ledger.FarSideContract;
import org.jspecify.annotations.Nullable;

/**
 * What holds for guarded methods after defaults, annotations and properties have been
 * laid over each other, with placeholders resolved and durations read. Its methods are
 * called at start; what they throw stops it.
 */
public interface GuardSettings {

	/**
	 * A far side's contract.
	 * @param name the far side's name; the action's where none is named
	 * @param declared what the code declares, or {@code null}
	 */
	FarSideContract farSide(String name, @Nullable FarSide declared);

	/**
	 * An action's terms.
	 * @param action the action's name
	 * @param declared what the code declares, or {@code null} for an action that is only
	 * performed through {@link dev.once.OnceOperations}
	 */
	EffectTerms effect(String action, @Nullable OnceEffect declared);

	/**
	 * A job's terms.
	 * @param job the job's name
	 * @param declared what the code declares, or {@code null} for a scheduled effect
	 * without {@link OnceJob}
	 * @param where bean and method, for messages
	 * @throws InvalidGuardException when its overlap is not chosen, or its lease is too
	 * short; the message names {@code where} and the mend
	 */
	JobTerms job(String job, @Nullable OnceJob declared, String where);

	/**
	 * A job's terms that is only run through {@link dev.once.OnceOperations}.
	 */
	JobTerms undeclaredJob();

	/**
	 * Where a due time falls whose schedule gives no zone.
	 */
	ZoneId zone();

	/**
	 * Whether somebody chose that zone; else it is the JVM's.
	 */
	Choice zoneChoice();

	/**
	 * When the direct calls of this process are due.
	 */
	DirectDue directDue();

	/**
	 * What an effect without resolver and without a deduplicating far side does to the
	 * start where it says nothing itself.
	 */
	Unobservable unobservableEffects();

	/**
	 * What a call of a guarded method through {@code this} does to the start.
	 */
	SelfInvocation selfInvocation();

	/**
	 * The application's name, as rows name it: nothing in a row comes from a class, a
	 * bean or a method, which change their names.
	 */
	String application();

	/**
	 * Whether {@code once.key.secret} is set.
	 */
	boolean hasKeySecret();

	/**
	 * The most characters of an answer, or of inputs, that are kept.
	 */
	int maxValue();

}
