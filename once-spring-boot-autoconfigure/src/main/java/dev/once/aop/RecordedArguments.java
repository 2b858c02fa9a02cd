package dev.once.aop;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

import dev.once.EffectInput;
import dev.once.EffectTarget;
import dev.once.OnceException;
import dev.once.aop.AnswerForm.TooLongException;
import dev.once.ledger.Failures;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedMethod;

/**
 * Writes a job's arguments for the run that comes back, and reads them again: an array of
 * texts in JSON. No message shows what was in an argument.
 */
final class RecordedArguments {

	private final String job;

	private final List<AnswerForm> forms;

	private RecordedArguments(String job, List<AnswerForm> forms) {
		this.job = job;
		this.forms = forms;
	}

	/**
	 * Finds the forms of a method's parameters.
	 * @throws InvalidGuardException when one cannot be written and read again
	 */
	static RecordedArguments of(String job, Method method, Class<?> type, String where) {
		String[] names = new DefaultParameterNameDiscoverer().getParameterNames(method);
		List<AnswerForm> forms = new ArrayList<>();
		for (MethodParameter parameter : new AnnotatedMethod(method).getMethodParameters()) {
			int position = parameter.getParameterIndex();
			String name = "parameter '" + ((names != null) ? names[position] : "arg" + position) + "'";
			refuseSecret(parameter, name, where);
			forms.add(form(ResolvableType.forMethodParameter(method, position, type), name, where));
		}
		return new RecordedArguments(job, forms);
	}

	private static void refuseSecret(MethodParameter parameter, String name, String where) {
		EffectTarget target = parameter.getParameterAnnotation(EffectTarget.class);
		EffectInput input = parameter.getParameterAnnotation(EffectInput.class);
		if ((target != null && target.secret()) || (input != null && input.secret())) {
			throw new InvalidGuardException(where,
					"its " + name + " is secret and stored nowhere, and the arguments of a job whose occurrence they "
							+ "name are recorded, so that it can be run again",
					"Give the job an id that it finds the secret by, and make the effect a method of its own");
		}
	}

	private static AnswerForm form(ResolvableType type, String name, String where) {
		Class<?> raw = type.resolve();
		String mend = "Take an id, a text, or a record of such";
		if (raw == null || raw == Object.class) {
			throw new InvalidGuardException(where,
					"its " + name + " does not say its type, so that a run that comes back could not be given it again",
					mend);
		}
		String what = "its " + name + " is a " + raw.getName();
		if (AutoCloseable.class.isAssignableFrom(raw) || Iterator.class.isAssignableFrom(raw)) {
			throw new InvalidGuardException(where, what + ", which cannot be recorded for a run that comes back", mend);
		}
		AnswerForm form;
		try {
			form = AnswerForms.of(type, where);
		}
		catch (InvalidGuardException ex) {
			throw new InvalidGuardException(where,
					what + ", which takes Jackson 3 to be recorded for a run that comes back, and that is not there",
					"Add tools.jackson.core:jackson-databind (spring-boot-starter-jackson), or take simple types such "
							+ "as an id");
		}
		if (form instanceof JsonForm json && !json.canRead()) {
			throw new InvalidGuardException(where,
					what + ", which Jackson cannot read again, so that a run that comes back could not be given it",
					mend);
		}
		return form;
	}

	/**
	 * Writes a call's arguments, and reads them back at once.
	 * @param args the arguments
	 * @param maxChars what they may come to
	 * @throws OnceException when they would not come back as they are
	 */
	String write(@Nullable Object[] args, int maxChars) {
		String written;
		try {
			written = writeOrThrow(args, maxChars);
			if (written.equals(writeOrThrow(read(written), maxChars))) {
				return written;
			}
		}
		catch (TooLongException ex) {
			throw refused("they are longer than once.ledger.max-value (" + maxChars + " characters)", null);
		}
		catch (OnceException ex) {
			throw ex;
		}
		catch (RuntimeException | LinkageError | StackOverflowError ex) {
			throw refused("they cannot be written: " + Failures.describe(ex), null);
		}
		throw refused("they come back as something else: make everything in them readable by Jackson, or pass an id",
				null);
	}

