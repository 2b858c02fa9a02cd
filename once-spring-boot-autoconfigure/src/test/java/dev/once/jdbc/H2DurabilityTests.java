package dev.once.jdbc;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariDataSource;
import dev.once.test.JavaProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the ledger has committed to a file of H2 outlives SIGKILL.
 */
class H2DurabilityTests {

	@Test
	void noCommittedRowIsLostToSigkill(@TempDir Path directory) {
		String url = "jdbc:h2:file:" + directory.resolve("ledger");
		List<String> committed = new ArrayList<>();
		try (JavaProcess writer = JavaProcess.of(Writer.class, url)) {
			for (int i = 0; i < 300; i++) {
				committed.add(writer.line());
			}
			committed.addAll(writer.kill());
		}
		assertThat(committed).doesNotContainNull().allMatch((line) -> line.startsWith("committed "));
		try (HikariDataSource application = application(url)) {
			List<String> rows = JdbcClient.create(application)
				.sql("select 'committed ' || id from seen")
				.query(String.class)
				.list();
			assertThat(rows).containsAll(committed);
		}
	}

	private static HikariDataSource application(String url) {
		HikariDataSource application = new HikariDataSource();
		application.setJdbcUrl(url);
		application.setUsername("sa");
		application.setPassword("");
		return application;
	}

	/**
	 * Commits one row after the other and says so, until it is killed.
	 */
	static final class Writer {

		private Writer() {
		}

		public static void main(String[] arguments) throws Exception {
			try (HikariDataSource application = application(arguments[0]);
					LedgerConnections connections = LedgerConnections.of(application, 2)) {
				connections
					.withConnection(LedgerConnectionsContract.update("create table seen (id integer primary key)"));
				for (int id = 0;; id++) {
					connections.withConnection(LedgerConnectionsContract.insert(id));
					System.out.println("committed " + id);
				}
			}
		}

	}

}
