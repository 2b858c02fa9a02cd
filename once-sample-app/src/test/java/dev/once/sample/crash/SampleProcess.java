package dev.once.sample.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.once.sample.SampleApplication;
import org.awaitility.Awaitility;

/**
 * A process of the sample, whose output goes to a file.
 */
final class SampleProcess implements AutoCloseable {

	private final Process process;

	private final Path log;

	private SampleProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	static SampleProcess start(Path log, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
						SampleApplication.class.getName()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
			.start();
		return new SampleProcess(process, log);
	}

	/**
	 * Waits until its output matches.
	 * @return the first group of the match, or the whole of it
	 */
	String awaitLine(String pattern, Duration patience) {
		Pattern line = Pattern.compile(pattern);
		Matcher[] found = new Matcher[1];
		Awaitility.await(this.log + " to say " + pattern)
			.atMost(patience)
			.pollInterval(Duration.ofMillis(50))
			.until(() -> {
				found[0] = line.matcher(Files.readString(this.log));
				return found[0].find();
			});
		return (found[0].groupCount() > 0) ? found[0].group(1) : found[0].group();
	}

	boolean hasSaid(String text) throws IOException {
		return Files.readString(this.log).contains(text);
	}

	void awaitDeath(Duration patience) {
		Awaitility.await(this.log + " to end").atMost(patience).until(() -> !this.process.isAlive());
	}

	/**
	 * Lets a stopped process go on.
	 */
	void resume() throws IOException, InterruptedException {
		new ProcessBuilder("kill", "-CONT", Long.toString(this.process.pid())).start().waitFor();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
		try {
			this.process.waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