	private OnceException refused(String why, @Nullable Throwable cause) {
		return new OnceException("Job '" + this.job + "' was not run: its arguments cannot be recorded, so that a run "
				+ "that comes back could not be given them. " + why, cause);
	}

	private String writeOrThrow(@Nullable Object[] args, int maxChars) {
		StringBuilder json = new StringBuilder("[");
		for (int i = 0; i < args.length; i++) {
			json.append((i > 0) ? "," : "");
			Object value = args[i];
			if (value == null || (value instanceof Optional<?> optional && optional.isEmpty())) {
				json.append("null");
			}
			else {
				quote(this.forms.get(i).write(value, maxChars), json);
			}
			if (json.length() >= maxChars) {
				throw new TooLongException();
			}
		}
		return json.append(']').toString();
	}

	/**
	 * Reads recorded arguments as what the method takes.
	 * @throws OnceException when they cannot be read
	 */
	@Nullable Object[] read(String written) {
		List<@Nullable String> texts = texts(written);
		if (texts.size() != this.forms.size()) {
			throw unreadable("they are " + texts.size() + ", and the method takes " + this.forms.size());
		}
		@Nullable Object[] args = new Object[texts.size()];
		for (int i = 0; i < args.length; i++) {
			AnswerForm form = this.forms.get(i);
			String text = texts.get(i);
			try {
				args[i] = (text != null) ? form.read(text) : form.none();
			}
			catch (RuntimeException | LinkageError | StackOverflowError ex) {
				// Without its cause, whose message may quote the argument
				throw unreadable("number " + (i + 1) + " is of another type: " + Failures.describe(ex));
			}
		}
		return args;
	}

	private OnceException unreadable(String why) {
		return new OnceException("The recorded arguments of job '" + this.job
				+ "' cannot be read as what its method takes: " + why + ". Was the method changed?");
	}

	// A database keeps neither NUL nor half of a surrogate pair: all but ASCII is escaped
	private static void quote(String text, StringBuilder json) {
		json.append('"');
		for (int i = 0; i < text.length(); i++) {
			char unit = text.charAt(i);
			if (unit == '"' || unit == '\\') {
				json.append('\\').append(unit);
			}
			else if (unit >= 0x20 && unit < 0x7f) {
				json.append(unit);
			}
			else {
				json.append("\\u");
				for (int shift = 12; shift >= 0; shift -= 4) {
					json.append(Character.forDigit((unit >> shift) & 0xf, 16));
				}
			}
		}
		json.append('"');
	}

	private List<@Nullable String> texts(String json) {
		List<@Nullable String> texts = new ArrayList<>();
		try {
			int at = 1;
			while (json.charAt(at) != ']') {
				if (json.charAt(at) == ',') {
					at++;
				}
				if (json.startsWith("null", at)) {
					texts.add(null);
					at += 4;
				}
				else {
					StringBuilder text = new StringBuilder();
					at = text(json, at + 1, text);
					texts.add(text.toString());
				}
			}
		}
		catch (IndexOutOfBoundsException | NumberFormatException ex) {
			throw unreadable("they are not an array of texts");
		}
		return texts;
	}

	private static int text(String json, int from, StringBuilder text) {
		int at = from;
		while (json.charAt(at) != '"') {
			char unit = json.charAt(at++);
			if (unit != '\\') {
				text.append(unit);
			}
			else if (json.charAt(at) == 'u') {
				text.append((char) Integer.parseInt(json, at + 1, at + 5, 16));
				at += 5;
			}
			else {
				text.append(json.charAt(at++));
			}
		}
		return at + 1;
	}

}
