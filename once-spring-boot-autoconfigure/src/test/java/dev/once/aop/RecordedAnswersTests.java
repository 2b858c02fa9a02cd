package dev.once.aop;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

import dev.once.AnswerUnreadableException;
import dev.once.ledger.Answer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Answers as they are recorded and read again (E11).
 */
@ExtendWith(OutputCaptureExtension.class)
class RecordedAnswersTests {

	private static RecordedAnswers answers(ResolvableType type) {
		return answers(type, 1_000_000);
	}

	private static RecordedAnswers answers(ResolvableType type, int maxChars) {
		return new RecordedAnswers("charge", type.toString(), AnswerForms.of(type, "Method X"), maxChars);
	}

	private static RecordedAnswers answers(Class<?> type) {
		return answers(ResolvableType.forClass(type));
	}

	static Stream<Arguments> simple() {
		return Stream.of(arguments("text, \"quoted\"", "string"), arguments("", "string"), arguments(true, "boolean"),
				arguments('x', "character"), arguments((byte) 1, "integer"), arguments((short) 1, "integer"),
				arguments(7, "integer"), arguments(7L, "integer"), arguments(BigInteger.TEN, "integer"),
				arguments(new BigDecimal("1.50"), "decimal"), arguments(new BigDecimal("1E+1000000000"), "decimal"),
				arguments(0.1, "floating-point"), arguments(0.1f, "floating-point"),
				arguments(UUID.fromString("9b2c1d1e-0000-4000-8000-000000000001"), "uuid"),
				arguments(Thread.State.NEW, "enum"),
				arguments(Instant.parse("2026-08-24T06:00:00.123456789Z"), "instant"),
				arguments(LocalDate.EPOCH, "date"), arguments(LocalTime.NOON, "time"),
				arguments(LocalDateTime.MIN, "date-time"),
				arguments(OffsetDateTime.parse("2026-08-24T06:00+02:00"), "offset-date-time"),
				arguments(ZonedDateTime.parse("2026-08-24T06:00+02:00[Europe/Zurich]"), "zoned-date-time"),
				arguments(Year.of(2026), "year"), arguments(YearMonth.of(2026, 8), "year-month"),
				arguments(MonthDay.of(2, 29), "month-day"), arguments(Duration.ofMillis(1), "duration"),
				arguments(Period.ofDays(1), "period"), arguments(URI.create("https://a.example"), "uri"));
	}

	@ParameterizedTest
	@MethodSource("simple")
	void simpleTypesNeedNoLibrary(Object value, String tag) {
		ResolvableType type = ResolvableType.forClass(value.getClass());
		RecordedAnswers answers = new RecordedAnswers("charge", type.toString(),
				AnswerForms.of(type, "Method X", false), 1_000_000);
		Answer written = answers.write(value);
		assertThat(written.type()).isEqualTo(tag);
		assertThat(answers.read(written)).isEqualTo(value);
	}

	@Test
	void bytesAreKept() {
		RecordedAnswers answers = answers(byte[].class);
		assertThat((byte[]) answers.read(answers.write(new byte[] { 0, -1 }))).containsExactly(0, -1);
	}

	@Test
	void primitivesAreReadAsTheirWrappers() {
		assertThat(answers(int.class).read(new Answer("7", "integer"))).isEqualTo(7);
		assertThat(answers(long.class).read(answers(int.class).write(7))).isEqualTo(7L);
	}

	@Test
	void nothingIsNothing() {
		RecordedAnswers answers = answers(void.class);
		assertThat(answers.write(null)).isEqualTo(new Answer(null, "void"));
		assertThat(answers.read(new Answer(null, "void"))).isNull();
		assertThat(answers.read(Answer.notKept())).isNull();
		assertThat(answers.read(new Answer("{}", "json"))).isNull();
	}

	@Test
	void optionalsAreEmptyOrWhatIsInThem() {
		ResolvableType type = ResolvableType.forClassWithGenerics(Optional.class, String.class);
		RecordedAnswers answers = answers(type);
		assertThat(answers.read(answers.write(Optional.of("a")))).isEqualTo(Optional.of("a"));
		assertThat(answers.read(answers.write(Optional.empty()))).isEqualTo(Optional.empty());
		assertThat(answers.read(answers.write(null))).isEqualTo(Optional.empty());
	}

	@Test
	void otherTypesAreJson(CapturedOutput output) {
		ResolvableType type = ResolvableType.forType(new ParameterizedTypeReference<Map<String, List<Line>>>() {
		});
		Map<String, List<Line>> value = Map.of("a",
				List.of(new Line("x", new BigDecimal("1.50"), OffsetDateTime.parse("2026-08-24T06:00+02:00"))));
		RecordedAnswers answers = answers(type);
		Answer written = answers.write(value);
		assertThat(written.type()).isEqualTo("json");
		assertThat(answers.read(written)).isEqualTo(value);
		assertThat(output).doesNotContain("ERROR");
	}

