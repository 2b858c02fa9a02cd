package dev.once.key;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import dev.once.OnceException;
import dev.once.UnstableTypeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Names of occurrences that arguments give (O1, case 5).
 */
class OccurrenceTextTests {

	@Test
	void aNameReadsAsItsValues() {
		assertThat(name("inv-17")).isEqualTo("inv-17");
		assertThat(name(17)).isEqualTo("17");
		assertThat(name(new BigDecimal("10.00"))).isEqualTo(name(new BigDecimal("1E+1"))).isEqualTo("10");
		assertThat(name("c-1", LocalDate.of(2026, 5, 4))).isEqualTo("c-1|2026-05-04");
	}

	@Test
	void distinctValuesHaveDistinctNamesOfPrintableAscii() {
		String longText = "x".repeat(300);
		List<List<? extends @Nullable Object>> values = List.of(List.of("a|b"), List.of("a", "b"), List.of("a?b"),
				List.of("a\u0000b"), List.of("a\u200bb"), List.of("Zürich"), List.of("Z?rich"), List.of("Zörich"),
				List.of(longText + "1"), List.of(longText + "2"), List.of(List.of("a", "b"), "c"),
				List.of("[\"a\",\"b\"]", "c"), Arrays.asList("a", null), List.of("a", "(null)"), List.of("\u0661"),
				List.of("\u0662"));
		Set<String> names = new HashSet<>();
		values.forEach((value) -> names.add(OccurrenceText.of(value, "What '#id' gives")));
		assertThat(names).hasSameSizeAs(values).allSatisfy((name) -> assertThat(name).matches("[\\x20-\\x7e]{1,200}"));
	}

	@Test
	void aNameIsTheSameInEveryLocale() {
		Locale locale = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
			assertThat(name(2026, LocalDate.of(2026, 12, 27))).isEqualTo("2026|2026-12-27");
		}
		finally {
			Locale.setDefault(locale);
		}
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "", "  ", "\t" })
	void whatTellsNothingApartIsRefused(@Nullable String value) {
		assertThatExceptionOfType(OnceException.class).isThrownBy(() -> name(value))
			.withMessageStartingWith("What '#id' gives is ");
	}

	@Test
	void whatHasNoStableFormIsRefused() {
		assertThatExceptionOfType(UnstableTypeException.class)
			.isThrownBy(() -> name(new ByteArrayInputStream(new byte[0])))
			.withMessageStartingWith("What '#id' gives");
		assertThatExceptionOfType(UnstableTypeException.class).isThrownBy(() -> name(1.5));
	}

	private static String name(@Nullable Object... values) {
		return OccurrenceText.of(Arrays.asList(values), "What '#id' gives");
	}

}
