package dev.once.occurrence;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.once.DueTime;
import dev.once.Grain;
import dev.once.OnMissed;
import dev.once.OnceScope;
import dev.once.Overlap;
import dev.once.lease.LeaseListener;
import dev.once.lease.LeaseStore.Registration;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.ledger.ProtocolUnderTest;
import dev.once.occurrence.OccurrenceStore.Again;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * O5: what becomes of what cannot run when it is due, where time is in the test's hand.
 */
@ExtendWith(OutputCaptureExtension.class)
class OverlapsTests {

	private static final ZoneId UTC = ZoneId.of("UTC");

	private static final Schedule HOURLY = new Schedule.Cron("0 0 * * * *", UTC);

	private static final Timetable TIMETABLE = Timetable.of(List.of(HOURLY), UTC, Grain.OCCURRENCE).orElseThrow();

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final Renewer renewer = new Renewer(List.of(), Duration.ofHours(1));

	private final Told told = new Told();

	private final Leases leases = this.once.leases("node-a");

	private final Runs runs = new Runs(this.leases, this.once.occurrences(), this.renewer, this.told, this.once.time());

	private final Runs others = new Runs(this.once.leases("node-b"), this.once.occurrences(), this.renewer, this.told,
			this.once.time());

	private Instant hour;

	@BeforeEach
	void theHourBegins() {
		Instant now = this.once.clock().now();
		this.hour = TIMETABLE.next(now).orElseThrow().dueAt();
		register();
		this.once.time().advance(Duration.between(now, this.hour));
	}

	@AfterEach
	void close() {
		this.renewer.close();
		this.once.close();
	}

	@Test
	void underCoalesceAFiringDuringARunIsDroppedAndCounted() throws Throwable {
		int before = this.once.suppressed();
		during(Overlap.COALESCE,
				() -> assertThat(fire(this.others, Overlap.COALESCE, 1)).isInstanceOf(Firing.Suppressed.class));
		assertThat(states()).containsExactly(tuple(name(0), OccurrenceState.FINISHED));
		assertThat(this.once.suppressed()).isEqualTo(before + 2);
		assertThat(this.told.refused).isZero();
	}

	@Test
	void underQueueItWaitsAndRunsUnderItsOwnName() throws Throwable {
		during(Overlap.QUEUE, () -> {
			assertThat(fire(this.others, Overlap.QUEUE, 1)).isInstanceOf(Firing.Queued.class);
			assertThat(fire(this.others, Overlap.QUEUE, 1)).isInstanceOf(Firing.Queued.class);
		});
		assertThat(this.told.mayRun).isPositive();
		OccurrenceRow waiting = row(1);
		assertThat(waiting.state()).isEqualTo(OccurrenceState.QUEUED);
		List<String> ran = new ArrayList<>();
		this.others.comeBack(waiting, () -> this.others.fire(call(Overlap.QUEUE, 5), () -> {
			ran.add(OnceScope.current().run().occurrence());
			return null;
		}));
		assertThat(ran).containsExactly(name(1));
		assertThat(row(1).state()).isEqualTo(OccurrenceState.FINISHED);
	}

	@Test
	void underFailItIsRefusedOnceWithJobOccurrenceAndHolder(CapturedOutput output) throws Throwable {
		during(Overlap.FAIL, () -> {
			assertThat(fire(this.others, Overlap.FAIL, 1)).isInstanceOf(Firing.Refused.class);
			// Another node's firing of the same due time
			assertThat(fire(this.others, Overlap.FAIL, 1)).isInstanceOf(Firing.Known.class);
		});
		assertThat(this.told.refused).isOne();
		assertThat(row(1).state()).isEqualTo(OccurrenceState.REFUSED);
		assertThat(output).containsOnlyOnce("is refused")
			.containsPattern(
					"ERROR.*Occurrence '" + name(1) + "' of job 'nightly' is refused: run .* of node node-a holds");
		assertThat(fire(this.others, Overlap.FAIL, 1)).isInstanceOf(Firing.Known.class);
		assertThat(row(1).state()).isEqualTo(OccurrenceState.REFUSED);
	}

