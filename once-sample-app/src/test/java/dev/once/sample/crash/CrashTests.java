package dev.once.sample.crash;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.Test;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills and stops nodes at every named point and asks the far side's record what came of
 * it. {@code -P crash} runs the whole table, an ordinary build eight cells of it.
 */
class CrashTests {

	private static final Path DIRECTORY = Path.of("target", "crash").toAbsolutePath();

	/**
	 * Case 28: killed in the middle of the list, with a resolver and without. Case 22 and
	 * 19: also beside a pool of one connection, and inside the caller's transaction.
	 */
	@Test
	void noCrashRepeatsOrLosesAnEffect() throws Exception {
		List<Cell> cells = cells();
		FileSystemUtils.deleteRecursively(DIRECTORY);
		Files.createDirectories(DIRECTORY);
		ExecutorService hands = Executors.newFixedThreadPool(Integer.getInteger("crash.parallel", 2));
		try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
			.setServerConfig("fsync", "on")
			.setServerConfig("synchronous_commit", "on")
			.setServerConfig("full_page_writes", "on")
			.setServerConfig("max_connections", "200")
			.start()) {
			List<Future<?>> runs = new ArrayList<>();
			for (Cell cell : cells) {
				runs.add(hands.submit(() -> run(cell, postgres)));
			}
			for (Future<?> run : runs) {
				run.get();
			}
		}
		finally {
			hands.shutdownNow();
		}
		CrashReport report = CrashReport.of(DIRECTORY);
		System.out.println(report.table());
		report.write(DIRECTORY);
		assertThat(report.verdicts()).hasSameSizeAs(cells);
		assertThat(report.wrong()).isEmpty();
	}

	private static List<Cell> cells() {
		List<Cell> cells = "all".equals(System.getProperty("crash.cells", "few")) ? Cell.all() : Cell.few();
		Pattern only = Pattern.compile(System.getProperty("crash.only", ""));
		return cells.stream().filter((cell) -> only.matcher(cell.name()).find()).toList();
	}

	private static void run(Cell cell, EmbeddedPostgres postgres) {
		try {
			new CellRun(cell, DIRECTORY, postgres).run();
		}
		catch (Exception ex) {
			// The report shows a cell that did not come to its end
			System.out.println("Cell " + cell.name() + " ended early: " + ex);
		}
	}

}
