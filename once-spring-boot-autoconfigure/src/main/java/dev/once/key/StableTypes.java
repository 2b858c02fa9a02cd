package dev.once.key;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import dev.once.UnstableTypeException;

/**
 * What a declared Java type means for a key, judged at start. A type whose values may be
 * stable, such as {@code Object} or an interface, passes; its values are judged when they
 * come.
 */
public final class StableTypes {

	private static final int MAX_DEPTH = 32;

	private final FloatingPoint floatingPoint;

	/** What is being checked or has passed: types may refer to themselves. */
	private final Set<Declared> seen = new HashSet<>();

	private StableTypes(FloatingPoint floatingPoint) {
		this.floatingPoint = floatingPoint;
	}

	/**
	 * Checks a declared type, without floating point.
	 * @param where what the type belongs to, such as "parameter 'when' of
	 * com.acme.Charges.charge(Instant)"
	 * @throws UnstableTypeException if no value of the type, or of one in it, has a
	 * stable form; the message names {@code where} and the mend
	 */
	public static void check(Type type, String where) {
		check(type, where, FloatingPoint.REFUSED);
	}

	/**
	 * Checks a declared type.
	 * @param where what the type belongs to
	 * @param floatingPoint whether float and double are asked for
	 * @throws UnstableTypeException if no value of the type, or of one in it, has a
	 * stable form; the message names {@code where} and the mend
	 */
	public static void check(Type type, String where, FloatingPoint floatingPoint) {
		try {
			new StableTypes(floatingPoint).check(type, Map.of(), 0);
		}
		catch (NoStableForm ex) {
			throw new UnstableTypeException(ex.about(where));
		}
	}

