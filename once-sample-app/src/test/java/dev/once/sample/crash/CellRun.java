package dev.once.sample.crash;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs one cell with real processes and leaves its files behind: the far side's record,
 * dumps of the ledger, the nodes' logs. It judges nothing.
 */
final class CellRun {

	static final int INVOICES = 20;

	private static final Duration UNTIL_READY = Duration.ofMinutes(2);

	private static final Duration UNTIL_CRASH = Duration.ofMinutes(3);

	private static final Duration UNTIL_SETTLED = Duration.ofMinutes(3);

	/** Longer than everything that a resumed node still has on its way. */
	private static final Duration AFTER_RESUMING = Duration.ofSeconds(4);

	private final Cell cell;

	private final Path directory;

	private final EmbeddedPostgres postgres;

	private final List<SampleProcess> processes = new ArrayList<>();

	CellRun(Cell cell, Path parent, EmbeddedPostgres postgres) throws IOException {
		this.cell = cell;
		this.directory = Files.createDirectories(parent.resolve(cell.name()));
		this.postgres = postgres;
	}

	void run() throws Exception {
		boolean crashed = false;
		boolean settled = false;
		try {
			Path record = this.directory.resolve("far-side.jsonl");
			SampleProcess farSide = start("far-side", "--spring.profiles.active=far-side", "--far-side.port=0",
					"--far-side.record=" + record);
			String url = database();
			String far = farSide.awaitLine("Far side ready at (\\S+),", UNTIL_READY);
			control(far, "{\"action\":\"payments\",\"mode\":\"answer-late\",\"millis\":150}");
			if (losesAnAnswer()) {
				control(far,
						"{\"action\":\"payments\",\"mode\":\"record-then-drop\",\"target\":\"inv-007\",\"next\":1}");
			}
			LedgerDump dump = new LedgerDump(url, user());
			SampleProcess armed = node("node-a", far, url, "--crash.point=" + this.cell.point().word(),
					"--crash.at=" + this.cell.at(), "--crash.signal=" + this.cell.signal());
			// the other node comes when the armed one has the long run, or it may take
			// that
			Awaitility.await()
				.atMost(UNTIL_CRASH)
				.until(() -> armed.hasSaid("CRASH POINT") || (Files.exists(record) && Files.size(record) > 0));
			node("node-b", far, url);
			armed.awaitLine("CRASH POINT", UNTIL_CRASH);
			crashed = true;
			if (this.cell.signal() == Cell.Signal.KILL) {
				armed.awaitDeath(UNTIL_READY);
				dump.write(this.directory, "ledger-at-crash");
				node("node-a", far, url);
				settled = awaitSettled(dump);
			}
			else {
				dump.write(this.directory, "ledger-at-crash");
				settled = awaitSettled(dump);
				armed.resume();
				Awaitility.await().pollDelay(AFTER_RESUMING).atMost(UNTIL_SETTLED).until(() -> true);
				settled &= awaitSettled(dump);
			}
			dump.write(this.directory, "ledger");
		}
		finally {
			this.processes.forEach(SampleProcess::close);
			Files.writeString(this.directory.resolve("cell.json"), JsonMapper.builder()
				.build()
				.writeValueAsString(Map.of("name", this.cell.name(), "point", this.cell.point().word(), "signal",
						this.cell.signal(), "database", this.cell.database().word(), "resolver", this.cell.resolver(),
						"gap", this.cell.isGap(), "invoices", INVOICES, "crashed", crashed, "settled", settled)));
		}
	}

	/**
	 * An answer is lost where the point is only passed after that.
	 */
	private boolean losesAnAnswer() {
		return switch (this.cell.point()) {
			case BEFORE_LOSE, AFTER_LOSE, BEFORE_ASK, AFTER_ASK, DURING_RESOLVER, BEFORE_RESOLVED, AFTER_RESOLVED ->
				true;
			default -> false;
		};
	}

	private boolean awaitSettled(LedgerDump dump) {
		try {
			Awaitility.await()
				.atMost(UNTIL_SETTLED)
				.pollInterval(Duration.ofMillis(250))
				.until(() -> dump.isSettled(INVOICES));
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

	private String database() throws Exception {
		if (this.cell.database() == Cell.Database.POSTGRESQL) {
			String name = this.cell.name().replace('-', '_');
			try (var connection = this.postgres.getPostgresDatabase().getConnection()) {
				connection.createStatement().execute("create database " + name);
			}
			return this.postgres.getJdbcUrl("postgres", name);
		}
		SampleProcess server = start("h2", "--spring.profiles.active=h2-server", "--h2-server.port=0",
				"--h2-server.directory=" + this.directory.resolve("h2"));
		String base = server.awaitLine("H2 ready at (\\S+),", UNTIL_READY);
		return base.replaceAll(";.*", "") + ";WRITE_DELAY=0";
	}

	private String user() {
		return (this.cell.database() == Cell.Database.POSTGRESQL) ? "postgres" : "sa";
	}

	private SampleProcess node(String name, String far, String url, String... more) throws IOException {
		List<String> arguments = new ArrayList<>(List.of(
				"--spring.profiles.active=crash"
						+ ((this.cell.database() == Cell.Database.POSTGRESQL) ? ",postgresql" : ""),
				"--spring.datasource.url=" + url, "--spring.datasource.username=" + user(),
				"--spring.datasource.password=", "--sample.far-side.url=" + far, "--sample.invoices=" + INVOICES));
		if (!this.cell.resolver()) {
			arguments.addAll(List.of("--sample.resolver=false", "--once.unobservable-effects=accept"));
		}
		arguments.addAll(this.cell.setting().arguments());
		arguments.addAll(List.of(more));
		return start(name, arguments.toArray(String[]::new));
	}

	private SampleProcess start(String name, String... arguments) throws IOException {
		SampleProcess process = SampleProcess.start(this.directory.resolve(name + ".log"), arguments);
		this.processes.add(process);
		return process;
	}

	private static void control(String far, String rule) throws IOException, InterruptedException {
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create(far + "/control"))
				.header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString(rule))
				.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() != 200) {
			throw new IllegalStateException("The far side refused a rule: " + response.body());
		}
	}

}
