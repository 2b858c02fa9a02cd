package dev.once.sample.billing;

import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

class InvoicesOnPostgresTests {

	private static final LocalDate DAY = LocalDate.of(2026, 8, 1);

	private static EmbeddedPostgres postgres;

	@BeforeAll
	static void start() throws IOException {
		postgres = EmbeddedPostgres.start();
	}

	@AfterAll
	static void stop() throws IOException {
		postgres.close();
	}

	@Test
	void nodesThatStartAtOnceShareTableAndInvoices() {
		DataSource dataSource = postgres.getPostgresDatabase();
		ExecutorService nodes = Executors.newFixedThreadPool(8);
		try {
			List<CompletableFuture<Invoices>> started = IntStream.range(0, 8)
				.mapToObj((node) -> CompletableFuture.supplyAsync(startNode(dataSource), nodes))
				.toList();
			Invoices invoices = started.get(0).join();
			assertThat(started).allSatisfy((node) -> assertThat(node.join().due(DAY)).hasSize(20));
			assertThat(invoices.due(DAY)).extracting(Invoice::id).doesNotHaveDuplicates();
		}
		finally {
			nodes.shutdown();
		}
	}

	private static Supplier<Invoices> startNode(DataSource dataSource) {
		return () -> {
			new ResourceDatabasePopulator(new ClassPathResource("schema-postgresql.sql")).execute(dataSource);
			Invoices invoices = new Invoices(JdbcClient.create(dataSource),
					new TransactionTemplate(new JdbcTransactionManager(dataSource)));
			invoices.seed(20, DAY);
			return invoices;
		};
	}

}
