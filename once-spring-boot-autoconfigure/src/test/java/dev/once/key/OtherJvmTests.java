package dev.once.key;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.once.occurrence.GoldenNames;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The other node runs elsewhere, under another locale, time zone and charset, and must
 * find the same keys, the same texts and the same names (case 5).
 */
class OtherJvmTests {

	@ParameterizedTest
	@ValueSource(strings = { "-Duser.language=tr -Duser.country=TR -Duser.timezone=Asia/Tokyo -Dfile.encoding=UTF-8",
			"-Duser.language=ar -Duser.country=EG -Duser.timezone=America/New_York -Dfile.encoding=ISO-8859-1",
			"-Duser.language=th -Duser.country=TH -Duser.variant=TH -Duser.timezone=Pacific/Chatham "
					+ "-Dfile.encoding=UTF-16 -XX:+UnlockExperimentalVMOptions -XX:hashCode=2" })
	void keysAndTextsAreTheSameInAnotherJvm(String options) throws Exception {
		assertThat(printedBy(List.of(options.split(" ")))).isEqualTo(Printer.text());
	}

	@Test
	void theOtherJvmsReallyDiffer() throws Exception {
		Set<String> surroundings = new LinkedHashSet<>();
		surroundings.add(printedBy(List.of("-Duser.language=en", "-Duser.timezone=UTC", "-Dprinter=surroundings")));
		surroundings.add(printedBy(List.of("-Duser.language=ar", "-Duser.country=EG", "-Dfile.encoding=ISO-8859-1",
				"-Duser.timezone=Asia/Tokyo", "-Dprinter=surroundings")));
		surroundings.add(printedBy(
				List.of("-Duser.language=tr", "-Duser.country=TR", "-Duser.timezone=UTC", "-Dprinter=surroundings")));
		assertThat(surroundings).hasSize(3);
	}

	private static String printedBy(List<String> options) throws IOException, InterruptedException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1"));
		command.addAll(options);
		command.addAll(List.of("-cp", classPath(), Printer.class.getName()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
			assertThat(process.exitValue()).as(output).isZero();
			return output;
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static String classPath() {
		return Stream.of(EffectKeys.class, Printer.class, CronExpression.class, StringUtils.class)
			.map(OtherJvmTests::location)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private static String location(Class<?> type) {
		try {
			return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The main class of the other JVM; it writes ASCII whatever the charset. */
	static final class Printer {

		private Printer() {
		}

		public static void main(String[] args) {
			String text = "surroundings".equals(System.getProperty("printer")) ? surroundings() : text();
			System.out.write(text.getBytes(StandardCharsets.US_ASCII), 0, text.length());
			System.out.flush();
		}

		static String text() {
			StringBuilder text = new StringBuilder();
			GoldenVectors.all().forEach((description, identity) -> {
				text.append(GoldenVectors.block(description, identity));
				text.append(ascii(identity.explain())).append('\n');
				text.append(ascii(identity.label())).append('\n').append(ascii(identity.inputs())).append('\n');
			});
			return text.append(GoldenNames.text()).toString();
		}

		private static String surroundings() {
			return "%d %s %s %s".formatted(2026, ascii("BILLING".toLowerCase()),
					java.util.TimeZone.getDefault().getID(), java.nio.charset.Charset.defaultCharset());
		}

		private static String ascii(String text) {
			StringBuilder ascii = new StringBuilder();
			text.chars().forEach((unit) -> {
				if (unit < 0x7f) {
					ascii.append((char) unit);
				}
				else {
					ascii.append("\\u").append(Integer.toHexString(unit));
				}
			});
			return ascii.toString();
		}

	}

}
