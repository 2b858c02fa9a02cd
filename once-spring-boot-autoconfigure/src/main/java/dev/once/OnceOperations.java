package dev.once;

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
