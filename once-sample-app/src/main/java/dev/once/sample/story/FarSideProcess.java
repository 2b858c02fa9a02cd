package dev.once.sample.story;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The far side as a child process, which ends with this one.
 */
public final class FarSideProcess {

	private static final Pattern READY = Pattern.compile("Far side ready at (\\S+),");

	private final Process process;

	private final URI url;

	private final Path record;

	private FarSideProcess(Process process, URI url, Path record) {
		this.process = process;
		this.url = url;
		this.record = record;
	}

	/**
	 * Starts it on a free port from this process's own class path.
	 * @param main the class to run
	 * @param record file of its record
	 * @return the process, ready to answer
	 */
	public static FarSideProcess start(Class<?> main, Path record) {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m"));
		String classPath = System.getProperty("java.class.path");
		if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
			command.addAll(List.of("-jar", classPath));
		}
		else {
			command.addAll(List.of("-cp", classPath, main.getName()));
		}
		command.addAll(List.of("--spring.profiles.active=far-side", "--far-side.port=0", "--far-side.record=" + record,
				"--logging.level.root=warn", "--logging.level.dev.once.sample=info", "--logging.file.name="));
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
			return new FarSideProcess(process, awaitReady(process), record);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The far side's process could not be started", ex);
		}
	}

	private static URI awaitReady(Process process) throws IOException {
		BufferedReader output = process.inputReader();
		List<String> seen = new ArrayList<>();
		for (String line = output.readLine(); line != null; line = output.readLine()) {
			seen.add(line);
			Matcher ready = READY.matcher(line);
			if (ready.find()) {
				drain(output);
				return URI.create(ready.group(1));
			}
		}
		throw new IOException("The far side ended before it was ready: " + seen);
	}

	// A full pipe would stop the child
	private static void drain(BufferedReader output) {
		Thread thread = new Thread(() -> output.lines().forEach((line) -> {
		}), "far-side-output");
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Where it answers.
	 */
	public URI url() {
		return this.url;
	}

	long pid() {
		return this.process.pid();
	}

	Path record() {
		return this.record;
	}

}
