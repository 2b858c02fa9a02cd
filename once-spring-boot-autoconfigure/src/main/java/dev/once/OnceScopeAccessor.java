package dev.once;

import io.micrometer.context.ThreadLocalAccessor;

/**
 * Lets Micrometer's context propagation carry the scope: Spring's
 * {@code ContextPropagatingTaskDecorator} and Reactor use it. Loaded by that library, and
 * only where it is there.
 */
public final class OnceScopeAccessor implements ThreadLocalAccessor<OnceScope> {

	/** The scope's key in a captured context. */
	public static final String KEY = "dev.once.scope";

	@Override
	public Object key() {
		return KEY;
	}

	@Override
	public OnceScope getValue() {
		return OnceScope.current();
	}

	@Override
	public void setValue(OnceScope value) {
		OnceScope.set(value);
	}

	@Override
	public void setValue() {
		OnceScope.set(OnceScope.NONE);
	}

}
