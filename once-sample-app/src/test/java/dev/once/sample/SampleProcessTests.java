package dev.once.sample;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The processes beside the nodes, started as a user starts them and killed with SIGKILL.
 */
@Timeout(60)
class SampleProcessTests {

	private final HttpClient client = HttpClient.newHttpClient();

	private final List<Process> processes = new ArrayList<>();

	@TempDir
	private Path directory;

	@AfterEach
	void kill() throws InterruptedException {
		for (Process process : this.processes) {
			process.destroyForcibly().waitFor();
		}
	}

	@Test
	void aKilledFarSideStillKnowsWhatItAnswered() throws Exception {
		String first = farSide();
		String answer = pay(first);
		kill();
		String second = farSide();
		HttpResponse<String> found = this.client.send(
				HttpRequest.newBuilder(URI.create(second + "/payments?key=k-1")).build(),
				HttpResponse.BodyHandlers.ofString());
		assertThat(found.body()).isEqualTo("[" + answer + "]");
		assertThat(pay(second)).isEqualTo(answer);
		assertThat(Files.readAllLines(this.directory.resolve("record.jsonl"))).hasSize(3);
	}

	@Test
	void aKilledDatabaseServerKeepsWhatWasCommitted() throws Exception {
		String url = database() + ";WRITE_DELAY=0";
		try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
			connection.createStatement().execute("create table kept (id int)");
			connection.createStatement().execute("insert into kept values (17)");
			kill();
		}
		catch (java.sql.SQLException ex) {
			// The connection was lost with the server.
		}
		try (Connection connection = DriverManager.getConnection(database() + ";WRITE_DELAY=0", "sa", "");
				ResultSet kept = connection.createStatement().executeQuery("select id from kept")) {
			assertThat(kept.next()).isTrue();
			assertThat(kept.getInt(1)).isEqualTo(17);
		}
	}

	private String farSide() throws IOException {
		return start("Far side ready at (\\S+),", "--spring.profiles.active=far-side", "--far-side.port=0",
				"--far-side.deduplicate=on", "--far-side.record=" + this.directory.resolve("record.jsonl"));
	}

	private String database() throws IOException {
		return start("H2 ready at (\\S+),", "--spring.profiles.active=h2-server", "--h2-server.port=0",
				"--h2-server.directory=" + this.directory);
	}

	private String pay(String url) throws Exception {
		return this.client
			.send(HttpRequest.newBuilder(URI.create(url + "/payments"))
				.header("Idempotency-Key", "k-1")
				.POST(HttpRequest.BodyPublishers.ofString("{\"invoice\":\"inv-1\",\"amount\":10.00}"))
				.build(), HttpResponse.BodyHandlers.ofString())
			.body();
	}

	private String start(String ready, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-cp",
						System.getProperty("java.class.path"), SampleApplication.class.getName()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.processes.add(process);
		List<String> seen = new ArrayList<>();
		Pattern pattern = Pattern.compile(ready);
		BufferedReader output = process.inputReader();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			seen.add(line);
			Matcher matcher = pattern.matcher(line);
			if (matcher.find()) {
				return matcher.group(1);
			}
		}
		throw new IllegalStateException("Ended before it was ready: " + seen);
	}

}
