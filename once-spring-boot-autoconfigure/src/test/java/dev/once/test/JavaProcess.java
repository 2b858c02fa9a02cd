package dev.once.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A class's {@code main} in a Java process of its own, with the test's class path, spoken
 * to in lines. Closing it kills it with SIGKILL.
 */
public final class JavaProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private JavaProcess(Process process) {
		this.process = process;
		this.output = process.inputReader();
	}

	/**
	 * Starts a process.
	 * @param main the class
	 * @param arguments what its main method is given
	 * @return the running process
	 */
	public static JavaProcess of(Class<?> main, String... arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command
			.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		try {
			return new JavaProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Sends a line to its standard input.
	 * @param line the line
	 */
	public void say(String line) {
		try {
			this.process.outputWriter().append(line).append('\n').flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Waits for the next line of its output.
	 * @return the line, null after the last one
	 */
	public String line() {
		try {
			return this.output.readLine();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Stops it where it is, with SIGSTOP.
	 */
	public void pause() {
		signal("STOP");
	}

	/**
	 * Lets it go on after {@link #pause()}.
	 */
	public void goOn() {
		signal("CONT");
	}

	private void signal(String signal) {
		try {
			new ProcessBuilder("kill", "-" + signal, Long.toString(this.process.pid())).start().waitFor();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Waits for a line of its output that contains a text, passing over others.
	 * @param text the text
	 * @return the line
	 */
	public String lineWith(String text) {
		List<String> passed = new ArrayList<>();
		for (String line = line(); line != null; line = line()) {
			if (line.contains(text)) {
				return line;
			}
			passed.add(line);
		}
		throw new IllegalStateException("It ended without '" + text + "': " + passed);
	}

	/**
	 * Kills it with SIGKILL, and waits until it has gone.
	 * @return the lines that it had written and nobody had read
	 */
	public List<String> kill() {
		// the process's own method would close what it has written and nobody has read
		this.process.toHandle().destroyForcibly();
		try {
			if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
				throw new IllegalStateException("Process " + this.process.pid() + " does not die");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		List<String> rest = new ArrayList<>();
		for (String line = line(); line != null; line = line()) {
			rest.add(line);
		}
		return rest;
	}

	@Override
	public void close() {
		kill();
	}

}
