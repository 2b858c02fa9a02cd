package dev.once.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

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
 * Case 8, O5: a queue of rows, on nodes in processes of their own that are killed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class QueueCases {

	static final Duration PATIENCE = Duration.ofMinutes(1);

	/** The first customer of the full queue, whose export holds the others up. */
	private static final int HOLDING = 1000;

	private final List<JavaProcess> nodes = new ArrayList<>();

	private TestDatabase database;

	abstract TestDatabase newDatabase();

	/** How many nodes there are, 2 or more. */
	abstract int size();

	/** How many may wait. */
	abstract int depth();

	/**
	 * Is called when the queue is full and what holds it up has been let go.
	 */
	void whileTheyAreRun() {
	}

	@BeforeAll
	void start() {
		this.database = newDatabase();
		ExportNode.makeTables(this.database);
		for (int i = 0; i < size(); i++) {
			this.nodes.add(ExportNode.begin(this.database, depth()));
		}
		this.nodes.forEach(ExportNode::awaitReady);
	}

	@AfterAll
	void close() {
		this.nodes.forEach(JavaProcess::close);
		this.database.close();
	}

	/** As in the case; its seconds are waits for rows here. */
	@Test
	@Order(1)
	void whatWaitsSurvivesTheNodeThatIsKilledAndIsRunOnceEachInOrder() {
		hold(1);
		ask(0, 1, 1);
		awaitExported(1);
		ask(1, 2, 4);
		assertThat(this.nodes.get(1).lineWith(ExportNode.ASKED)).isEqualTo(ExportNode.ASKED + "0 0");
		assertThat(states(1, 4)).containsExactly("running", "queued", "queued", "queued");
		killAndStartAgain(0);
		letGo(1);
		awaitFinished(1, 4);
		assertThat(exported(1, 4)).containsExactly(1, 2, 3, 4);
		assertThat(effectStates(1, 4)).containsOnly("done performed", "done resolved");
		assertOneAtATime(2, 4);
		ExportNode.awaitReady(this.nodes.get(0));
	}

	@Test
	@Order(2)
	void whatExceedsTheQueuesDepthIsRefusedVisiblyAndNothingIsDropped() {
		int last = HOLDING + depth();
		hold(HOLDING);
		ask(0, HOLDING, HOLDING);
		awaitExported(HOLDING);
		ask(1, HOLDING + 1, last + 2);
		assertThat(this.nodes.get(1).lineWith(ExportNode.ASKED)).isEqualTo(ExportNode.ASKED + "2 2");
		assertThat(states(HOLDING + 1, last + 2)).hasSize(depth()).containsOnly("queued");
		letGo(HOLDING);
		whileTheyAreRun();
		awaitFinished(HOLDING, last);
		assertThat(exported(HOLDING, last)).containsExactlyInAnyOrderElementsOf(customers(HOLDING, last));
		assertThat(begun(HOLDING, last)).containsExactlyElementsOf(customers(HOLDING, last));
		assertThat(statesBeside("finished")).isEmpty();
		this.nodes.get(0).say(last + 1 + " " + (last + 2));
		awaitFinished(last + 1, last + 2);
		assertThat(exported(last + 1, last + 2)).containsExactly(last + 1, last + 2);
	}

	private void ask(int node, int first, int last) {
		this.nodes.get(node).say(first + " " + last);
	}

	private void hold(int customer) {
		this.database.jdbc().sql("insert into held (customer) values (?)").param(customer).update();
	}

	private void letGo(int customer) {
		this.database.jdbc().sql("delete from held where customer = ?").param(customer).update();
	}

	void killAndStartAgain(int node) {
		this.nodes.get(node).kill();
		this.nodes.set(node, ExportNode.begin(this.database, depth()));
	}

	private void awaitExported(int customer) {
		await().atMost(PATIENCE).until(() -> exported(customer, customer).size() == 1);
	}

	private void awaitFinished(int first, int last) {
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(states(first, last)).hasSize(last - first + 1).containsOnly("finished"));
	}

	private static List<Integer> customers(int first, int last) {
		return IntStream.rangeClosed(first, last).boxed().toList();
	}

	/** Customers as their exports reached the far side. */
	private List<Integer> exported(int first, int last) {
		return customersOf("exported", first, last);
	}

	/** Customers in the order in which their first bodies began. */
	private List<Integer> begun(int first, int last) {
		return customersOf("begun", first, last).stream().distinct().toList();
	}

	private List<Integer> customersOf(String table, int first, int last) {
		return this.database.jdbc()
			.sql("select customer from " + table + " where customer between ? and ? order by id")
			.params(first, last)
			.query(Integer.class)
			.list();
	}

	private List<String> states(int first, int last) {
		return occurrences("state", first, last);
	}

	/** What occurrences are, in the order in which they were asked for. */
	private List<String> occurrences(String what, int first, int last) {
		return this.database.jdbc()
			.sql("select " + what + " from once_occurrence where job_key = 'export' "
					+ "and cast(occurrence as integer) between ? and ? order by due_at")
			.params(first, last)
			.query(String.class)
			.list();
	}

	List<String> statesBeside(String state) {
		return this.database.jdbc()
			.sql("select state from once_occurrence where state <> ?")
			.param(state)
			.query(String.class)
			.list();
	}

	private List<String> effectStates(int first, int last) {
		return this.database.jdbc()
			.sql("select state || ' ' || outcome from once_effect_ledger where cast(target as integer) between ? and ?")
			.params(first, last)
			.query(String.class)
			.list();
	}

	private void assertOneAtATime(int first, int last) {
		List<Instant> begunAndEnded = this.database.jdbc()
			.sql("select started_at, finished_at from once_occurrence where job_key = 'export' "
					+ "and cast(occurrence as integer) between ? and ? order by started_at")
			.params(first, last)
			.query((rows, number) -> List.of(rows.getObject(1, OffsetDateTime.class).toInstant(),
					rows.getObject(2, OffsetDateTime.class).toInstant()))
			.list()
			.stream()
			.flatMap(List::stream)
			.toList();
		assertThat(begunAndEnded).isSorted();
	}

}