	/** Spring's scheduler does not fire while its own body runs. */
	@ParameterizedTest
	@EnumSource(Overlap.class)
	void whatFellDueDuringARunAndWasNotFiredIsFoundAtItsEnd(Overlap overlap) throws Throwable {
		int before = this.once.suppressed();
		during(overlap, () -> {
			this.once.time().advance(Duration.ofHours(1));
			this.leases.renewDue();
			this.once.time().advance(Duration.ofHours(1));
		});
		switch (overlap) {
			case COALESCE -> {
				assertThat(states()).containsExactly(tuple(name(0), OccurrenceState.FINISHED));
				assertThat(this.once.suppressed()).isEqualTo(before + 3);
			}
			case QUEUE -> assertThat(states()).containsExactly(tuple(name(0), OccurrenceState.FINISHED),
					tuple(name(1), OccurrenceState.QUEUED), tuple(name(2), OccurrenceState.QUEUED),
					tuple(name(3), OccurrenceState.REFUSED));
			case FAIL -> {
				assertThat(states()).containsExactly(tuple(name(0), OccurrenceState.FINISHED),
						tuple(name(1), OccurrenceState.REFUSED), tuple(name(2), OccurrenceState.REFUSED),
						tuple(name(3), OccurrenceState.REFUSED));
				assertThat(this.told.refused).isEqualTo(3);
			}
		}
		assertThat(this.told.queueFull).isEqualTo((overlap == Overlap.QUEUE) ? 1 : 0);
		assertThat(this.told.missed).isZero();
	}

	@Test
	void aFullQueueRefusesADueTimeForGoodAndWhatArgumentsNameUntilItIsAskedAgain(CapturedOutput output)
			throws Throwable {
		during(Overlap.QUEUE, () -> {
			this.once.time().advance(Duration.ofMinutes(110));
			this.leases.renewDue();
			this.once.time().advance(Duration.ofMinutes(20));
			fire(this.others, Overlap.QUEUE, 1);
			fire(this.others, Overlap.QUEUE, 2);
			assertThat(fire(this.others, Overlap.QUEUE, 3)).isInstanceOf(Firing.Refused.class);
			assertThat(ask("c-17")).isInstanceOf(Firing.Refused.class);
		});
		assertThat(this.told.queueFull).isEqualTo(2);
		assertThat(output).contains("as many as its queueDepth holds");
		assertThat(row(3).state()).isEqualTo(OccurrenceState.REFUSED);
		assertThat(this.once.occurrences().find("nightly", "c-17")).isEmpty();
	}

	@Test
	void aNewOneGoesBehindWhatWaits() throws Throwable {
		during(Overlap.QUEUE, () -> fire(this.others, Overlap.QUEUE, 1));
		assertThat(ask("c-17")).isInstanceOf(Firing.Queued.class);
		assertThat(this.once.occurrences().comingBack(List.of("nightly"), 10)).extracting(OccurrenceRow::occurrence)
			.containsExactly(name(1), "c-17");
	}

	@ParameterizedTest
	@EnumSource(OnMissed.class)
	void whatFellDueWhileNoRunWasLiveIsFoundByTheNextFiring(OnMissed onMissed, CapturedOutput output) throws Throwable {
		fire(this.runs, Overlap.COALESCE, 0);
		this.once.time().advance(Duration.ofHours(4));
		this.runs.fire(call(Overlap.COALESCE, onMissed, 4), () -> null);
		assertThat(this.told.missed).isEqualTo(3);
		assertThat(output).containsOnlyOnce("was not run 3 times").contains("onMissed = " + onMissed);
		assertThat(states()).extracting((tuple) -> tuple.toList().get(1))
			.containsExactly(OccurrenceState.FINISHED,
					(onMissed == OnMissed.RUN_ALL) ? OccurrenceState.QUEUED : OccurrenceState.MISSED,
					(onMissed == OnMissed.RUN_ALL) ? OccurrenceState.QUEUED : OccurrenceState.MISSED,
					(onMissed == OnMissed.RUN_LATEST) ? OccurrenceState.QUEUED : OccurrenceState.MISSED,
					OccurrenceState.FINISHED);
		this.once.time().advance(Duration.ofHours(1));
		this.runs.fire(call(Overlap.COALESCE, onMissed, 5), () -> null);
		assertThat(this.told.missed).isEqualTo(3);
	}

	/** An outage with more due times than one look takes. */
	@Test
	void ofTensOfThousandsTheLatestIsRun() {
		Timetable everySecond = Timetable.of(List.of(new Schedule.Cron("* * * * * *", UTC)), UTC, Grain.OCCURRENCE)
			.orElseThrow();
		for (int more : new int[] { 0, 2, 5, 9 }) {
			this.once.occurrences().clear();
			this.told.missed = 0;
			Instant now = this.once.clock().now();
			this.once.leaseStore().lookedUntil("nightly", now.minusSeconds(20_000 + more));
			this.runs.look("nightly", new JobPolicy(Overlap.COALESCE, 2, OnMissed.RUN_LATEST, everySecond, null));
			assertThat(this.told.missed).isEqualTo(20_000 + more - 5);
			assertThat(this.once.occurrences().comingBack(List.of("nightly"), 10)).extracting(OccurrenceRow::dueAt)
				.containsExactly(now.minusSeconds(5));
			assertThat(this.once.occurrences().rows()).hasSizeLessThanOrEqualTo(301);
		}
	}

