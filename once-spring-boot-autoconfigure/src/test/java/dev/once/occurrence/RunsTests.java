package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import dev.once.DueTime;
import dev.once.EffectAbandonedException;
import dev.once.EffectInProgressException;
import dev.once.JobRun;
import dev.once.OnceScope;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.StoreException;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.EffectListener.Caller;
import dev.once.ledger.Ending;
import dev.once.ledger.ProtocolUnderTest;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.test.LedgerRows;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Runs of occurrences, where what tells the time and what fails is in the test's hand.
 */
@ExtendWith(OutputCaptureExtension.class)
class RunsTests {

	private static final String NAME = "2026-08-24T08:00[Europe/Zurich]";

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	private static final Duration LAPSED = Duration.ofSeconds(31);

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final Renewer renewer = new Renewer(List.of(), Duration.ofHours(1));

	private final UnreliableOccurrences occurrences = new UnreliableOccurrences(this.once.occurrences());

	private final Leases leases = this.once.leases("node-a");

	private static final JobListener NOBODY = new JobListener() {
	};

	private final Runs runs = new Runs(this.leases, this.occurrences, this.renewer, NOBODY, this.once.time());

	private final Runs others = new Runs(this.once.leases("node-b"), this.once.occurrences(), this.renewer, NOBODY,
			this.once.time());

	private final Instant now = this.once.clock().now();

	private final List<JobRun> bodies = new ArrayList<>();

	@AfterEach
	void close() {
		this.renewer.close();
		this.once.close();
	}

	@Test
	void aRunCarriesItsOccurrenceAndItsDueTime() throws Throwable {
		assertThat(fire(this.runs)).isEqualTo(new Firing.Ran("done", OccurrenceState.FINISHED, null));
		JobRun run = this.bodies.get(0);
		assertThat(run.occurrence()).isEqualTo(NAME);
		assertThat(run.due()).isEqualTo(due(this.now));
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
		assertThat(row().counts()).startsWith("{\"performed\":0,").endsWith("\"failed_items\":0}");
		assertThat(this.leases.live()).isEmpty();
	}

	/**
	 * O2: whoever is too late finds it done, whoever is at the same time finds it held.
	 */
	@Test
	void theSecondFiringOfAnOccurrenceIsTurnedAway() throws Throwable {
		Firing[] meanwhile = new Firing[1];
		this.runs.fire(call(this.now, new Again.No()), () -> {
			meanwhile[0] = elsewhere(() -> fire(this.others));
			return null;
		});
		assertThat(meanwhile[0]).isInstanceOf(Firing.Suppressed.class);
		assertThat(fire(this.others)).isEqualTo(new Firing.Known(row()));
		assertThat(this.bodies).isEmpty();
	}

	/** O2, L5: on the database's clock, with a second of tolerance. */
	@Test
	void aClaimThatComesEarlyWaitsUntilTheOccurrenceIsDue() throws Throwable {
		Instant due = this.now.plusSeconds(4);
		this.runs.fire(call(due, new Again.No()), this::body);
		assertThat(this.bodies).hasSize(1);
		assertThat(this.once.clock().now()).isBetween(due.minusSeconds(1), due);
	}

