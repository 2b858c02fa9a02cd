package dev.once.key;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * A record or bean, read by its properties in the order of their names.
 *
 * @param properties at least one
 */
record Properties(List<Property> properties) implements Shape {

	/** Whether a class may be a record or bean of the application at all. */
	static boolean isCandidate(Class<?> type) {
		Class<?> user = userClass(type);
		if (Shape.isPlatform(user) || user.isInterface() || user.isPrimitive() || user.isAnnotation() || user.isHidden()
				|| user.isSynthetic() || Proxy.isProxyClass(user)) {
			return false;
		}
		if (AutoCloseable.class.isAssignableFrom(user) || Iterable.class.isAssignableFrom(user)
				|| Iterator.class.isAssignableFrom(user)) {
			return false;
		}
		for (Class<?> above = user.getSuperclass(); above != null; above = above.getSuperclass()) {
			if (Shape.isPlatform(above) && above != Object.class && above != Record.class) {
				// A thread, a stream or an exception with getters is not data
				return false;
			}
		}
		return true;
	}

	static Shape read(Class<?> type) {
		Class<?> user = userClass(type);
		List<Property> properties = (user.isRecord()) ? components(user) : getters(user);
		if (properties.isEmpty()) {
			return new Refused("is a " + user.getName() + ", which has no readable property; "
					+ "give it getters, make it a record, or pass what identifies it");
		}
		for (Property property : properties) {
			if (!property.accessor.trySetAccessible()) {
				return new Refused("is a " + user.getName() + ", whose property '" + property.name
						+ "' is not accessible; open its package to Once or pass what identifies it");
			}
		}
		return new Properties(properties);
	}

	/** The class that the application wrote, under the proxies made of it. */
	static Class<?> userClass(Class<?> type) {
		Class<?> user = type;
		while (isGenerated(user.getName()) && user.getSuperclass() != null) {
			user = user.getSuperclass();
		}
		return user;
	}

	private static boolean isGenerated(String name) {
		return name.contains("$$") || name.contains("$HibernateProxy") || name.contains("$ByteBuddy$")
				|| name.contains("$MockitoMock$");
	}

	private static List<Property> components(Class<?> type) {
		TreeMap<String, Method> byName = new TreeMap<>();
		for (RecordComponent component : type.getRecordComponents()) {
			byName.put(component.getName(), component.getAccessor());
		}
		return inOrder(byName);
	}

	private static List<Property> getters(Class<?> type) {
		TreeMap<String, Method> byName = new TreeMap<>();
		for (Method method : type.getMethods()) {
			String name = propertyName(method);
			if (name != null) {
				byName.merge(name, method, Properties::better);
			}
		}
		return inOrder(byName);
	}

	private static List<Property> inOrder(TreeMap<String, Method> byName) {
		List<Property> properties = new ArrayList<>();
		byName.forEach((name, accessor) -> properties.add(new Property(name, accessor)));
		return List.copyOf(properties);
	}

	private static @Nullable String propertyName(Method method) {
		if (method.getParameterCount() > 0 || Modifier.isStatic(method.getModifiers())
				|| method.getReturnType() == void.class || method.getDeclaringClass() == Object.class) {
			return null;
		}
		String name = method.getName();
		int prefix = 0;
		if (name.startsWith("get")) {
			prefix = 3;
		}
		else if (name.startsWith("is") && method.getReturnType() == boolean.class) {
			prefix = 2;
		}
		// getaway() and issue() are no properties
		if (prefix == 0 || name.length() == prefix || Character.isLowerCase(name.charAt(prefix))
				|| name.equals("getMetaClass")) {
			return null;
		}
		String rest = name.substring(prefix);
		if (rest.length() > 1 && Character.isUpperCase(rest.charAt(0)) && Character.isUpperCase(rest.charAt(1))) {
			return rest;
		}
		return Character.toLowerCase(rest.charAt(0)) + rest.substring(1);
	}

	/**
	 * Of two getters of one name: the one whose type says more, and isX() before getX().
	 */
	private static Method better(Method one, Method other) {
		if (one.getReturnType() != other.getReturnType()) {
			return one.getReturnType().isAssignableFrom(other.getReturnType()) ? other : one;
		}
		if (one.isBridge() != other.isBridge()) {
			return one.isBridge() ? other : one;
		}
		return one.getName().startsWith("is") ? one : other;
	}

	/**
	 * One property.
	 *
	 * @param name the name, which enters the key
	 * @param accessor the public method to read it by
	 */
	record Property(String name, Method accessor) {

		@Nullable Object of(Object owner) {
			try {
				return this.accessor.invoke(owner);
			}
			catch (InvocationTargetException ex) {
				throw unreadable(owner, ex.getCause());
			}
			catch (IllegalAccessException ex) {
				throw unreadable(owner, ex);
			}
		}

		private NoStableForm unreadable(Object owner, @Nullable Throwable cause) {
			String what = (cause != null) ? cause.getClass().getName() : "an exception";
			return new NoStableForm("cannot be read: " + userClass(owner.getClass()).getName() + "."
					+ this.accessor.getName() + "() threw " + what, "", cause);
		}

	}

}