	@Test
	void itIsFoundAtStart() {
		this.once.time().advance(Duration.ofHours(2));
		this.runs.look("nightly", policy(Overlap.COALESCE, OnMissed.REPORT));
		assertThat(states()).containsExactly(tuple(name(0), OccurrenceState.MISSED),
				tuple(name(1), OccurrenceState.MISSED));
		assertThat(this.told.missed).isEqualTo(2);
	}

	/**
	 * A timer may be late: the firing goes on, and what may still come is left for later.
	 */
	@Test
	void whatATimerMayStillFireIsNotMissed() throws Throwable {
		JobPolicy everySecond = new JobPolicy(Overlap.COALESCE, 2, OnMissed.REPORT,
				Timetable.of(List.of(new Schedule.Cron("* * * * * *", UTC)), UTC, Grain.OCCURRENCE).orElseThrow(),
				null);
		this.once.leaseStore().lookedUntil("nightly", this.hour.minusSeconds(1));
		fire(everySecond, 0);
		this.once.time().advance(Duration.ofSeconds(3));
		assertThat(fire(everySecond, 3)).isInstanceOf(Firing.Ran.class);
		assertThat(this.told.missed).isZero();
		assertThat(fire(everySecond, 2)).isInstanceOf(Firing.Ran.class);
		this.once.time().advance(Duration.ofSeconds(7));
		assertThat(fire(everySecond, 10)).isInstanceOf(Firing.Ran.class);
		assertThat(this.told.missed).isPositive();
		assertThat(this.once.occurrences().find("nightly", this.hour.plusSeconds(1).toString())).get()
			.extracting(OccurrenceRow::state)
			.isEqualTo(OccurrenceState.MISSED);
	}

	@Test
	void aFiringThatWasTakenForMissedIsRunWhenItComesAfterAll() throws Throwable {
		this.once.time().advance(Duration.ofMinutes(1));
		this.runs.look("nightly", policy(Overlap.COALESCE, OnMissed.REPORT));
		assertThat(row(0).state()).isEqualTo(OccurrenceState.MISSED);
		assertThat(fire(this.runs, Overlap.COALESCE, 0)).isInstanceOf(Firing.Ran.class);
		assertThat(row(0).state()).isEqualTo(OccurrenceState.FINISHED);
	}

	@Test
	void aCallWithoutANameIsDroppedOnlyUnderCoalesce() throws Throwable {
		during(Overlap.COALESCE, () -> {
			assertThat(unnamed(Overlap.COALESCE)).isInstanceOf(Firing.Suppressed.class);
			assertThat(unnamed(Overlap.FAIL)).isInstanceOf(Firing.Refused.class);
			assertThat(unnamed(Overlap.QUEUE)).isInstanceOfSatisfying(Firing.Refused.class,
					(refused) -> assertThat(refused.why()).contains("no name").contains("OnceOperations.at"));
		});
	}

	/** L4: a fixed lease is not renewed, and one with maxRun up to that. */
	@Test
	void aLeaseIsRenewedForAsLongAsThePolicySays(CapturedOutput output) throws Throwable {
		Duration lease = Duration.ofSeconds(30);
		for (Duration renewedFor : new Duration[] { null, Duration.ZERO, Duration.ofSeconds(80) }) {
			JobPolicy policy = new JobPolicy(Overlap.COALESCE, 2, OnMissed.REPORT, null, renewedFor);
			Instant begin = this.once.clock().now();
			this.runs.fire(call(policy, "a-" + renewedFor), () -> {
				for (int i = 0; i < 12; i++) {
					this.once.time().advance(Duration.ofSeconds(10));
					this.leases.renewDue();
				}
				Duration held = Duration.between(begin, leaseUntil());
				if (renewedFor == null) {
					assertThat(held).isGreaterThan(Duration.ofSeconds(120));
				}
				else if (renewedFor.isZero()) {
					assertThat(held).isEqualTo(lease);
				}
				else {
					assertThat(held).isBetween(Duration.ofSeconds(61), renewedFor);
				}
				return null;
			});
		}
		assertThat(output).containsOnlyOnce("has lasted longer than its maxRun");
	}

	/** L4: what is measured is held against the interval, and told once with the mend. */
	@Test
	void runsThatOutliveTheirIntervalAreToldOfOnce(CapturedOutput output) throws Throwable {
		for (int i = 0; i < 12; i++) {
			Instant due = this.once.clock().now();
			this.runs.fire(call(policy(Overlap.COALESCE, OnMissed.REPORT), "m-" + due), () -> {
				this.once.time().advance(Duration.ofMinutes(75));
				return null;
			});
		}
		assertThat(output).containsOnlyOnce("The runs of job 'nightly' take 4500.0 s")
			.contains("longer than the 3600.0 s between two of its due times")
			.contains("Split the job");
	}

