package dev.once.jdbc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.CountDownLatch;
import java.util.logging.LogManager;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.CountingDataSource;
import dev.once.test.JavaProcess;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A node in a process of its own that sees to the tables of each database that it is
 * told: a line with the URL, the user, and a text before whose statement it stops for
 * ever, or nothing.
 */
final class SchemaNode {

	static final String IN_THE_MIDDLE = "in the middle";

	static final String COMPLETE = "complete";

	private SchemaNode() {
	}

	static JavaProcess start() {
		return JavaProcess.of(SchemaNode.class);
	}

	public static void main(String[] arguments) throws IOException {
		LogManager.getLogManager().reset();
		LoggingSystem.get(SchemaNode.class.getClassLoader()).setLogLevel("dev.once", LogLevel.WARN);
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
		System.out.println("ready");
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			String[] words = line.split(" ", 3);
			System.out.println(complete(words[0], words[1], words[2]));
		}
	}

	private static String complete(String url, String user, String stop) {
		try (HikariDataSource application = new HikariDataSource()) {
			application.setDataSource(
					new CountingDataSource(new DriverManagerDataSource(url, user, ""), (sent) -> stopAt(stop, sent)));
			try (LedgerConnections connections = LedgerConnections.of(application, 2)) {
				new SchemaInitializer(connections, OnceTables.defaults(), InitializeSchema.ALWAYS).initialize();
				new SchemaInitializer(connections, OnceTables.defaults(), InitializeSchema.VALIDATE).initialize();
				return COMPLETE;
			}
		}
		catch (RuntimeException ex) {
			return ex.toString().lines().findFirst().orElseThrow();
		}
	}

	private static void stopAt(String stop, String sent) {
		if (!stop.isEmpty() && sent.contains(stop)) {
			System.out.println(IN_THE_MIDDLE);
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
