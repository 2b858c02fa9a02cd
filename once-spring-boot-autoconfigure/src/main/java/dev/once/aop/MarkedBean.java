package dev.once.aop;

import org.jspecify.annotations.Nullable;

/**
 * A bean of a marked class. A bean may have instances of several: each is one of these.
 *
 * @param name the bean's name
 * @param marked its class
 */
record MarkedBean(String name, MarkedClass marked) {

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof MarkedBean bean && this.name.equals(bean.name)
				&& this.marked.type() == bean.marked.type();
	}

	@Override
	public int hashCode() {
		return 31 * this.name.hashCode() + this.marked.type().hashCode();
	}

	@Override
	public String toString() {
		return "Bean '" + this.name + "' of class " + this.marked.type().getName();
	}

}