	@Test
	void runsThatOutliveAFixedLeaseOrTheirMaxRunAreToldOf(CapturedOutput output) throws Throwable {
		for (Duration renewedFor : List.of(Duration.ZERO, Duration.ofSeconds(40))) {
			for (int i = 0; i < 10; i++) {
				Paces paces = new Paces();
				JobPolicy policy = new JobPolicy(Overlap.COALESCE, 2, OnMissed.REPORT, null, renewedFor);
				for (int run = 0; run < 10; run++) {
					paces.ran(call(policy, "p"), Duration.ofSeconds(50));
				}
			}
		}
		assertThat(output).contains("which is not renewed (renew = false)")
			.contains("longer than its maxRun of 40.0 s. Split the job, or raise maxRun");
	}

	private Instant leaseUntil() {
		return this.once.leaseStore().find("nightly").orElseThrow().leaseUntil();
	}

	private void during(Overlap overlap, Meanwhile meanwhile) throws Throwable {
		this.runs.fire(call(overlap, 0), () -> {
			this.once.time().advance(Duration.ofMinutes(61));
			this.leases.renewDue();
			try (OnceScope.Restore restore = new OnceScope(null, null, null).open()) {
				meanwhile.happens();
			}
			return null;
		});
	}

	private Firing fire(Runs node, Overlap overlap, int hours) throws Throwable {
		return node.fire(call(overlap, hours), () -> null);
	}

	private Firing fire(JobPolicy policy, int seconds) throws Throwable {
		Instant due = this.hour.plusSeconds(seconds);
		return this.runs.fire(new JobCall("nightly", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60),
				due.toString(), new DueTime(due, UTC, due.toString()), new Again.No(), null, policy), () -> null);
	}

	private Firing ask(String customer) throws Throwable {
		return this.others.fire(
				new JobCall("nightly", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60), customer, null,
						new Again.Asked(), "[\"" + customer + "\"]", policy(Overlap.QUEUE, OnMissed.REPORT)),
				() -> null);
	}

	private Firing unnamed(Overlap overlap) throws Throwable {
		return this.others.fire(new JobCall("nightly", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60),
				null, null, new Again.No(), null, policy(overlap, OnMissed.REPORT)), () -> null);
	}

	private JobCall call(Overlap overlap, int hours) {
		return call(overlap, OnMissed.REPORT, hours);
	}

	private JobCall call(Overlap overlap, OnMissed onMissed, int hours) {
		Instant due = this.hour.plus(Duration.ofHours(hours));
		return new JobCall("nightly", Duration.ofHours(2), "billing", 3, Duration.ofSeconds(60), name(hours),
				new DueTime(due, UTC, name(hours)), new Again.No(), null, policy(overlap, onMissed));
	}

	private static JobCall call(JobPolicy policy, @Nullable String name) {
		return new JobCall("nightly", Duration.ofSeconds(30), "billing", 3, Duration.ofSeconds(60), name, null,
				new Again.Asked(), null, policy);
	}

	private static JobPolicy policy(Overlap overlap, OnMissed onMissed) {
		return new JobPolicy(overlap, 2, onMissed, TIMETABLE, null);
	}

	private String name(int hours) {
		return this.hour.plus(Duration.ofHours(hours)).toString();
	}

	private OccurrenceRow row(int hours) {
		return this.once.occurrences().find("nightly", name(hours)).orElseThrow();
	}

	private List<Tuple> states() {
		return this.once.occurrences()
			.rows()
			.stream()
			.sorted(Comparator.comparing(OccurrenceRow::dueAt))
			.map((row) -> tuple(row.occurrence(), row.state()))
			.toList();
	}

	private void register() {
		this.once.leaseStore().register(List.of(new Registration("nightly", "billing", HOURLY.text(), "UTC", null)));
	}

	@FunctionalInterface
	private interface Meanwhile {

		void happens() throws Throwable;

	}

	private static final class Told implements JobListener, LeaseListener {

		private int refused;

		private int queueFull;

		private long missed;

		private int mayRun;

		@Override
		public void refused(String job) {
			this.refused++;
		}

		@Override
		public void queueFull(String job) {
			this.queueFull++;
		}

		@Override
		public void missed(String job, long dueTimes) {
			this.missed += dueTimes;
		}

		@Override
		public void mayRun(String job) {
			this.mayRun++;
		}

	}

}