	/** L5: this node's clock is hours ahead of the database's. */
	@Test
	void workThatIsDueWhenItIsCalledWaitsForNobodysClock() throws Throwable {
		assertThat(this.once.time().now()).isAfter(this.now.plusSeconds(3600));
		this.runs.fire(new JobCall("export", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60), "c-17", null,
				new Again.No(), "[]", JobPolicy.OF_CALLERS), this::body);
		assertThat(this.once.clock().now()).isEqualTo(this.now);
		assertThat(this.bodies.get(0).due().at()).isEqualTo(this.now);
	}

	/** O2: work that is called ahead of its time waits for it, whatever it takes. */
	@Test
	void workWithArgumentsThatIsCalledAheadOfItsTimeWaitsForIt() throws Throwable {
		Instant due = this.now.plusSeconds(4);
		this.runs.fire(new JobCall("export", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60), "c-17",
				new DueTime(due, ZURICH, "c-17"), new Again.No(), "[]", JobPolicy.OF_CALLERS), this::body);
		assertThat(this.bodies.get(0).due().at()).isEqualTo(due);
		assertThat(this.once.clock().now()).isAfterOrEqualTo(due.minusSeconds(1));
	}

	/** E2: the answer to the claim's commit is lost, and it was committed. */
	@Test
	void aClaimWhoseAnswerIsLostIsReadBack() throws Throwable {
		this.occurrences.losesTheNextAnswer();
		assertThat(fire(this.runs)).isInstanceOf(Firing.Ran.class);
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
		assertThat(row().token()).isOne();
	}

	/** E2: it was not committed, and nothing runs that holds no lease. */
	@Test
	void aClaimThatFailedStartsNothing() {
		this.occurrences.failsTheNext();
		assertThatExceptionOfType(StoreException.class).isThrownBy(() -> fire(this.runs));
		assertThat(this.bodies).isEmpty();
	}

	/** E2: the answer to the end's commit is lost. */
	@Test
	void anEndWhoseAnswerIsLostIsNoFencedRun() throws Throwable {
		this.runs.fire(call(this.now, new Again.No()), () -> {
			this.occurrences.losesTheNextAnswer();
			return null;
		});
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
		assertThat(this.once.fencedLines()).isEmpty();
	}

	@Test
	void anEndThatFailsIsWrittenAgain() throws Throwable {
		this.runs.fire(call(this.now, new Again.No()), () -> {
			this.occurrences.failsTheNext();
			return null;
		});
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
	}

	/** L3: another run has taken over, and this one learns of it as it ends. */
	@Test
	void aRunThatWasTakenOverSaysOnceThatItIsFencedAndChangesNothing() throws Throwable {
		this.runs.fire(call(this.now, new Again.No()), () -> {
			this.once.time().advance(LAPSED);
			assertThat(elsewhere(() -> fire(this.others))).isInstanceOf(Firing.Ran.class);
			return null;
		});
		assertThat(this.once.fencedLines()).hasSize(1);
		assertThat(this.bodies.get(0).fencingToken()).isEqualTo(2);
		assertThat(row().token()).isEqualTo(2);
		assertThat(row().attempt()).isEqualTo(2);
	}

	/** O6: crashes count, and the last one leads to a person. */
	@Test
	void anOccurrenceWhoseAttemptsAreUsedUpByCrashesIsAbandoned() throws Throwable {
		for (int attempt = 1; attempt <= 3; attempt++) {
			die();
		}
		assertThat(fire(this.runs)).isInstanceOf(Firing.Known.class);
		assertThat(row().state()).isEqualTo(OccurrenceState.ABANDONED);
		assertThat(this.bodies).isEmpty();
	}

	/** O6: so do throws; in between it waits for as long as the job says. */
	@Test
	void aBodyThatThrowsLeavesItsOccurrenceOpenForTheNextAttempt() {
		assertThatIllegalStateException().isThrownBy(() -> throwing(new Again.No()));
		assertThat(row().state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row().attempt()).isEqualTo(2);
		assertThat(row().nextAttemptAt()).isEqualTo(this.once.clock().now().plusSeconds(60));
		assertThat(row().detail()).contains("IllegalStateException").doesNotContain("customer 4711");
		this.once.time().advance(Duration.ofSeconds(60));
		assertThatIllegalStateException().isThrownBy(() -> throwing(new Again.WhenDue()));
		this.once.time().advance(Duration.ofSeconds(60));
		assertThatIllegalStateException().isThrownBy(() -> throwing(new Again.WhenDue()));
		assertThat(row().state()).isEqualTo(OccurrenceState.ABANDONED);
	}

	/** O4: coming back for an effect that is open is no failed attempt. */
	@Test
	void aBodyThatPassesOnThatAnEffectIsOpenHasNotFailed() {
		EffectFacts facts = LedgerRows.facts("charge", "inv-1");
		assertThatExceptionOfType(EffectInProgressException.class)
			.isThrownBy(() -> this.runs.fire(call(this.now, new Again.No()), () -> {
				CurrentRun run = (CurrentRun) JobRun.current();
				run.meeting(facts).ended(facts, Ending.IN_PROGRESS, Duration.ofSeconds(10));
				throw new EffectInProgressException("charge/inv-1 is in flight", Duration.ofSeconds(10));
			}));
		assertThat(row().state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row().attempt()).isOne();
		assertThat(row().nextAttemptAt()).isEqualTo(this.once.clock().now().plusSeconds(10));
	}

	/** O4: neither is one that passes on why the effect is open. */
	@Test
	void aBodyThatPassesAnEffectsOwnFailureOnHasNotFailed() {
		EffectFacts facts = LedgerRows.facts("charge", "inv-1");
		IllegalStateException failure = new IllegalStateException("no answer");
		assertThatIllegalStateException().isThrownBy(() -> this.runs.fire(call(this.now, new Again.No()), () -> {
			CurrentRun run = (CurrentRun) JobRun.current();
			run.meeting(facts).ended(facts, Ending.UNKNOWN, null);
			run.passes(failure);
			throw new IllegalStateException(failure);
		}));
		assertThat(row().state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row().attempt()).isOne();
		assertThat(row().nextAttemptAt()).isNull();
	}

	/** O4: under the name and the zone of old, whatever the deployment says now. */
	@Test
	void anOccurrenceComesBackUnderItsOwnNameAndZone() throws Throwable {
		die();
		this.once.time().advance(LAPSED);
		JobCall renamed = new JobCall("nightly", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60),
				"2026-08-24", new DueTime(this.now, ZoneId.of("UTC"), null), new Again.No(), null,
				JobPolicy.OF_CALLERS);
		this.others.comeBack(row(), () -> {
			this.others.fire(renamed, this::body);
			this.others.fire(renamed, this::body);
		});
		assertThat(this.bodies).extracting(JobRun::occurrence).containsExactly(NAME, "2026-08-24");
		assertThat(this.bodies.get(0).due().zone()).isEqualTo(ZURICH);
		assertThat(row().attempt()).isEqualTo(2);
	}

	/** O4: a grain must not move to the next day with whoever calls again. */
	@Test
	void aCallerThatTakesOverGoesOnWithTheDueTimeOfTheFirstAttempt() throws Throwable {
		for (Again again : List.of(new Again.No(), new Again.WhenDue())) {
			die();
			this.others.fire(new JobCall("nightly", Duration.ofSeconds(30), "billing", 5, Duration.ofSeconds(60), NAME,
					null, again, null, JobPolicy.OF_CALLERS), this::body);
			assertThat(this.bodies.get(0).due()).isEqualTo(due(this.now));
			this.once.occurrences().clear();
		}
	}

	/** O4: the ladder's next attempt, which a caller makes. */
	@Test
	void aCallerThatComesBackGoesOnWithTheDueTimeOfTheFirstAttempt() throws Throwable {
		assertThatIllegalStateException().isThrownBy(() -> throwing(new Again.WhenDue()));
		this.once.time().advance(Duration.ofDays(1));
		this.runs.fire(call(this.now.plus(Duration.ofDays(1)), new Again.WhenDue()), this::body);
		assertThat(this.bodies.get(0).due()).isEqualTo(due(this.now));
	}

	/** O4: the caretaker read it, and then it was deleted. */
	@Test
	void anOccurrenceThatIsNoLongerThereDoesNotComeBackAsANewOne() throws Throwable {
		die();
		OccurrenceRow died = row();
		this.once.occurrences().clear();
		this.others.comeBack(died, () -> fire(this.others));
		assertThat(this.bodies).isEmpty();
		assertThat(this.once.occurrences().rows()).isEmpty();
	}

	/** O2: case 10's process that was started six hours early. */
	@Test
	void aLongWaitIsToldOfOnce(CapturedOutput output) throws Throwable {
		this.runs.fire(call(this.now.plusSeconds(600), new Again.No()), this::body);
		assertThat(this.bodies).hasSize(1);
		assertThat(output.getAll().lines().filter((line) -> line.contains("its thread waits until then"))).hasSize(1);
	}

	/** What the caretakers of several nodes do is no firing. */
	@Test
	void aRunThatComesBackElsewhereIsNoSuppressedFiring() throws Throwable {
		die();
		OccurrenceRow died = row();
		fire(this.runs);
		int suppressed = this.once.suppressed();
		this.others.comeBack(died, () -> fire(this.others));
		assertThat(this.once.suppressed()).isEqualTo(suppressed);
		fire(this.others);
		assertThat(this.once.suppressed()).isEqualTo(suppressed + 1);
	}

	/** O4: what another node has run meanwhile is not run again. */
	@Test
	void anOccurrenceThatChangedSinceItWasReadDoesNotComeBack() throws Throwable {
		die();
		this.once.time().advance(LAPSED);
		OccurrenceRow died = row();
		fire(this.runs);
		this.others.comeBack(died, () -> fire(this.others));
		assertThat(this.bodies).hasSize(1);
	}

	/** O4: nobody need come back to what a person has given up. */
	@Test
	void anEffectThatWasGivenUpIsNoFailedItem() throws Throwable {
		this.runs.fire(call(this.now, new Again.No()), () -> {
			JobRun.current().each(List.of("inv-1"), (item) -> {
				throw new EffectAbandonedException("Effect 'charge/inv-1' was abandoned");
			});
			return null;
		});
		assertThat(row().state()).isEqualTo(OccurrenceState.FINISHED);
	}

	@Test
	void aFirstRunIsNoRunAgain() throws Throwable {
		fire(this.runs);
		assertThat(((CurrentRun) this.bodies.get(0)).caller()).isEqualTo(Caller.ANYBODY);
	}

	/** O4: its repeats are a matter of course. */
	@Test
	void aRunThatTakesOverIsARunAgain() throws Throwable {
		die();
		fire(this.runs);
		assertThat(this.bodies).extracting((run) -> ((CurrentRun) run).caller()).containsExactly(Caller.RUN_AGAIN);
	}

	@Test
	void aStoppingContextStartsNothing() throws Throwable {
		this.runs.stop();
		assertThat(fire(this.runs)).isEqualTo(new Firing.Stopping());
		assertThat(this.once.occurrences().rows()).isEmpty();
	}

	/** L4: a deployment is no failed attempt. */
	@Test
	void aBodyThatThrowsWhileItsContextStopsIsRunAgainAtOnce() {
		assertThatIllegalStateException().isThrownBy(() -> this.runs.fire(call(this.now, new Again.No()), () -> {
			this.runs.stop();
			throw new IllegalStateException("customer 4711");
		}));
		assertThat(row().attempt()).isOne();
		assertThat(row().nextAttemptAt()).isEqualTo(this.once.clock().now());
	}

	private static Firing elsewhere(Callable<Firing> firing) throws Exception {
		try (OnceScope.Restore scope = new OnceScope(null, null, null).open()) {
			return firing.call();
		}
	}

	private void die() throws Throwable {
		this.once.time().advance(LAPSED);
		this.occurrences.losesEnds();
		fire(this.runs);
		this.bodies.clear();
		this.occurrences.losesNothing();
		this.once.time().advance(LAPSED);
	}

	private void throwing(Again again) throws Throwable {
		this.runs.fire(call(this.now, again), () -> {
			throw new IllegalStateException("customer 4711");
		});
	}

	private Firing fire(Runs runs) throws Exception {
		try {
			return runs.fire(call(this.now, new Again.No()), this::body);
		}
		catch (Exception | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private @Nullable Object body() {
		this.bodies.add(JobRun.current());
		return "done";
	}

	private OccurrenceRow row() {
		return this.once.occurrences().find("nightly", NAME).orElseThrow();
	}

	private static DueTime due(Instant at) {
		return new DueTime(at, ZURICH, NAME);
	}

	private static JobCall call(Instant due, Again again) {
		return new JobCall("nightly", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60), NAME, due(due),
				again, null, JobPolicy.OF_CALLERS);
	}

}
