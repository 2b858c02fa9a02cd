package dev.once.jdbc;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

import dev.once.test.JavaProcess;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nodes in processes of their own, which start at once on an empty database of H2's
 * server.
 */
class H2NodesTests {

	private static final int NODES = 3;

	private static final int ROUNDS = 5;

	private List<JavaProcess> nodes;

	private Server server;

	@BeforeEach
	void start(@TempDir Path directory) throws SQLException {
		this.server = Server
			.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toAbsolutePath().toString())
			.start();
		this.nodes = Stream.generate(SchemaNode::start).limit(NODES).toList();
		assertThat(this.nodes).allSatisfy((node) -> assertThat(node.line()).isEqualTo("ready"));
	}

	@AfterEach
	void stop() {
		this.nodes.forEach(JavaProcess::close);
		this.server.stop();
	}

	@Test
	void allNodesStartAndOneMakesTheTables() {
		for (int round = 0; round < ROUNDS; round++) {
			String line = "jdbc:h2:tcp://localhost:" + this.server.getPort() + "/./round" + round + " sa ";
			this.nodes.forEach((node) -> node.say(line));
			assertThat(this.nodes).allSatisfy((node) -> assertThat(node.line()).isEqualTo(SchemaNode.COMPLETE));
		}
	}

	@Test
	void aNodeThatIsKilledInTheMiddleHoldsNobodyUp() {
		String line = "jdbc:h2:tcp://localhost:" + this.server.getPort() + "/./killed sa ";
		JavaProcess killed = this.nodes.get(0);
		List<JavaProcess> waiting = this.nodes.subList(1, NODES);
		killed.say(line + "create table if not exists once_effect_ledger");
		assertThat(killed.line()).isEqualTo(SchemaNode.IN_THE_MIDDLE);
		waiting.forEach((node) -> node.say(line));
		killed.kill();
		assertThat(waiting).allSatisfy((node) -> assertThat(node.line()).isEqualTo(SchemaNode.COMPLETE));
	}

}
