package dev.once.aop;

import java.util.Optional;

import dev.once.aop.AnswerForm.OptionalForm;
import dev.once.aop.AnswerForm.SimpleForm;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Finds the form in which answers of a type are recorded.
 */
final class AnswerForms {

	private static final boolean jacksonPresent = ClassUtils.isPresent("tools.jackson.databind.json.JsonMapper",
			AnswerForms.class.getClassLoader());

	private AnswerForms() {
	}

	/**
	 * The form of a type.
	 * @param type the answer's type
	 * @param where bean and method, or the action
	 * @throws InvalidGuardException when it needs Jackson, which is not there
	 */
	static AnswerForm of(ResolvableType type, String where) {
		return of(type, where, jacksonPresent);
	}

	static AnswerForm of(ResolvableType type, String where, boolean jackson) {
		Class<?> raw = type.resolve(Object.class);
		if (raw == void.class || raw == Void.class) {
			return AnswerForm.NOTHING;
		}
		TextForm simple = TextForm.of(raw);
		if (simple != null) {
			return new SimpleForm(simple);
		}
		if (raw == Optional.class && type.hasGenerics()) {
			return new OptionalForm(of(type.getGeneric(), where, jackson));
		}
		if (!jackson) {
			throw new InvalidGuardException(where,
					"its answer is a " + raw.getName()
							+ ", which takes Jackson 3 to be recorded, and that is not there",
					"Add tools.jackson.core:jackson-databind (spring-boot-starter-jackson), "
							+ "or return void or a simple type such as String");
		}
		return new JsonForm(type);
	}

}
