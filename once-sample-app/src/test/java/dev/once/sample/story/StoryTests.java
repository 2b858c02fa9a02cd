package dev.once.sample.story;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.once.sample.SampleApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The story as a user starts it, judged by the far side's record and the ledger.
 */
class StoryTests {

	private static final JsonMapper json = JsonMapper.builder().build();

	@TempDir
	private Path directory;

	@Test
	void theStoryEndsWithEachEffectOnce() throws Exception {
		Path output = this.directory.resolve("output.txt");
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
				SampleApplication.class.getName(), "--sample.story=exit", "--server.port=0",
				"--sample.story.directory=" + this.directory)
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		try {
			assertThat(process.waitFor(150, TimeUnit.SECONDS)).as("ends in time").isTrue();
		}
		finally {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly();
		}
		assertThat(process.exitValue()).as(Files.readString(output)).isZero();
		assertThat(output).content().contains("Every effect happened once.").doesNotContain("FAILED");
		Path run = run();
		List<JsonNode> applied = Files.readAllLines(run.resolve("far-side.jsonl"))
			.stream()
			.map(json::readTree)
			.filter((line) -> "applied".equals(line.get("verdict").asString()))
			.toList();
		assertThat(applied).hasSize(41);
		assertThat(applied.stream().map((line) -> line.get("key").asString()).distinct()).hasSize(41);
		try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + run.resolve("billing"), "sa", "")) {
			assertThat(count(connection, "state = 'done' and outcome = 'performed'")).isEqualTo(44);
			assertThat(count(connection, "state = 'done' and outcome = 'resolved' and target = 'inv-007'")).isOne();
			assertThat(count(connection, "state <> 'done'")).isZero();
		}
	}

	private Path run() throws IOException {
		try (Stream<Path> runs = Files.list(this.directory)) {
			return runs.filter(Files::isDirectory).findFirst().orElseThrow();
		}
	}

	private static int count(Connection connection, String condition) throws Exception {
		try (ResultSet rows = connection.createStatement()
			.executeQuery("select count(*) from once_effect_ledger where " + condition)) {
			rows.next();
			return rows.getInt(1);
		}
	}

}
