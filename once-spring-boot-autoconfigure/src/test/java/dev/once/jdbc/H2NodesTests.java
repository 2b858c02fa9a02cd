package dev.once.jdbc;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.LogManager;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.JavaProcess;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes in processes of their own, which start at once on an empty database of H2's
 * server.
 */
class H2NodesTests {

	private static final int NODES = 3;

	private static final int ROUNDS = 5;

	@Test
	void allNodesStartAndOneMakesTheTables(@TempDir Path directory) throws Exception {
		Server server = Server
			.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toAbsolutePath().toString())
			.start();
		List<JavaProcess> nodes = Stream.generate(() -> JavaProcess.of(Node.class)).limit(NODES).toList();
		try {
			nodes.forEach((node) -> assertThat(node.line()).isEqualTo("ready"));
			for (int round = 0; round < ROUNDS; round++) {
				String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/./round" + round;
				nodes.forEach((node) -> node.say(url));
				assertThat(nodes).allSatisfy((node) -> assertThat(node.line()).isEqualTo("complete"));
			}
		}
		finally {
			nodes.forEach(JavaProcess::close);
			server.stop();
		}
	}

	/**
	 * Sees to the tables of each database that it is told.
	 */
	static final class Node {

		private Node() {
		}

		public static void main(String[] arguments) throws Exception {
			LogManager.getLogManager().reset();
			LoggingSystem.get(Node.class.getClassLoader()).setLogLevel("dev.once", LogLevel.WARN);
			BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
			System.out.println("ready");
			for (String url = input.readLine(); url != null; url = input.readLine()) {
				System.out.println(start(url));
			}
		}

		private static String start(String url) {
			try (HikariDataSource application = new HikariDataSource()) {
				application.setJdbcUrl(url);
				application.setUsername("sa");
				application.setPassword("");
				try (LedgerConnections connections = LedgerConnections.of(application, 2)) {
					new SchemaInitializer(connections, OnceTables.defaults(), InitializeSchema.ALWAYS).initialize();
					new SchemaInitializer(connections, OnceTables.defaults(), InitializeSchema.VALIDATE).initialize();
					return "complete";
				}
			}
			catch (RuntimeException ex) {
				return ex.toString().lines().findFirst().orElseThrow();
			}
		}

	}

}
