package dev.once.aop;

import dev.once.key.FloatingPoint;
import dev.once.key.Identity;
import org.jspecify.annotations.Nullable;

/**
 * A part of a guarded method's key.
 */
sealed interface KeyPart {

	/**
	 * Its name, for people; it is not in the key.
	 */
	String name();

	/**
	 * Whether it is stored nowhere.
	 */
	boolean secret();

	/**
	 * Its value in a call.
	 * @param args the call's arguments
	 * @param action the action, for messages
	 */
	@Nullable Object value(@Nullable Object[] args, String action);

	/**
	 * Whether float and double are accepted.
	 */
	FloatingPoint floatingPoint();

	default void addTarget(Identity.Builder identity, @Nullable Object[] args, String action) {
		if (secret()) {
			identity.secretTarget(name(), value(args, action));
		}
		else {
			identity.target(name(), value(args, action));
		}
	}

	default void addInput(Identity.Builder identity, @Nullable Object[] args, String action) {
		if (secret()) {
			identity.secretInput(name(), value(args, action));
		}
		else {
			identity.input(name(), value(args, action), floatingPoint());
		}
	}

	/**
	 * An argument.
	 *
	 * @param name the parameter's name
	 * @param position its position
	 * @param secret whether it is stored nowhere
	 * @param floatingPoint whether float and double are accepted
	 */
	record Argument(String name, int position, boolean secret, FloatingPoint floatingPoint) implements KeyPart {

		@Override
		public @Nullable Object value(@Nullable Object[] args, String action) {
			return args[this.position];
		}

	}

	/**
	 * What an expression gives.
	 *
	 * @param expression the expression
	 */
	record Evaluated(KeyExpression expression) implements KeyPart {

		@Override
		public String name() {
			return this.expression.name();
		}

		@Override
		public boolean secret() {
			return false;
		}

		@Override
		public @Nullable Object value(@Nullable Object[] args, String action) {
			return this.expression.evaluate(args, new KeyExpression.Whose.Effect(action));
		}

		@Override
		public FloatingPoint floatingPoint() {
			return FloatingPoint.REFUSED;
		}

	}

}
