package dev.once.aop;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.once.OnceException;
import dev.once.aop.StableText.UnstableTextException;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.SimpleEvaluationContext;

/**
 * An expression over a call's arguments: data only, no types, constructors, methods or
 * beans. Every variable in it is an argument; that is checked when it is read, so that
 * none is null for want of a name.
 */
final class KeyExpression {

	private static final SpelExpressionParser parser = new SpelExpressionParser();

	private static final TypeConverter stableText = new StableText();

	private final String text;

	private final SpelExpression expression;

	/** The arguments that it uses: name to position. */
	private final Map<String, Integer> variables;

	private final boolean plainArgument;

	private KeyExpression(String text, SpelExpression expression, Map<String, Integer> variables) {
		this.text = text;
		this.expression = expression;
		this.variables = variables;
		this.plainArgument = expression.getAST() instanceof VariableReference;
	}

	/**
	 * Reads an expression.
	 * @param text the expression
	 * @param names the parameters' names, or {@code null} where the compiler left them
	 * out
	 * @param where bean and method
	 * @throws InvalidGuardException when it is none, or says more than data
	 */
	static KeyExpression read(String text, String @Nullable [] names, String where) {
		SpelExpression expression;
		try {
			expression = parser.parseRaw(text);
		}
		catch (ParseException | IllegalStateException ex) {
			throw new InvalidGuardException(where, "the expression '" + text + "' cannot be read: " + ex.getMessage(),
					"Write SpEL over the arguments, such as \"#order.id\"");
		}
		Reader reader = new Reader(text, names, where);
		reader.visit(expression.getAST(), Root.NOTHING);
		return new KeyExpression(text, expression, reader.variables);
	}

	/**
	 * Name of the part that it gives.
	 */
	String name() {
		return this.text.startsWith("#") ? this.text.substring(1) : this.text;
	}

	/**
	 * Evaluates it.
	 * @param args the call's arguments
	 * @param whose whose key it is a part of, or whose occurrence it names, for messages
	 * @throws OnceException when it cannot be evaluated, or gives null, or a structure of
	 * nothing but nulls, without being the argument itself
	 */
	@Nullable Object evaluate(@Nullable Object[] args, Whose whose) {
		SimpleEvaluationContext context = SimpleEvaluationContext.forReadOnlyDataBinding()
			.withTypeConverter(stableText)
			.build();
		this.variables.forEach((name, position) -> context.setVariable(name, args[position]));
		Object value;
		try {
			value = this.expression.getValue(context);
		}
		catch (UnstableTextException ex) {
			throw failed(whose, ex.getMessage() + "; join texts, whole numbers, dates, ids and enums only", null);
		}
		catch (EvaluationException ex) {
			// Without its message, which may quote a value
			throw failed(whose,
					(ex instanceof SpelEvaluationException spel) ? spel.getMessageCode().name() : "it cannot be read",
					ex.getCause());
		}
		if (!this.plainArgument && isNothing(value)) {
			throw failed(whose, "it gives null, so that different calls would look alike; "
					+ "pass a value, or say what stands for none: \"" + this.text + " ?: 'none'\"", null);
		}
		return value;
	}

	private OnceException failed(Whose whose, @Nullable String why, @Nullable Throwable cause) {
		return new OnceException("The expression '" + this.text + "' of " + whose.use() + ": " + why
				+ ((cause != null) ? " (" + cause.getClass().getName() + ")" : ""));
	}

	/**
	 * Whether it uses any argument.
	 */
	boolean usesArguments() {
		return !this.variables.isEmpty();
	}

	@Override
	public String toString() {
		return this.text;
	}

	/** Whether a value is null, or a structure of nothing but nulls. */
	private static boolean isNothing(@Nullable Object value) {
		if (value instanceof Collection<?> elements) {
			return !elements.isEmpty() && elements.stream().allMatch(KeyExpression::isNothing);
		}
		if (value instanceof Map<?, ?> map) {
			return !map.isEmpty() && map.values().stream().allMatch(KeyExpression::isNothing);
		}
		if (value instanceof Object[] elements) {
			return elements.length > 0 && Arrays.stream(elements).allMatch(KeyExpression::isNothing);
		}
		return value == null;
	}

