package dev.once.aop;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import dev.once.EffectResolver;
import dev.once.FarSide;
import dev.once.Resolution;
import dev.once.UnresolvedEffect;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method that asks the far side. It is called on the bean as others see it, with all
 * its advice.
 *
 * @param site where it is declared
 * @param action the action that it resolves
 * @param answer the answer's type that it gives
 * @param farSide the contract declared on it or its class, or {@code null}
 */
record ResolverMethod(Site site, String action, ResolvableType answer, @Nullable FarSide farSide) {

	static ResolverMethod of(Site site, String action, @Nullable FarSide farSide) {
		SiteRules.checkName("resolver's action", action, site);
		SiteRules.checkReachable(site);
		Method method = site.method();
		ResolvableType returned = ResolvableType.forMethodReturnType(method, site.type());
		if (method.getParameterCount() != 1 || method.getParameterTypes()[0] != UnresolvedEffect.class
				|| returned.resolve() != Resolution.class) {
			throw new InvalidGuardException(site.toString(), "it is not a resolver's method",
					"Declare it as Resolution<Receipt> " + method.getName()
							+ "(UnresolvedEffect effect), with the effect's answer for Receipt");
		}
		return new ResolverMethod(site, action, returned.getGeneric(), farSide);
	}

	/**
	 * Refuses an effect whose answer this resolver cannot give.
	 */
	void checkFits(ResolvableType effect, String where) {
		Class<?> raw = effect.resolve(Object.class);
		if (raw == void.class || raw == Void.class) {
			return;
		}
		ResolvableType wanted = raw.isPrimitive() ? ResolvableType.forClass(ClassUtils.resolvePrimitiveIfNecessary(raw))
				: effect;
		if (this.answer.resolve() == null || !wanted.isAssignableFrom(this.answer)) {
			throw new InvalidGuardException(this.site.toString(),
					"it resolves the effects of " + where + " as " + this.answer + ", and their answer is " + wanted,
					"Return Resolution<" + wanted + ">");
		}
	}

	EffectResolver<@Nullable Object> bind(BeanFactory beans) {
		return new EffectResolver<>() {

			@Override
			@SuppressWarnings("unchecked")
			public Resolution<@Nullable Object> resolve(UnresolvedEffect effect) throws Exception {
				Object bean = beans.getBean(ResolverMethod.this.site.bean());
				Method method = AopUtils.selectInvocableMethod(ResolverMethod.this.site.method(), bean.getClass());
				ReflectionUtils.makeAccessible(method);
				try {
					Object said = method.invoke(bean, effect);
					return (said != null) ? (Resolution<@Nullable Object>) said : Resolution.cannotTell();
				}
				catch (InvocationTargetException ex) {
					if (ex.getTargetException() instanceof Exception thrown) {
						throw thrown;
					}
					throw ex;
				}
			}

		};
	}

}
