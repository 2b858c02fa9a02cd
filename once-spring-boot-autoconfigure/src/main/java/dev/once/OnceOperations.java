package dev.once;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ParameterizedTypeReference;

/**
 * The same protocol without annotations: <pre>
 * once.effect("charge").target(invoice.id()).input("amount", invoice.amount())
 *     .answer(Receipt.class)
 *     .perform((effect) -&gt; payments.charge(invoice, effect.idempotencyKey()));
 * </pre> A method with {@link OnceResolver} for the same action is asked when an answer
 * is lost.
 */
public interface OnceOperations {

	/**
	 * Starts to describe an effect.
	 * @param action name of what is done: {@code [a-z][a-z0-9-]*}, at most 64 characters.
	 * Never made up from data: there is one for each kind of effect
	 */
	EffectCall effect(String action);

	/**
	 * Starts to describe a job that no bean declares, whose occurrences get their names
	 * from outside: from a message, a workflow, a request.
	 * @param name the job's name: {@code [a-z][a-z0-9-]*}, at most 64 characters. Never
	 * made up from data: there is one for each kind of work
	 * @throws OnceException when it cannot be kept, or a bean declares a job of that name
	 */
	NamedJob job(String name);

	/**
	 * Runs something that is due at a time that somebody else knows: jobs are named, and
	 * grains cut, by it.
	 * @param due when it is due
	 * @param work what to run
	 */
	void at(Instant due, Runnable work);

	/**
	 * Runs something that is due at a time that somebody else knows: jobs are named, and
	 * grains cut, by it.
	 * @param <T> the result's type
	 * @param due when it is due
	 * @param work what to run
	 * @return its result
	 */
	<T extends @Nullable Object> T at(Instant due, Supplier<T> work);

	/**
	 * An effect while it is described. The order of its parts counts; their names do not,
	 * they are for people.
	 */
	interface EffectCall {

		/**
		 * Adds a part of what is acted on.
		 * @param value the value
		 * @throws UnstableTypeException when it has no stable form
		 */
		EffectCall target(@Nullable Object value);

		/**
		 * Adds a part of what is acted on that is stored nowhere and enters the key by a
		 * keyed hash ({@code once.key.secret}).
		 * @param value the value
		 */
		EffectCall secretTarget(@Nullable Object value);

		/**
		 * Adds a value that changes the consequence.
		 * @param name its name
		 * @param value the value
		 * @throws UnstableTypeException when it has no stable form
		 */
		EffectCall input(String name, @Nullable Object value);

		/**
		 * Adds a value that changes the consequence, is stored nowhere and enters the key
		 * by a keyed hash ({@code once.key.secret}).
		 * @param name its name
		 * @param value the value
		 */
		EffectCall secretInput(String name, @Nullable Object value);

		/**
		 * Says for how long the effect is the same fact: for ever, where nothing is said.
		 * The due time is the run's, or that of {@link OnceOperations#at}.
		 * @param grain the grain; {@link Grain#OCCURRENCE} needs no target
		 */
		EffectCall grain(Grain grain);

		/**
		 * Names the far side whose contract holds.
		 * @param name its name: declared by a {@link FarSide}, or in
		 * {@code once.far-sides}
		 */
		EffectCall farSide(String name);

		/**
		 * Says whether the effect may go without both a resolver and a deduplicating far
		 * side. It may not, where nothing is said.
		 * @param unobservable whether it may
		 */
		EffectCall unobservable(Unobservable unobservable);

		/**
		 * Says where the effect happens: in another system, where nothing is said.
		 * @param boundary {@link Boundary#DATABASE} for writes to the ledger's own
		 * database: its row is committed in the same transaction, and a body that fails
		 * has rolled it back
		 */
		EffectCall boundary(Boundary boundary);

		/**
		 * Says that the effect has an answer.
		 * @param <T> its type
		 * @param type its type
		 */
		<T> AnsweringCall<T> answer(Class<T> type);