	/**
	 * Whose key an expression is a part of, or whose occurrence it names.
	 */
	sealed interface Whose {

		String use();

		/**
		 * An effect's.
		 *
		 * @param action the action
		 */
		record Effect(String action) implements Whose {

			@Override
			public String use() {
				return "the effect '" + this.action + "' cannot be used for its key";
			}

		}

		/**
		 * A job's.
		 *
		 * @param name the job's name
		 */
		record Job(String name) implements Whose {

			@Override
			public String use() {
				return "the job '" + this.name + "' cannot name its occurrence";
			}

		}

	}

	private enum Root {

		/** Outside of a projection or selection a name without # is nothing. */
		NOTHING,

		/** What stands to the left, or the element of a projection or selection. */
		VALUE

	}

	/**
	 * Looks through an expression for what it may not say.
	 */
	private static final class Reader {

		private final String text;

		private final String @Nullable [] names;

		private final String where;

		private final Map<String, Integer> variables = new LinkedHashMap<>();

		private Reader(String text, String @Nullable [] names, String where) {
			this.text = text;
			this.names = names;
			this.where = where;
		}

		void visit(SpelNode node, Root root) {
			if (node instanceof TypeReference || node instanceof ConstructorReference || node instanceof BeanReference
					|| node instanceof MethodReference || node instanceof FunctionReference || node instanceof Assign
					|| node instanceof OpInc || node instanceof OpDec) {
				throw new InvalidGuardException(this.where,
						"the expression '" + this.text + "' says more than data: '" + node.toStringAST() + "'",
						"Use properties of the arguments only, such as \"#order.id\"; "
								+ "no types, constructors, methods, beans or assignments");
			}
			if (node instanceof VariableReference variable) {
				variable(variable.toStringAST().substring(1), root);
				return;
			}
			if (node instanceof PropertyOrFieldReference property && root == Root.NOTHING) {
				throw new InvalidGuardException(this.where,
						"the expression '" + this.text + "' uses '" + property.getName() + "', which is nothing",
						"Write #" + property.getName() + " for the argument of that name");
			}
			if (node instanceof Indexer) {
				// #map[key] is the entry of that name
				visitAll(node, Root.VALUE, 0, 1);
			}
			else if (node instanceof CompoundExpression) {
				visit(node.getChild(0), root);
				visitAll(node, Root.VALUE, 1, 1);
			}
			else if (node instanceof InlineMap) {
				visitAll(node, root, 1, 2);
			}
			else {
				visitAll(node, (node instanceof Projection || node instanceof Selection) ? Root.VALUE : root, 0, 1);
			}
		}

		private void visitAll(SpelNode node, Root root, int from, int step) {
			for (int i = from; i < node.getChildCount(); i += step) {
				visit(node.getChild(i), root);
			}
		}

		private void variable(String name, Root root) {
			if (name.equals("this") && root == Root.VALUE) {
				return;
			}
			if (this.names == null) {
				throw new InvalidGuardException(this.where,
						"the expression '" + this.text + "' needs the parameters' names, and the class was compiled "
								+ "without them, so that #" + name + " would be null",
						"Compile with the flag -parameters (Maven: <parameters>true</parameters>; "
								+ "Gradle: options.compilerArgs.add(\"-parameters\")), or mark parameters with "
								+ "@EffectTarget and @EffectInput");
			}
			for (int i = 0; i < this.names.length; i++) {
				if (this.names[i].equals(name)) {
					this.variables.put(name, i);
					return;
				}
			}
			throw new InvalidGuardException(this.where,
					"the expression '" + this.text + "' uses #" + name + ", and there is no such parameter",
					(this.names.length == 0) ? "Give the method that parameter"
							: "Use one of #" + String.join(", #", this.names));
		}

	}

}