	private void check(Type type, Map<TypeVariable<?>, Type> variables, int depth) {
		if (depth > MAX_DEPTH || !this.seen.add(new Declared(type, variables))) {
			return;
		}
		if (type instanceof Class<?> plain) {
			checkClass(plain, variables, depth);
		}
		else if (type instanceof ParameterizedType parameterized) {
			Class<?> raw = (Class<?>) parameterized.getRawType();
			Map<TypeVariable<?>, Type> inner = bind(raw, parameterized, variables);
			checkClass(raw, inner, depth);
			if (Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw) || raw == Optional.class) {
				for (Type argument : parameterized.getActualTypeArguments()) {
					within("<" + argument.getTypeName() + ">", argument, variables, depth);
				}
			}
		}
		else if (type instanceof GenericArrayType array) {
			within("[]", array.getGenericComponentType(), variables, depth);
		}
		else if (type instanceof TypeVariable<?> variable) {
			Type bound = variables.get(variable);
			check((bound != null) ? bound : variable.getBounds()[0], variables, depth + 1);
		}
		else if (type instanceof WildcardType wildcard) {
			check(wildcard.getUpperBounds()[0], variables, depth + 1);
		}
	}

	private void within(String step, Type type, Map<TypeVariable<?>, Type> variables, int depth) {
		try {
			check(type, variables, depth + 1);
		}
		catch (NoStableForm ex) {
			throw ex.within(step);
		}
	}

	private void checkClass(Class<?> type, Map<TypeVariable<?>, Type> variables, int depth) {
		if (isFloatingPoint(type)) {
			if (this.floatingPoint == FloatingPoint.REFUSED) {
				throw new NoStableForm("is a " + type.getSimpleName()
						+ "; declare a BigDecimal, or ask for it with floatingPoint = true");
			}
			return;
		}
		if (type.isPrimitive() && type != void.class) {
			return;
		}
		if (isOpen(type)) {
			checkOpen(type, variables, depth);
			return;
		}
		Shape shape = Shape.of(type);
		if (shape instanceof Shape.Refused refused) {
			throw new NoStableForm(refused.reason());
		}
		if (shape == Shape.Structure.ARRAY) {
			within("[]", type.getComponentType(), variables, depth);
		}
		else if (shape instanceof Properties properties) {
			Map<TypeVariable<?>, Type> inherited = inherited(type, variables);
			for (Properties.Property property : properties.properties()) {
				Method accessor = property.accessor();
				within("." + property.name(), accessor.getGenericReturnType(), inherited, depth);
			}
		}
	}

	/** Whether the class of a value may well be another than the declared one. */
	private static boolean isOpen(Class<?> type) {
		return type == Object.class || type == Enum.class || type == Record.class
				|| (Modifier.isAbstract(type.getModifiers()) && !type.isArray() && !type.isPrimitive());
	}

	private void checkOpen(Class<?> type, Map<TypeVariable<?>, Type> variables, int depth) {
		if (Leaf.of(type) != null || type == Enum.class || type == Record.class || Enum.class.isAssignableFrom(type)) {
			return;
		}
		if (Shape.isPlatform(type)) {
			boolean possible = Leaf.anyIs(type) || type.isAssignableFrom(List.class)
					|| Collection.class.isAssignableFrom(type) || type.isAssignableFrom(Deque.class)
					|| Map.class.isAssignableFrom(type);
			if (!possible) {
				throw new NoStableForm(Shape.refused(type).reason());
			}
			return;
		}
		if (AutoCloseable.class.isAssignableFrom(type) || Iterator.class.isAssignableFrom(type)
				|| type.isAnnotation()) {
			throw new NoStableForm(Shape.refused(type).reason());
		}
		if (type.isAnnotationPresent(FunctionalInterface.class)) {
			throw new NoStableForm("is a " + type.getName()
					+ ", a functional interface, whose lambda expressions have no stable form; pass data");
		}
		if (type.isSealed()) {
			checkSealed(type, variables, depth);
		}
	}

	/**
	 * A class name is not in the key, so the members of a sealed type must differ in
	 * their properties: Credit(amount) and Debit(amount) would be one value.
	 */
	private void checkSealed(Class<?> type, Map<TypeVariable<?>, Type> variables, int depth) {
		Map<List<String>, Class<?>> byProperties = new HashMap<>();
		for (Class<?> member : members(type)) {
			check(member, variables, depth + 1);
			if (!isOpen(member) && Shape.of(member) instanceof Properties properties) {
				List<String> names = properties.properties().stream().map(Properties.Property::name).toList();
				Class<?> twin = byProperties.putIfAbsent(names, member);
				if (twin != null) {
					throw new NoStableForm("is a " + type.getName() + ", whose members " + twin.getName() + " and "
							+ member.getName() + " have the same properties and so would be one value in a key; "
							+ "give them a property that tells them apart");
				}
			}
		}
	}

	private static List<Class<?>> members(Class<?> sealed) {
		List<Class<?>> members = new ArrayList<>();
		for (Class<?> member : sealed.getPermittedSubclasses()) {
			if (member.isSealed() && isOpen(member)) {
				members.addAll(members(member));
			}
			else {
				members.add(member);
			}
		}
		return members;
	}

	private static boolean isFloatingPoint(Class<?> type) {
		return type == double.class || type == float.class || type == Double.class || type == Float.class
				|| type == OptionalDouble.class;
	}

	/** What the variables of a class and of the classes above it stand for. */
	private static Map<TypeVariable<?>, Type> inherited(Class<?> type, Map<TypeVariable<?>, Type> variables) {
		Map<TypeVariable<?>, Type> all = new HashMap<>(variables);
		List<Type> above = new ArrayList<>(List.of(type.getGenericInterfaces()));
		if (type.getGenericSuperclass() != null) {
			above.add(type.getGenericSuperclass());
		}
		for (Type next : above) {
			if (next instanceof ParameterizedType parameterized) {
				Class<?> raw = (Class<?>) parameterized.getRawType();
				all.putAll(inherited(raw, bind(raw, parameterized, all)));
			}
			else if (next instanceof Class<?> raw) {
				all.putAll(inherited(raw, Map.of()));
			}
		}
		return all;
	}

	private static Map<TypeVariable<?>, Type> bind(Class<?> raw, ParameterizedType type,
			Map<TypeVariable<?>, Type> variables) {
		Map<TypeVariable<?>, Type> bound = new HashMap<>();
		TypeVariable<?>[] parameters = raw.getTypeParameters();
		Type[] arguments = type.getActualTypeArguments();
		for (int i = 0; i < parameters.length; i++) {
			bound.put(parameters[i], variables.getOrDefault(arguments[i], arguments[i]));
		}
		return bound;
	}

	private record Declared(Type type, Map<TypeVariable<?>, Type> variables) {

	}

}
