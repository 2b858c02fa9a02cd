package dev.once.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.once.jdbc.PortsUnderTest.InMemoryPorts;
import dev.once.lease.LeaseRow;
import dev.once.ledger.Answer;
import dev.once.ledger.AttemptFacts;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectLedger;
import dev.once.ledger.EffectRow;
import dev.once.ledger.EffectState;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a ledger does with each move, wherever it keeps its rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EffectLedgerContractTests {

	private static final Duration WINDOW = Duration.ofSeconds(30);

	private static final Duration SETTLE_AFTER = Duration.ofMinutes(1);

	private PortsUnderTest ports;

	abstract PortsUnderTest open();

	@BeforeAll
	void openPorts() {
		this.ports = open();
	}

	@AfterAll
	void closePorts() {
		this.ports.close();
	}

	@BeforeEach
	void aJobWithALease() {
		this.ports.clear();
		this.ports.putLease(lease());
	}

	@Test
	void aSubmitInsertsTheRowAsSubmitted() {
		Instant before = this.ports.now();
		Move.Submit submit = submit("k1", "inv-1", "a1");
		assertThat(ledger().apply(submit)).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		EffectRow row = row("k1");
		assertThat(row.facts()).isEqualTo(submit.facts());
		assertThat(row.state()).isEqualTo(EffectState.SUBMITTED);
		AttemptFacts attempt = row.attempt();
		assertThat(attempt.number()).isOne();
		assertThat(attempt.id()).isEqualTo("a1");
		assertThat(attempt.fence()).isEqualTo(MoveCase.PRESENT);
		assertThat(attempt.submittedAt()).isEqualTo(row.firstSubmittedAt()).isBetween(before, row.readAt());
		assertThat(attempt.windowUntil()).isEqualTo(attempt.submittedAt().plus(WINDOW));
		assertThat(attempt.settleAfter()).isEqualTo(SETTLE_AFTER);
	}

	@Test
	void aSecondSubmitOfTheKeyMeetsTheFirst() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		EffectRow first = row("k1");
		Moved second = ledger().apply(submit("k1", "inv-1", "a2"));
		assertThat(aligned(second, first)).isEqualTo(new Moved.Met(first));
		assertThat(aligned(row("k1"), first)).isEqualTo(first);
	}

	@Test
	void ofTwoSubmitsOfAKeyInOneCallTheSecondMeetsTheFirst() {
		List<Moved> answers = ledger().apply(List.of(submit("k1", "inv-1", "a1"), submit("k1", "inv-1", "a2")));
		assertThat(answers.get(0)).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		assertThat(answers.get(1)).isInstanceOfSatisfying(Moved.Met.class,
				(met) -> assertThat(met.row().attempt().id()).isEqualTo("a1"));
	}

	@Test
	void revisionsOfAKeyAreRowsOfTheirOwn() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		EffectFacts facts = facts("k1", "inv-1");
		EffectFacts second = new EffectFacts("k1", 2, facts.action(), facts.target(), null, "d2", null, facts.label());
		assertThat(
				ledger().apply(new Move.Submit(second, "a2", null, WINDOW, SETTLE_AFTER, Move.Waiting.FOR_OPEN_FACTS)))
			.isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
		assertThat(ledger().find("k1", 2)).hasValueSatisfying((row) -> assertThat(row.facts()).isEqualTo(second));
	}

	@Test
	void aSubmitUnderAStaleTokenIsFencedAndInsertsNothing() {
		for (Fence fence : List.of(MoveCase.FENCED, MoveCase.NO_SUCH_JOB, new Fence("nightly", null, "run-8", 8))) {
			assertThat(ledger().apply(submit("k1", "inv-1", "a1", fence, Move.Waiting.FOR_NOTHING)))
				.isEqualTo(new Moved.Fenced());
		}
		assertThat(ledger().find("k1", 1)).isEmpty();
	}

	@Test
	void anotherKeyOfTheSameTargetIsAChangedFact() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		assertThat(ledger().apply(submit("k2", "inv-1", "a2"))).isEqualTo(new Moved.Submitted(Moved.Fact.CHANGED));
		assertThat(ledger().apply(submit("k3", "inv-2", "a3"))).isEqualTo(new Moved.Submitted(Moved.Fact.NEW));
	}

	@Test
	void aFactOfAnotherGrainOrActionIsNotChanged() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		EffectFacts weekly = new EffectFacts("k2", 1, "charge", "inv-1", "2026-W34", "d", null, "l");
		EffectFacts monthly = new EffectFacts("k3", 1, "charge", "inv-1", "2026-08", "d", null, "l");
		EffectFacts mail = new EffectFacts("k4", 1, "mail", "inv-1", null, "d", null, "l");
		EffectFacts otherWeekly = new EffectFacts("k5", 1, "charge", "inv-1", "2026-W34", "d2", null, "l");
		assertThat(List.of(weekly, monthly, mail, otherWeekly)
			.stream()
			.map((facts) -> ledger()
				.apply(new Move.Submit(facts, "a", null, WINDOW, SETTLE_AFTER, Move.Waiting.FOR_NOTHING)))
			.toList()).containsExactly(new Moved.Submitted(Moved.Fact.NEW), new Moved.Submitted(Moved.Fact.NEW),
					new Moved.Submitted(Moved.Fact.NEW), new Moved.Submitted(Moved.Fact.CHANGED));
	}

	@Test
	void aChangedFactWaitsForAnOpenOneAndNotForASettledOne() {
		Move.Submit changed = submit("k2", "inv-1", "a2", MoveCase.PRESENT, Move.Waiting.FOR_OPEN_FACTS);
		ledger().apply(submit("k1", "inv-1", "a1"));
		assertThat(ledger().apply(changed)).isInstanceOfSatisfying(Moved.Blocked.class,
				(blocked) -> assertThat(blocked.other().facts().key()).isEqualTo("k1"));
		ledger().apply(new Move.Lose("k1", 1, "a1", null));
		assertThat(ledger().apply(changed)).isInstanceOf(Moved.Blocked.class);
		assertThat(ledger().find("k2", 1)).isEmpty();
		ledger().apply(new Move.Settle("k1", 1, "a1", Answer.notKept()));
		assertThat(ledger().apply(changed)).isEqualTo(new Moved.Submitted(Moved.Fact.CHANGED));
	}

	@Test
	void aFencedSubmitIsToldSoBeforeItIsToldToWait() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		assertThat(ledger().apply(submit("k2", "inv-1", "a2", MoveCase.FENCED, Move.Waiting.FOR_OPEN_FACTS)))
			.isEqualTo(new Moved.Fenced());
	}

	@Test
	void anEffectOfAnotherActionWithTheSameTargetAndInputsIsFound() {
		EffectFacts charge = facts("k1", "inv-17");
		EffectFacts bill = new EffectFacts("k2", 1, "bill", charge.target(), null, charge.inputDigest(), "{}",
				"bill/inv-17");
		EffectFacts other = new EffectFacts("k3", 1, "bill", charge.target(), null, "other", "{}", "bill/inv-17");
		ledger().apply(submit("k1", "inv-17", "a1"));
		assertThat(ledger().twins(charge)).isEmpty();
		assertThat(ledger().twins(other)).isEmpty();
		assertThat(ledger().twins(bill)).containsExactly(new EffectLedger.Twin(charge.action(), charge.label()));
	}

	@Test
	void aMoveOfNoRowIsAbsent() {
		List<Move> moves = MoveCase.all(this.ports.now())
			.stream()
			.map(MoveCase::move)
			.filter((move) -> !(move instanceof Move.Submit))
			.limit(80)
			.toList();
		assertThat(ledger().apply(moves)).hasSize(80).containsOnly(new Moved.Absent());
	}

	@Test
	void theFirstSubmitIsRememberedThroughAllAttempts() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		Instant first = row("k1").firstSubmittedAt();
		ledger().apply(new Move.Release("k1", 1, "a1", null, "connect refused"));
		assertThat(ledger().apply(new Move.Resubmit("k1", 1, EffectState.CLAIMED, "a1", "a2", MoveCase.PRESENT, WINDOW,
				SETTLE_AFTER, null)))
			.isInstanceOfSatisfying(Moved.Applied.class, (applied) -> {
				assertThat(applied.row().firstSubmittedAt()).isEqualTo(first);
				assertThat(applied.row().attempt().number()).isEqualTo(2);
			});
	}

	@Test
	void answersComeInTheOrderAskedWhateverTheKinds() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		List<Moved> answers = ledger().apply(List.of(submit("k2", "inv-2", "b1"), submit("k3", "inv-3", "c1"),
				new Move.Settle("k1", 1, "a1", Answer.notKept()), submit("k1", "inv-1", "a2"),
				new Move.Lose("k2", 1, "b1", "lost"), new Move.Lose("k9", 1, "x", null),
				new Move.Settle("k2", 1, "b1", Answer.notKept()), submit("k4", "inv-2", "d1"),
				submit("k5", "inv-2", "e1", MoveCase.PRESENT, Move.Waiting.FOR_OPEN_FACTS)));
		assertThat(answers).extracting((moved) -> moved.getClass().getSimpleName())
			.containsExactly("Submitted", "Submitted", "Applied", "Met", "Applied", "Absent", "Applied", "Submitted",
					"Blocked");
		assertThat(answers.get(7)).isEqualTo(new Moved.Submitted(Moved.Fact.CHANGED));
	}

	@Test
	void eachOfManySubmitsIsAnsweredByItself() {
		ledger().apply(submit("k1", "inv-1", "a1"));
		ledger().apply(submit("k2", "inv-2", "b1"));
		ledger().apply(new Move.Settle("k2", 1, "b1", Answer.notKept()));
		EffectFacts weekly = new EffectFacts("k9", 1, "charge", "inv-1", "2026-W34", "d", null, "l");
		List<Moved> answers = ledger().apply(List.of(
				submit("k8", "inv-8", "x", MoveCase.NO_SUCH_JOB, Move.Waiting.FOR_NOTHING), submit("k2", "inv-2", "x"),
				submit("k7", "inv-1", "x", MoveCase.PRESENT, Move.Waiting.FOR_OPEN_FACTS),
				submit("k6", "inv-2", "x", MoveCase.PRESENT, Move.Waiting.FOR_OPEN_FACTS),
				submit("k5", "inv-5", "x", MoveCase.FENCED, Move.Waiting.FOR_NOTHING),
				submit("k4", "inv-4", "x", null, Move.Waiting.FOR_NOTHING), submit("k3", "inv-3", "x"),
				new Move.Submit(weekly, "x", MoveCase.PRESENT, WINDOW, SETTLE_AFTER, Move.Waiting.FOR_OPEN_FACTS)));
		assertThat(answers.get(0)).isEqualTo(new Moved.Fenced());
		assertThat(answers.get(1)).isEqualTo(new Moved.Met(aligned(row("k2"), rowOf(answers.get(1)).orElseThrow())));
		assertThat(answers.get(2)).isInstanceOfSatisfying(Moved.Blocked.class,
				(blocked) -> assertThat(blocked.other().facts().key()).isEqualTo("k1"));
		assertThat(answers.get(3)).isEqualTo(new Moved.Submitted(Moved.Fact.CHANGED));
		assertThat(answers.get(4)).isEqualTo(new Moved.Fenced());
		assertThat(answers.subList(5, 8)).containsOnly(new Moved.Submitted(Moved.Fact.NEW));
		assertThat(this.ports.effects().map((row) -> row.facts().key())).containsExactlyInAnyOrder("k1", "k2", "k3",
				"k4", "k6", "k9");
		assertThat(row("k3").attempt().fence()).isEqualTo(MoveCase.PRESENT);
		assertThat(row("k4").attempt().fence()).isNull();
		assertThat(row("k9").facts()).isEqualTo(weekly);
	}

	@Test
	void nothingToMoveIsNothingToAnswer() {
		assertThat(ledger().apply(List.of())).isEmpty();
		assertThat(ledger().extend(List.of())).isEmpty();
	}

	@Test
	void textsComeBackAsTheyWere() {
		String odd = "Zürich 'quoted' \"and\" \\ back\nslash 😀 \u2028 %s ? :key {effect}";
		EffectFacts facts = new EffectFacts("k1", 1, "charge", odd, null, "d", odd, odd);
		ledger().apply(new Move.Submit(facts, "a1", null, WINDOW, SETTLE_AFTER, Move.Waiting.FOR_NOTHING));
		ledger().apply(new Move.Lose("k1", 1, "a1", odd));
		assertThat(row("k1").detail()).isEqualTo(odd);
		ledger().apply(new Move.Happened("k1", 1, "a1", new Answer(odd, "text")));
		assertThat(row("k1").answer()).isEqualTo(new Answer(odd, "text"));
		assertThat(row("k1").facts()).isEqualTo(facts);
	}

	@Test
	void answersAndInputsOfAMegabyteAreKeptWhole() {
		String large = "x".repeat(1_048_576);
		EffectFacts facts = new EffectFacts("k1", 1, "charge", "inv-1", null, "d", large, "l");
		ledger().apply(new Move.Submit(facts, "a1", null, WINDOW, SETTLE_AFTER, Move.Waiting.FOR_NOTHING));
		ledger().apply(new Move.Settle("k1", 1, "a1", new Answer(large, "text")));
		EffectRow row = row("k1");
		assertThat(row.facts().inputs()).isEqualTo(large);
		assertThat(row.answer()).isEqualTo(new Answer(large, "text"));
	}

	@Test
	void aRowIsReadBackAsItIs() {
		assertThat(ledger().readBack("k1", 1)).isEmpty();
		ledger().apply(submit("k1", "inv-1", "a1"));
		EffectRow row = row("k1");
		assertThat(ledger().readBack("k1", 1).map((read) -> aligned(read, row))).contains(row);
	}

	@Test
	void whatIsDueIsReadOldestFirst() {
		InMemoryPorts meaning = PortsUnderTest.inMemory();
		List<EffectRow> rows = MoveCase.all(this.ports.now()).stream().map(MoveCase::row).toList();
		List<EffectRow> some = IntStream.range(0, rows.size()).filter((i) -> i % 23 == 0).mapToObj(rows::get).toList();
		this.ports.putEffects(some);
		meaning.putEffects(some);
		meaning.clock().set(this.ports.now());
		List<EffectRow> expected = meaning.ledger().due(1000);
		List<EffectRow> actual = ledger().due(1000);
		assertThat(actual).hasSameSizeAs(expected).hasSizeGreaterThan(50);
		for (int i = 0; i < actual.size(); i++) {
			assertThat(aligned(actual.get(i), expected.get(i))).isEqualTo(expected.get(i));
		}
		assertThat(ledger().due(3)).extracting(EffectRow::facts)
			.isEqualTo(expected.subList(0, 3).stream().map(EffectRow::facts).toList());
		EffectLedger.Standing standing = ledger().standing();
		EffectLedger.Standing meant = meaning.ledger().standing();
		assertThat(standing.open()).isEqualTo(meant.open());
		assertThat(standing.attention()).isEqualTo(meant.attention());
		assertThat(standing.oldestUnknown()).isCloseTo(meant.oldestUnknown(), Duration.ofSeconds(10));
	}

	@Test
	void anEmptyLedgerStandsAtNothing() {
		EffectLedger.Standing standing = ledger().standing();
		assertThat(standing.open()).isEmpty();
		assertThat(standing.attention()).isEmpty();
		assertThat(standing.oldestUnknown()).isNull();
	}

	@Test
	void everyMoveDoesToEveryRowWhatItMeans() {
		List<MoveCase> cases = MoveCase.all(this.ports.now());
		this.ports.putEffects(cases.stream().map(MoveCase::row).toList());
		compare(cases, cases.stream().map((tried) -> ledger().apply(tried.move())).toList());
	}

	@Test
	void manyMovesInOneCallDoToEveryRowWhatEachMeans() {
		List<MoveCase> cases = new ArrayList<>(MoveCase.all(this.ports.now()));
		cases.sort((a, b) -> a.move().getClass().getName().compareTo(b.move().getClass().getName()));
		this.ports.putEffects(cases.stream().map(MoveCase::row).toList());
		List<Moved> answers = new ArrayList<>();
		for (int from = 0; from < cases.size(); from += 100) {
			List<MoveCase> chunk = cases.subList(from, Math.min(from + 100, cases.size()));
			answers.addAll(ledger().apply(chunk.stream().map(MoveCase::move).toList()));
		}
		compare(cases, answers);
	}

	@Test
	void manyExtensionsInOneCallMeanWhatEachMeans() {
		List<MoveCase> cases = MoveCase.all(this.ports.now())
			.stream()
			.filter((tried) -> tried.move() instanceof Move.Extend)
			.toList();
		this.ports.putEffects(cases.stream().map(MoveCase::row).toList());
		compare(cases, ledger().extend(cases.stream().map((tried) -> (Move.Extend) tried.move()).toList()));
	}

	private void compare(List<MoveCase> cases, List<Moved> answers) {
		assertThat(answers).hasSameSizeAs(cases);
		Map<String, EffectRow> rows = this.ports.effects().collect(toMap((row) -> row.facts().key(), (row) -> row));
		LeaseRow lease = lease();
		SoftAssertions softly = new SoftAssertions();
		for (int i = 0; i < cases.size() && softly.assertionErrorsCollected().size() < 5; i++) {
			MoveCase tried = cases.get(i);
			InMemoryPorts meaning = PortsUnderTest.inMemory();
			meaning.putEffects(List.of(tried.row()));
			meaning.putLease(lease);
			meaning.clock().set(lease.readAt());
			Moved expected = meaning.ledger().apply(tried.move());
			EffectRow after = meaning.ledger().find(tried.move().key(), 1).orElseThrow();
			softly.assertThat(aligned(answers.get(i), rowOf(expected).orElse(after)))
				.as("%s of %s", tried.move(), tried.row())
				.isEqualTo(expected);
			softly.assertThat(aligned(rows.get(tried.move().key()), after))
				.as("row after %s of %s", tried.move(), tried.row())
				.isEqualTo(after);
		}
		softly.assertAll();
	}

	private static Optional<EffectRow> rowOf(Moved moved) {
		if (moved instanceof Moved.Applied applied) {
			return Optional.of(applied.row());
		}
		return (moved instanceof Moved.Met met) ? Optional.of(met.row()) : Optional.empty();
	}

	private static Moved aligned(Moved actual, EffectRow expected) {
		if (actual instanceof Moved.Applied applied) {
			return new Moved.Applied(aligned(applied.row(), expected));
		}
		return (actual instanceof Moved.Met met) ? new Moved.Met(aligned(met.row(), expected)) : actual;
	}

	/** The row with its times as expected, where they are but a while away. */
	private static EffectRow aligned(EffectRow actual, EffectRow expected) {
		AttemptFacts attempt = actual.attempt();
		AttemptFacts aligned = new AttemptFacts(attempt.number(), attempt.id(), attempt.fence(),
				aligned(attempt.submittedAt(), expected.attempt().submittedAt()),
				aligned(attempt.windowUntil(), expected.attempt().windowUntil()), attempt.settleAfter());
		return new EffectRow(actual.facts(), aligned, actual.state(), actual.outcome(), actual.attention(),
				actual.refusals(), aligned(actual.firstSubmittedAt(), expected.firstSubmittedAt()),
				aligned(actual.nextAttemptAt(), expected.nextAttemptAt()), actual.resolveTries(),
				aligned(actual.nextResolveAt(), expected.nextResolveAt()), actual.answer(), actual.detail(),
				aligned(actual.readAt(), expected.readAt()));
	}

	private static Instant aligned(Instant actual, Instant expected) {
		boolean close = actual != null && expected != null
				&& Duration.between(actual, expected).abs().compareTo(Duration.ofMinutes(5)) < 0;
		return close ? expected : actual;
	}

	private EffectLedger ledger() {
		return this.ports.ledger();
	}

	private EffectRow row(String key) {
		return ledger().find(key, 1).orElseThrow();
	}

	private LeaseRow lease() {
		Instant now = this.ports.now();
		return new LeaseRow("nightly", "context-1", "run-7", 7, now.plus(Duration.ofHours(1)), now, null, now);
	}

	private static Move.Submit submit(String key, String target, String attemptId) {
		return submit(key, target, attemptId, MoveCase.PRESENT, Move.Waiting.FOR_NOTHING);
	}

	private static Move.Submit submit(String key, String target, String attemptId, Fence fence, Move.Waiting waiting) {
		return new Move.Submit(facts(key, target), attemptId, fence, WINDOW, SETTLE_AFTER, waiting);
	}

	private static EffectFacts facts(String key, String target) {
		return new EffectFacts(key, 1, "charge", target, null, "d" + key, "{\"amount\":10}", "charge/" + target);
	}

}
