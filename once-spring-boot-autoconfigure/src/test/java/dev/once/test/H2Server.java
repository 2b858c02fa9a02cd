package dev.once.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

import org.h2.tools.Server;

import org.springframework.util.FileSystemUtils;

/**
 * An H2 server with its databases in files.
 */
public final class H2Server implements TroubledServer {

	private final Path directory;

	private Server server;

	/**
	 * Starts a server in a directory of its own.
	 */
	public H2Server() {
		try {
			this.directory = Files.createTempDirectory("h2-server");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.server = serving("0");
	}

	private Server serving(String port) {
		try {
			return Server
				.createTcpServer("-tcpPort", port, "-ifNotExists", "-baseDir",
						this.directory.toAbsolutePath().toString())
				.start();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public TestDatabase newDatabase() {
		return new TestDatabase(
				"jdbc:h2:tcp://localhost:" + this.server.getPort() + "/./once_" + System.nanoTime() + ";WRITE_DELAY=0",
				"sa", "", "schema-h2.sql");
	}

	@Override
	public void stop() {
		this.server.stop();
	}

	@Override
	public void start() {
		this.server = serving(Integer.toString(this.server.getPort()));
	}

	@Override
	public void close() {
		this.server.stop();
		FileSystemUtils.deleteRecursively(this.directory.toFile());
	}

}
