package dev.once.aop;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Where something is declared: a method of a bean.
 *
 * @param bean the bean's name
 * @param type the bean's class
 * @param method the method
 */
record Site(String bean, Class<?> type, Method method) {

	/**
	 * {@code charges.charge(String)}, for tables.
	 */
	String brief() {
		return this.bean + "." + signature();
	}

	/**
	 * Whether both are the same of one bean, whose instances may be of several classes.
	 */
	boolean isSameIn(Site other) {
		return this.bean.equals(other.bean) && (this.type != other.type || this.method.equals(other.method));
	}

	private String signature() {
		return Arrays.stream(this.method.getParameterTypes())
			.map(Class::getSimpleName)
			.collect(Collectors.joining(", ", this.method.getName() + "(", ")"));
	}

	/**
	 * Bean and method in full, for messages.
	 */
	@Override
	public String toString() {
		return "Method " + this.method.getDeclaringClass().getName() + "." + signature() + " of bean '" + this.bean
				+ "'";
	}

}
