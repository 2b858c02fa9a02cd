package dev.once;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Type;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.annotation.SimpleReflectiveProcessor;

/**
 * Keeps in a native image what is read by reflection: the method, its answer, and the
 * arguments that its key is made of.
 */
final class EffectHints extends SimpleReflectiveProcessor {

	private final BindingReflectionHintsRegistrar bindings = new BindingReflectionHintsRegistrar();

	@Override
	public void registerReflectionHints(ReflectionHints hints, AnnotatedElement element) {
		super.registerReflectionHints(hints, element);
		if (element instanceof Method method) {
			this.bindings.registerReflectionHints(hints, method.getGenericReturnType());
			for (Type parameter : method.getGenericParameterTypes()) {
				this.bindings.registerReflectionHints(hints, parameter);
			}
		}
	}

}
