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

import com.sun.net.httpserver.HttpServer;
import dev.once.test.JavaProcess;
import dev.once.test.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * O6: two nodes in processes of their own, one of which dies or is stopped in the middle
 * of an occurrence.
 */
abstract class TakeOverCases {

	private static final Instant DUE = Instant.parse("2026-05-04T02:00:00Z");

	private static final Duration LEASE = Duration.ofSeconds(5);

	private static final int LOST = 30;

	private static final String STATE = "select state from once_occurrence where job_key = 'billing'";

	private static final String ATTEMPT = "select attempt from once_occurrence where job_key = 'billing'";

	private final Map<Integer, AtomicInteger> charges = new ConcurrentHashMap<>();

	private final CountDownLatch arrived = new CountDownLatch(1);

	private final CountDownLatch goOn = new CountDownLatch(1);

	private TestDatabase database;

	private HttpServer farSide;

	abstract TestDatabase newDatabase();

	@BeforeEach
	void listen() throws IOException {
		this.database = newDatabase();
		this.farSide = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
		this.farSide.setExecutor(Executors.newCachedThreadPool());
		this.farSide.createContext("/charges/", (exchange) -> {
			int item = Integer.parseInt(exchange.getRequestURI().getPath().substring("/charges/".length()));
			byte[] answer = new byte[0];
			if ("POST".equals(exchange.getRequestMethod())) {
				this.charges.computeIfAbsent(item, (key) -> new AtomicInteger()).incrementAndGet();
				if (item == LOST) {
					hang();
				}
			}
			else {
				answer = (this.charges.containsKey(item) ? "yes" : "no").getBytes(StandardCharsets.UTF_8);
			}
			exchange.sendResponseHeaders(200, (answer.length > 0) ? answer.length : -1);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		this.farSide.start();
	}

	private void hang() {
		this.arrived.countDown();
		try {
			this.goOn.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@AfterEach
	void close() {
		this.goOn.countDown();
		this.farSide.stop(0);
		this.database.close();
	}

	/** Case 28: killed in the middle of the list. */
	@Test
	void theOccurrenceOfAKilledNodeIsTakenOverAndEndsWithEachEffectOnce() throws InterruptedException {
		try (JavaProcess first = node(); JavaProcess second = node()) {
			first.say(DUE.toString());
			String body = first.lineWith(BillingNode.BODY);
			this.arrived.await();
			long killed = System.nanoTime();
			first.kill();
			String again = second.lineWith(BillingNode.BODY);
			assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(LEASE.plusSeconds(1));
			assertThat(again).isEqualTo(body.replaceFirst("\\d+$", "2"));
			await().atMost(Duration.ofMinutes(1)).until(() -> "finished".equals(state()));
			assertThat(this.database.jdbc().sql(ATTEMPT).query(Integer.class).single()).isEqualTo(2);
			assertThat(this.charges).hasSize(BillingNode.ITEMS)
				.allSatisfy((item, times) -> assertThat(times).hasValue(1));
		}
	}

	/** L3: a run that wakes after another one has taken over. */
	@Test
	void aStoppedNodeThatWakesStartsNothingMoreAndSaysOnceThatItIsFenced() throws InterruptedException {
		try (JavaProcess first = node(); JavaProcess second = node()) {
			first.say(DUE.toString());
			first.lineWith(BillingNode.BODY);
			this.arrived.await();
			first.pause();
			second.lineWith(BillingNode.BODY);
			await().atMost(Duration.ofMinutes(1)).until(() -> this.charges.size() == BillingNode.ITEMS);
			this.goOn.countDown();
			first.goOn();
			String fenced = first.lineWith("has been turned away");
			assertThat(fenced).contains("WARN").contains("once.fenced");
			await().atMost(Duration.ofMinutes(1)).until(() -> "finished".equals(state()));
			List<String> rest = first.kill();
			assertThat(rest).noneMatch((line) -> line.contains("once.fenced"));
			assertThat(this.charges).hasSize(BillingNode.ITEMS)
				.allSatisfy((item, times) -> assertThat(times).hasValue(1));
		}
	}

	private String state() {
		return this.database.jdbc().sql(STATE).query(String.class).single();
	}

	private JavaProcess node() {
		return BillingNode.start(this.database, URI.create("http://127.0.0.1:" + this.farSide.getAddress().getPort()));
	}

}