		/**
		 * Says that the effect has an answer.
		 * @param <T> its type
		 * @param type its type
		 */
		<T> AnsweringCall<T> answer(ParameterizedTypeReference<T> type);

		/**
		 * Carries the effect out, or does nothing and says why. Nothing unsettled throws.
		 * @param body sends the request
		 * @return what became of the call
		 * @throws OnceException when the effect cannot be guarded as it is described, or
		 * the run has been turned away; nothing was sent
		 */
		Outcome<@Nullable Void> perform(Body body);

		/**
		 * What the key is made of, in several lines for people; secrets are masked.
		 */
		String explain();

	}

	/**
	 * An effect with an answer.
	 *
	 * @param <T> the answer's type
	 */
	interface AnsweringCall<T> {

		/**
		 * Carries the effect out, or does nothing and says why. Nothing unsettled throws.
		 * @param body sends the request
		 * @return what became of the call
		 * @throws OnceException when the effect cannot be guarded as it is described, or
		 * the run has been turned away; nothing was sent
		 */
		Outcome<@Nullable T> perform(AnsweringBody<? extends T> body);

	}

	/**
	 * A job while it is described. Nobody but the caller comes back to what is left open.
	 */
	interface NamedJob {

		/**
		 * Names what is carried out; without it the lease alone guards the job.
		 * @param name any readable text, at most 200 characters
		 * @param due when it is due: its effects' grains go by that
		 */
		NamedJob occurrence(String name, Instant due);

		/**
		 * Says how long the lease lasts without a renewal: {@code once.defaults.lease},
		 * where nothing is said.
		 * @param lease at least 5 s
		 */
		NamedJob lease(Duration lease);

		/**
		 * Says how many attempts an occurrence has whose run dies or whose body throws:
		 * {@code once.defaults.job-attempts}, where nothing is said.
		 * @param attempts 1 or more
		 */
		NamedJob attempts(int attempts);

		/**
		 * Runs it, or does nothing and says why.
		 * @param body what to run
		 * @return what became of the call
		 * @throws Exception what the body throws
		 */
		JobOutcome<@Nullable Void> run(JobBody body) throws Exception;

		/**
		 * Runs it for a value, or does nothing and says why.
		 * @param <T> the value's type
		 * @param body what to run
		 * @return what became of the call
		 * @throws Exception what the body throws
		 */
		<T extends @Nullable Object> JobOutcome<T> call(AnsweringJobBody<T> body) throws Exception;

	}

	/**
	 * A job's body.
	 */
	@FunctionalInterface
	interface JobBody {

		/**
		 * Does the job's work.
		 * @param run the current run
		 * @throws Exception what went wrong: the occurrence is to be run again
		 */
		void run(JobRun run) throws Exception;

	}

	/**
	 * A job's body that returns a value.
	 *
	 * @param <T> the value's type
	 */
	@FunctionalInterface
	interface AnsweringJobBody<T extends @Nullable Object> {

		/**
		 * Does the job's work.
		 * @param run the current run
		 * @return its value
		 * @throws Exception what went wrong: the occurrence is to be run again
		 */
		T run(JobRun run) throws Exception;

	}

	/**
	 * Sends an effect's request.
	 */
	@FunctionalInterface
	interface Body {

		/**
		 * Sends it.
		 * @param effect the current effect
		 * @throws Exception what went wrong; {@link EffectNotSentException} and
		 * {@link EffectRefusedException} say that nothing happened
		 */
		void send(Effect effect) throws Exception;

	}

	/**
	 * Sends an effect's request and gives its answer.
	 *
	 * @param <T> the answer's type
	 */
	@FunctionalInterface
	interface AnsweringBody<T> {

		/**
		 * Sends it.
		 * @param effect the current effect
		 * @return the far side's answer, or {@code null}
		 * @throws Exception what went wrong; {@link EffectNotSentException} and
		 * {@link EffectRefusedException} say that nothing happened
		 */
		@Nullable T send(Effect effect) throws Exception;

	}

}
