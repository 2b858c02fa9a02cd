package dev.once.autoconfigure;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.sun.net.httpserver.HttpServer;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Five nodes in processes of their own, which fire, are stopped and are killed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class FiveNodesCases {

	static final int NODES = 5;

	private static final Duration LEASE = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	/** The customer whose charge arrives and is not answered, where a test says so. */
	private static final String HANGING = "/30";

	private final Map<String, AtomicInteger> charges = new ConcurrentHashMap<>();

	private volatile Hang hang = Hang.open();

	private TestDatabase database;

	private HttpServer farSide;

	private List<JavaProcess> nodes;

	abstract TestDatabase newDatabase();

	@BeforeAll
	void start() throws IOException {
		this.database = newDatabase();
		this.farSide = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		this.farSide.setExecutor(Executors.newCachedThreadPool());
		this.farSide.createContext("/charges/", (exchange) -> {
			String charge = exchange.getRequestURI().getPath();
			byte[] answer = new byte[0];
			if ("POST".equals(exchange.getRequestMethod())) {
				this.charges.computeIfAbsent(charge, (key) -> new AtomicInteger()).incrementAndGet();
				if (charge.endsWith(HANGING)) {
					this.hang.arriveAndWait();
				}
			}
			else {
				answer = (this.charges.containsKey(charge) ? "yes" : "no").getBytes(StandardCharsets.UTF_8);
			}
			exchange.sendResponseHeaders(200, (answer.length > 0) ? answer.length : -1);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		this.farSide.start();
		URI uri = URI.create("http://127.0.0.1:" + this.farSide.getAddress().getPort());
		this.nodes = IntStream.range(0, NODES).mapToObj((node) -> BillingNode.begin(this.database, uri)).toList();
		this.nodes.forEach(BillingNode::awaitReady);
	}

	@AfterAll
	void close() {
		this.hang.goOn().countDown();
		this.nodes.forEach(JavaProcess::close);
		this.farSide.stop(0);
		this.database.close();
	}

	List<JavaProcess> nodes() {
		return this.nodes;
	}

	int finished(String job) {
		return this.database.jdbc()
			.sql("select count(*) from once_occurrence where job_key = ? and state = 'finished'")
			.param(job)
			.query(Integer.class)
			.single();
	}

	/**
	 * Case 1: every replica runs the nightly job; one of them comes when the work is done
	 * and no lease is held any more.
	 */
	@Test
	@Order(1)
	void everyNodeFiresAndEachCustomerIsChargedOnce() {
		List<JavaProcess> punctual = this.nodes.subList(0, NODES - 1);
		JavaProcess late = this.nodes.get(NODES - 1);
		punctual.forEach((node) -> node.say("2026-05-04T02:00:00Z"));
		int suppressed = punctual.stream().mapToInt(FiveNodesCases::suppressed).sum();
		late.say("2026-05-04T02:00:00Z");
		assertThat(suppressed + suppressed(late)).isEqualTo(NODES - 1);
		assertChargedOnce("2026-05-04");
		assertThat(this.database.jdbc()
			.sql("select occurrence || ' ' || state from once_occurrence where job_key = 'billing'")
			.query(String.class)
			.list()).containsExactly("2026-05-04 finished");
	}

	private static int suppressed(JavaProcess node) {
		return Integer.parseInt(node.lineWith(BillingNode.FIRED).substring(BillingNode.FIRED.length()));
	}

	/** L3, O6: a run that wakes after another node has taken over. */
	@Test
	@Order(2)
	void aStoppedNodeThatWakesStartsNothingMoreAndSaysOnceThatItIsFenced() throws InterruptedException {
		JavaProcess stopped = this.nodes.get(0);
		this.hang = Hang.closed();
		stopped.say("2026-05-05T02:00:00Z");
		stopped.lineWith(BillingNode.BODY);
		this.hang.arrived().await();
		stopped.pause();
		await().atMost(PATIENCE).until(() -> charged("2026-05-05") == BillingNode.ITEMS);
		this.hang.goOn().countDown();
		stopped.goOn();
		assertThat(stopped.lineWith("has been turned away")).contains("WARN").contains("once.fenced");
		awaitFinished("2026-05-05");
		assertThat(stopped.kill()).noneMatch((line) -> line.contains("once.fenced"));
		assertChargedOnce("2026-05-05");
	}

	/** Case 28, O6: killed in the middle of the list. */
	@Test
	@Order(3)
	void theOccurrenceOfAKilledNodeIsTakenOverAndEndsWithEachEffectOnce() throws InterruptedException {
		JavaProcess killed = this.nodes.get(1);
		this.hang = Hang.closed();
		killed.say("2026-05-06T02:00:00Z");
		killed.lineWith(BillingNode.BODY);
		this.hang.arrived().await();
		long at = System.nanoTime();
		killed.kill();
		await().atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> row("2026-05-06", "attempt").equals("2"));
		assertThat(Duration.ofNanos(System.nanoTime() - at)).isLessThan(LEASE.plusSeconds(1));
		awaitFinished("2026-05-06");
		assertChargedOnce("2026-05-06");
	}

	private void assertChargedOnce(String day) {
		assertThat(charged(day)).isEqualTo(BillingNode.ITEMS);
		assertThat(this.charges).allSatisfy((charge, times) -> assertThat(times).as(charge).hasValue(1));
	}

	private long charged(String day) {
		return this.charges.keySet().stream().filter((charge) -> charge.contains(day)).count();
	}

	private void awaitFinished(String occurrence) {
		await().atMost(PATIENCE).until(() -> row(occurrence, "state").equals("finished"));
	}

	private String row(String occurrence, String column) {
		return String.valueOf(this.database.jdbc()
			.sql("select " + column + " from once_occurrence where job_key = 'billing' and occurrence = :occurrence")
			.param("occurrence", occurrence)
			.query()
			.singleValue());
	}

	/**
	 * Where a charge that has arrived is held.
	 *
	 * @param arrived counted down when it has arrived
	 * @param goOn to be counted down for its answer
	 */
	private record Hang(CountDownLatch arrived, CountDownLatch goOn) {

		static Hang open() {
			return new Hang(new CountDownLatch(0), new CountDownLatch(0));
		}

		static Hang closed() {
			return new Hang(new CountDownLatch(1), new CountDownLatch(1));
		}

		void arriveAndWait() {
			this.arrived.countDown();
			try {
				this.goOn.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
