package dev.once.key;

import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.BaseStream;

/**
 * How the values of one runtime class are read for a key.
 */
sealed interface Shape permits Leaf, Shape.Structure, Properties, Shape.Refused {

	/** The shape of a runtime class. */
	static Shape of(Class<?> type) {
		Leaf<?> leaf = Leaf.exactly(type);
		if (leaf != null) {
			return leaf;
		}
		// What a ClassValue keeps for a class of the JDK would hold this class loader
		return isPlatform(type) ? compute(type) : Cache.BY_CLASS.get(type);
	}

	static boolean isPlatform(Class<?> type) {
		String name = type.getName();
		return name.startsWith("java.") || name.startsWith("[") || name.startsWith("javax.")
				|| name.startsWith("jakarta.") || name.startsWith("jdk.") || name.startsWith("sun.")
				|| name.startsWith("com.sun.") || name.startsWith("kotlin.");
	}

	private static Shape compute(Class<?> type) {
		if (type.getName().startsWith("java.sql.") && !type.getName().equals("java.sql.Timestamp")) {
			return new Refused("is a " + type.getName() + ", which depends on the default time zone or a connection; "
					+ "pass a java.time type or the value itself");
		}
		Leaf<?> leaf = Leaf.of(type);
		if (leaf != null) {
			return leaf;
		}
		if (type.isArray()) {
			return Structure.ARRAY;
		}
		if (Enum.class.isAssignableFrom(type)) {
			return Structure.ENUM;
		}
		if (type == Optional.class || type == OptionalInt.class || type == OptionalLong.class
				|| type == OptionalDouble.class) {
			return Structure.OPTIONAL;
		}
		if (Map.class.isAssignableFrom(type)) {
			return Structure.MAP;
		}
		if (Set.class.isAssignableFrom(type)) {
			return Structure.SET;
		}
		if (List.class.isAssignableFrom(type) || Deque.class.isAssignableFrom(type)) {
			return Structure.SEQUENCE;
		}
		if (Collection.class.isAssignableFrom(type)) {
			return new Refused("is a " + type.getName() + ", a collection without a stable order; "
					+ "pass a List if its order counts and a Set if not");
		}
		return (Properties.isCandidate(type)) ? Properties.read(type) : refused(type);
	}

	/** The refusal of a class, with the nearest reason. */
	static Refused refused(Class<?> type) {
		String is = "is a " + type.getName();
		if (type.isHidden() || type.isSynthetic() || type.getName().contains("$$Lambda")) {
			return new Refused("is a lambda expression or a hidden class, which has no stable form; pass data");
		}
		if (java.lang.reflect.Proxy.isProxyClass(type)) {
			return new Refused("is a proxy of an interface, which has no properties of its own; "
					+ "copy what identifies it into a record");
		}
		if (Iterator.class.isAssignableFrom(type) || BaseStream.class.isAssignableFrom(type)) {
			return new Refused(is + ", which can be read only once; pass a List");
		}
		if (Iterable.class.isAssignableFrom(type)) {
			return new Refused(is + ", an Iterable that is neither List nor Set; pass a List or a Set");
		}
		if (type.getName().startsWith("java.util.concurrent.atomic.")) {
			return new Refused(is + ", which may change while it is read; pass the number or the object in it");
		}
		return new Refused(is + ", which has no stable form for an effect key; "
				+ "pass what identifies it (text, number, date, enum) or a record of those");
	}

	/** What is read by looking into it. */
	enum Structure implements Shape {

		ARRAY, SEQUENCE, SET, MAP, OPTIONAL, ENUM

	}

	/**
	 * A class that has no stable form.
	 *
	 * @param reason a sentence without its subject, with the mend
	 */
	record Refused(String reason) implements Shape {

	}

	/** The shapes of the application's classes; an entry goes with its class. */
	final class Cache {

		static final ClassValue<Shape> BY_CLASS = new ClassValue<>() {

			@Override
			protected Shape computeValue(Class<?> type) {
				return compute(type);
			}

		};

		private Cache() {
		}

	}

}
