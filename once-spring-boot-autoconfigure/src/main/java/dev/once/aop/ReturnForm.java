package dev.once.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import dev.once.Outcome;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * In which form a guarded method gives its effect's answer.
 *
 * @param when at once or later
 * @param as the answer or its outcome
 * @param answer the answer's type
 * @param primitive whether there is no null for it
 */
record ReturnForm(When when, As as, ResolvableType answer, boolean primitive) {

	private static final Set<String> REACTIVE = Set.of("org.reactivestreams.Publisher",
			"java.util.concurrent.Flow$Publisher", "io.reactivex.rxjava3.core.Single",
			"io.reactivex.rxjava3.core.Maybe", "io.reactivex.rxjava3.core.Completable",
			"io.reactivex.rxjava3.core.Observable", "io.smallrye.mutiny.Uni", "kotlinx.coroutines.flow.Flow");

	static ReturnForm ofEffect(Method method, Class<?> type, String where) {
		refuseReactive(method, where);
		ResolvableType returned = ResolvableType.forMethodReturnType(method, type);
		Class<?> raw = returned.resolve(Object.class);
		When when = When.NOW;
		if (raw == CompletableFuture.class || raw == CompletionStage.class) {
			when = When.LATER;
			returned = returned.getGeneric();
		}
		else if (Future.class.isAssignableFrom(raw) || CompletionStage.class.isAssignableFrom(raw)) {
			throw new InvalidGuardException(where,
					"it returns a " + raw.getName() + ", which does not tell when the answer is there",
					"Return the answer, or a CompletableFuture of it");
		}
		As as = As.ANSWER;
		if (returned.resolve(Object.class) == Outcome.class) {
			as = As.OUTCOME;
			returned = returned.getGeneric();
		}
		refuseUnreadable(returned, where);
		return new ReturnForm(when, as, returned, raw.isPrimitive() && raw != void.class);
	}

	static void checkJob(Method method, String where) {
		refuseReactive(method, where);
		Class<?> raw = method.getReturnType();
		if (Future.class.isAssignableFrom(raw) || CompletionStage.class.isAssignableFrom(raw)) {
			throw new InvalidGuardException(where,
					"a job returns a " + raw.getName() + ", so that its lease would end before its work does",
					"Wait for the result and return it or nothing");
		}
	}

	/**
	 * Whether there is no answer.
	 */
	boolean isNothing() {
		Class<?> raw = this.answer.resolve(Object.class);
		return raw == void.class || raw == Void.class;
	}

	private static void refuseReactive(Method method, String where) {
		Class<?> raw = method.getReturnType();
		boolean suspending = false;
		for (Class<?> parameter : method.getParameterTypes()) {
			suspending |= parameter.getName().equals("kotlin.coroutines.Continuation");
		}
		if (suspending || isReactive(raw)) {
			throw new InvalidGuardException(where,
					suspending ? "it is a suspending function, whose work starts and ends out of sight"
							: "it returns a " + raw.getName() + ", whose work starts only when somebody subscribes",
					"Block for the answer inside the method, or return a CompletableFuture of it");
		}
	}

	private static boolean isReactive(@Nullable Class<?> type) {
		return type != null && (REACTIVE.contains(type.getName()) || isReactive(type.getSuperclass())
				|| Arrays.stream(type.getInterfaces()).anyMatch(ReturnForm::isReactive));
	}

	static void refuseUnreadable(ResolvableType answer, String where) {
		Class<?> raw = answer.resolve();
		if (raw == null || raw == Object.class) {
			throw new InvalidGuardException(where,
					"it does not say its answer's type, so that a repeat could not return it",
					"Declare the type, such as Outcome<Receipt>, or Outcome<Void> and void for none");
		}
		if (AutoCloseable.class.isAssignableFrom(raw) || Iterator.class.isAssignableFrom(raw)) {
			throw new InvalidGuardException(where, "its answer is a " + raw.getName() + ", which cannot be recorded",
					"Return what was in it, such as a List or a String");
		}
	}

	enum When {

		/** The method returns it. */
		NOW,

		/** A future is completed with it. */
		LATER

	}

	enum As {

		/** The answer itself; what is unsettled throws. */
		ANSWER,

		/** An {@link Outcome}; nothing unsettled throws. */
		OUTCOME

	}

}
