package dev.once.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.Grain;
import dev.once.OnceEffect;
import dev.once.UnstableTypeException;
import dev.once.key.EffectKeys;
import dev.once.key.FloatingPoint;
import dev.once.key.Identity;
import dev.once.key.StableTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.GenericTypeResolver;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.util.StringUtils;

/**
 * What a guarded method's key is made of: the marked parameters in their order, then the
 * expressions in theirs.
 *
 * @param action the action
 * @param targets the parts of the target
 * @param inputs the inputs
 * @param grain for how long the effect is the same fact
 */
record KeyParts(String action, List<KeyPart> targets, List<KeyPart> inputs, Grain grain) {

	private static final ParameterNameDiscoverer parameterNames = new DefaultParameterNameDiscoverer();

	static KeyParts of(OnceEffect effect, Method method, Class<?> type, String where) {
		String[] names = parameterNames.getParameterNames(method);
		List<KeyPart> targets = new ArrayList<>();
		List<KeyPart> inputs = new ArrayList<>();
		for (MethodParameter parameter : new AnnotatedMethod(method).getMethodParameters()) {
			EffectTarget target = parameter.getParameterAnnotation(EffectTarget.class);
			EffectInput input = parameter.getParameterAnnotation(EffectInput.class);
			int position = parameter.getParameterIndex();
			String name = (names != null) ? names[position] : "arg" + position;
			if (target != null && input != null) {
				throw new InvalidGuardException(where, "parameter '" + name + "' is target and input",
						"Mark it as one of them: a target names what is acted on, an input how");
			}
			if (target != null) {
				targets.add(argument(parameter, name, target.secret(), FloatingPoint.REFUSED, type, where));
			}
			else if (input != null) {
				inputs.add(argument(parameter, name, input.secret(),
						input.floatingPoint() ? FloatingPoint.ALLOWED : FloatingPoint.REFUSED, type, where));
			}
		}
		if (StringUtils.hasText(effect.target())) {
			targets.add(new KeyPart.Evaluated(KeyExpression.read(effect.target(), names, where)));
		}
		for (String input : effect.inputs()) {
			inputs.add(new KeyPart.Evaluated(KeyExpression.read(input, names, where)));
		}
		refuseTwins(targets, where);
		refuseTwins(inputs, where);
		if (effect.grain() != Grain.OCCURRENCE) {
			refuseNoTarget(targets, method, where);
		}
		return new KeyParts(effect.action(), List.copyOf(targets), List.copyOf(inputs), effect.grain());
	}

	private static KeyPart argument(MethodParameter parameter, String name, boolean secret, FloatingPoint floatingPoint,
			Class<?> type, String where) {
		if (secret && floatingPoint == FloatingPoint.ALLOWED) {
			throw new InvalidGuardException(where, "parameter '" + name + "' is secret and floating point",
					"Pass a secret as text");
		}
		Type declared = GenericTypeResolver.resolveType(parameter.getGenericParameterType(), type);
		try {
			StableTypes.check(declared, "parameter '" + name + "'", floatingPoint);
		}
		catch (UnstableTypeException ex) {
			throw new InvalidGuardException(where, "a part of its key would not be stable",
					StringUtils.capitalize(String.valueOf(ex.getMessage())));
		}
		return new KeyPart.Argument(name, parameter.getParameterIndex(), secret, floatingPoint);
	}

	private static void refuseTwins(List<KeyPart> parts, String where) {
		Set<String> names = new HashSet<>();
		for (KeyPart part : parts) {
			if (!names.add(part.name())) {
				throw new InvalidGuardException(where, "two parts of its key are named '" + part.name() + "'",
						"Name each part once, by its parameter or by an expression");
			}
		}
	}

	private static void refuseNoTarget(List<KeyPart> targets, Method method, String where) {
		if (targets.isEmpty()) {
			throw new InvalidGuardException(where,
					"its effect has no target, so that all its calls would be one effect",
					(method.getParameterCount() == 0)
							? "Set grain = OCCURRENCE for one in each occurrence of the job; or give it a parameter "
									+ "that names what it acts on, marked with @EffectTarget (for a daily figure: the day)"
							: "Mark the parameter that names what it acts on with @EffectTarget, "
									+ "or set target = \"#order.id\"");
		}
	}

	/**
	 * Whether any part needs {@code once.key.secret}.
	 */
	boolean hasSecret() {
		return this.targets.stream().anyMatch(KeyPart::secret) || this.inputs.stream().anyMatch(KeyPart::secret);
	}

	/**
	 * Which effect a call means.
	 * @param keys derives the key
	 * @param args the call's arguments
	 * @param grain text of the grain, or {@code null} for a fact
	 */
	Identity identity(EffectKeys keys, @Nullable Object[] args, @Nullable String grain) {
		Identity.Builder identity = keys.identity(this.action).grain(grain);
		for (KeyPart target : this.targets) {
			target.addTarget(identity, args, this.action);
		}
		for (KeyPart input : this.inputs) {
			input.addInput(identity, args, this.action);
		}
		return identity.build();
	}

}