	@Test
	void withoutJacksonOtherTypesAreRefused() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> AnswerForms.of(ResolvableType.forClass(Line.class), "Method X", false))
			.withMessageContaining("Method X")
			.withMessageContaining("jackson-databind");
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> AnswerForms
			.of(ResolvableType.forClassWithGenerics(Optional.class, Line.class), "Method X", false));
	}

	@Test
	void anAnswerThatIsTooLongIsNotKeptAndNotCut(CapturedOutput output) {
		for (ResolvableType type : List.of(ResolvableType.forClass(String.class),
				ResolvableType.forClassWithGenerics(List.class, String.class))) {
			RecordedAnswers answers = answers(type, 100);
			Object value = (type.resolve() == String.class) ? "CANARY".repeat(20) : List.of("CANARY".repeat(20));
			assertThat(answers.write(value)).isEqualTo(Answer.notKept());
			assertThatExceptionOfType(AnswerUnreadableException.class).isThrownBy(() -> answers.read(Answer.notKept()))
				.withMessageContaining("'charge'");
		}
		assertThat(output).contains("ERROR")
			.contains("action 'charge' is longer than once.ledger.max-value (100 characters)")
			.doesNotContain("CANARY");
	}

	@Test
	void anAnswerThatCannotBeWrittenIsNotKept(CapturedOutput output) {
		assertThat(answers(Unwritable.class).write(new Unwritable())).isEqualTo(Answer.notKept());
		assertThat(output).contains("ERROR").contains("could not be written").doesNotContain("CANARY");
	}

	@Test
	void theFirstAnswerIsReadBackAtOnce(CapturedOutput output) {
		RecordedAnswers answers = answers(Unreadable.class);
		assertThat(answers.write(new Text("CANARY"))).isEqualTo(new Answer("{\"text\":\"CANARY\"}", "json"));
		answers.write(new Text("CANARY"));
		assertThat(output).containsOnlyOnce("cannot be read back as a " + Unreadable.class.getName())
			.contains("action 'charge'");
		assertThat(output.toString().lines().filter((line) -> line.contains("ERROR"))).singleElement()
			.satisfies((line) -> assertThat(line).doesNotContain("CANARY"));
	}

	@Test
	void aFirstAnswerThatComesBackDifferentIsToldToo(CapturedOutput output) {
		answers(ResolvableType.forClass(Base.class)).write(new Derived());
		answers(ResolvableType.forClass(Losing.class)).write(new Losing("x"));
		assertThat(output).contains("comes back from the ledger as a different " + Losing.class.getName());
	}

	@Test
	void whatWasRecordedOtherwiseIsUnreadableAndNotQuoted() {
		assertThatExceptionOfType(AnswerUnreadableException.class)
			.isThrownBy(() -> answers(int.class).read(new Answer("CANARY", "string")))
			.withMessageContaining("was recorded as 'string' and is now read as 'integer'");
		assertThatExceptionOfType(AnswerUnreadableException.class)
			.isThrownBy(() -> answers(int.class).read(new Answer("CANARY", "integer")))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("CANARY"))
			.withNoCause();
		assertThatExceptionOfType(AnswerUnreadableException.class)
			.isThrownBy(() -> answers(Line.class).read(new Answer("{\"number\":CANARY", "json")))
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("CANARY"))
			.withNoCause();
		assertThatExceptionOfType(AnswerUnreadableException.class)
			.isThrownBy(() -> answers(Thread.State.class).read(new Answer("CANARY", "enum")));
	}

	/** E11: PostgreSQL refuses NUL, and half a surrogate pair has no UTF-8. */
	@Test
	void textThatNoDatabaseKeepsIsEscaped() {
		for (String text : List.of("a\u0000b", "a\ud800", "\udc00a", "a\\u0041\u0000", "\ud83d\ude00\u0000")) {
			RecordedAnswers answers = answers(String.class);
			Answer written = answers.write(text);
			assertThat(written.type()).isEqualTo("string-escaped");
			assertThat(StorableText.isStorable(String.valueOf(written.value()))).isTrue();
			assertThat(answers.read(written)).isEqualTo(text);
		}
		assertThat(answers(String.class).write("\ud83d\ude00 \\u0041"))
			.isEqualTo(new Answer("\ud83d\ude00 \\u0041", "string"));
		RecordedAnswers list = answers(ResolvableType.forClassWithGenerics(List.class, String.class));
		assertThat(list.read(list.write(List.of("a\ud800\"\\")))).isEqualTo(List.of("a\ud800\"\\"));
	}

	record Line(String number, BigDecimal amount, OffsetDateTime at) {

	}

	static class Unwritable {

		public String getText() {
			throw new IllegalStateException("CANARY");
		}

	}

	public interface Unreadable {

		String getText();

	}

	record Text(String getText) implements Unreadable {

	}

	public static class Base {

		public String name = "base";

	}

	public static class Derived extends Base {

		public String more = "more";

	}

	public static class Losing {

		private @Nullable String hidden;

		public Losing() {
		}

		Losing(String hidden) {
			this.hidden = hidden;
		}

		public @Nullable String getText() {
			return this.hidden;
		}

	}

}
