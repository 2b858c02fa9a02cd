package dev.once.aop;

import java.io.InputStream;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.once.EffectTarget;
import dev.once.OnceException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A job's arguments, written for the run that comes back.
 */
class RecordedArgumentsTests {

	private static final int MAX = 1000;

	@Test
	void argumentsComeBackAsTheyAre() {
		RecordedArguments arguments = arguments("simple");
		Object[] args = { "a \"b\" \\ \n ü \u0000 \ud800", 17, new BigDecimal("1.50"), LocalDate.of(2026, 5, 4),
				Optional.of("x") };
		String written = arguments.write(args, MAX);
		assertThat(written).startsWith("[\"a \\\"b\\\" \\\\ \\u000a \\u00fc \\u0000 \\ud800\",\"17\",\"1.50\",")
			.matches("[\\x20-\\x7e]+");
		assertThat(arguments.read(written)).containsExactly(args);
		Object[] none = { null, 0, null, null, Optional.empty() };
		assertThat(arguments.read(arguments.write(none, MAX))).containsExactly(none);
	}

	@Test
	void recordsAndListsComeBackAsTheyAre() {
		RecordedArguments arguments = arguments("structured");
		Object[] args = { new Order("o-1", List.of("a", "b")), List.of(new Order("o-2", List.of())),
				Map.of("k", LocalDate.of(2026, 5, 4)) };
		assertThat(arguments.read(arguments.write(args, MAX))).containsExactly(args);
	}

	@ParameterizedTest
	@CsvSource({ "stream,parameter 'stream' is a java.io.InputStream", "anything,does not say its type",
			"supplier,which Jackson cannot read again", "strict,which Jackson cannot read again",
			"secret,is secret and stored nowhere" })
	void whatCannotComeBackStopsTheStart(String method, String what) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> arguments(method))
			.withMessageContaining("Method X")
			.withMessageContaining(what);
	}

	@Test
	void whatWouldComeBackAsSomethingElseIsNotRun() {
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> arguments("losing").write(new Object[] { new Losing("CANARY") }, MAX))
			.withMessageStartingWith("Job 'export' was not run")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("CANARY"));
		assertThatExceptionOfType(OnceException.class)
			.isThrownBy(() -> arguments("text").write(new Object[] { "x".repeat(MAX) }, MAX))
			.withMessageContaining("once.ledger.max-value");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ';', value = { "[\"CANARY\"]", "[]", "[\"1\",\"2\"]", "[\"1", "{}" })
	void whatAnotherReleaseRecordedIsToldFromWhatTheMethodTakes(String recorded) {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> arguments("number").read(recorded))
			.withMessageContaining("job 'export'")
			.withMessageContaining("Was the method changed?")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("CANARY"));
	}

	private static RecordedArguments arguments(String name) {
		Method method = Arrays.stream(Jobs.class.getDeclaredMethods())
			.filter((candidate) -> candidate.getName().equals(name))
			.findFirst()
			.orElseThrow();
		return RecordedArguments.of("export", method, Jobs.class, "Method X");
	}

	record Order(String id, List<String> lines) {

	}

	static class Losing {

		private final String text;

		Losing(String text) {
			this.text = text;
		}

		Losing() {
			this("lost");
		}

		public String getKept() {
			return this.text;
		}

		public void setOther(String other) {
		}

	}

	static class Strict {

		private final String id;

		Strict(String id, int number) {
			this.id = id + number;
		}

		public String getId() {
			return this.id;
		}

	}

	static class Jobs {

		void simple(@Nullable String text, int number, BigDecimal amount, LocalDate day, Optional<String> perhaps) {
		}

		void structured(Order order, List<Order> orders, Map<String, LocalDate> days) {
		}

		void stream(InputStream stream) {
		}

		void anything(Object anything) {
		}

		void supplier(Supplier<String> supplier) {
		}

		void strict(Strict strict) {
		}

		void secret(@EffectTarget(secret = true) String card) {
		}

		void losing(Losing losing) {
		}

		void text(String text) {
		}

		void number(int number) {
		}

	}

}
