package dev.once.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import dev.once.Grain;
import dev.once.OnMissed;
import dev.once.Overlap;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.LeaseStore.Registration;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.OccurrenceStore.Claim;
import dev.once.occurrence.OccurrenceStore.Earlier;
import dev.once.occurrence.OccurrenceStore.End;
import dev.once.occurrence.OccurrenceStore.Order;
import dev.once.occurrence.OccurrenceStore.PutOff;
import dev.once.occurrence.OccurrenceStore.PutOffAnswer;
import dev.once.occurrence.OccurrenceStore.Request;
import dev.once.occurrence.OccurrenceStore.Standing;
import dev.once.occurrence.PassedDueTimes;
import dev.once.occurrence.PassedDueTimes.Fate;
import dev.once.occurrence.PassedDueTimes.Judged;
import dev.once.occurrence.Schedule;
import dev.once.occurrence.Timetable;
import dev.once.occurrence.Timetable.Neighbours;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * O5: what an occurrence table does with what cannot run now and with due times that
 * passed, wherever it keeps its rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OverlapStoreContractTests {

	private static final Duration LENGTH = Duration.ofSeconds(30);

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	private static final Again TIMER = new Again.No();

	private static final Again ASKED = new Again.Asked();

	private static final Again PERSON = new Again.ByPerson();

	private PortsUnderTest ports;

	private Duration length;

	/** Begin of the slot that lasts, which is neither young nor old. */
	private Instant slot;

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
	void aJobThatHasRun() {
		this.ports.clear();
		Instant now = this.ports.now();
		this.ports.putLease(new LeaseRow("export", null, null, 7, now.minus(Duration.ofDays(1)),
				now.minus(Duration.ofDays(1)).minus(LENGTH), null, now));
		this.length = IntStream.range(600, 1200)
			.filter((seconds) -> Math.abs(now.getEpochSecond() % seconds - seconds / 2) < seconds / 2 - 30)
			.mapToObj(Duration::ofSeconds)
			.findFirst()
			.orElseThrow();
		this.slot = Instant.ofEpochSecond(now.getEpochSecond() - now.getEpochSecond() % this.length.toSeconds());
	}

	// What cannot run now

	@Test
	void whatWaitsIsNotedWithItsArguments() {
		assertThat(queue("a", null)).isInstanceOf(PutOffAnswer.Noted.class);
		OccurrenceRow row = row("a");
		assertThat(row.state()).isEqualTo(OccurrenceState.QUEUED);
		assertThat(row.attempt()).isZero();
		assertThat(row.arguments()).isEqualTo("[\"c-17\"]");
		assertThat(row.zone()).isEqualTo(ZURICH);
		assertThat(row.dueAt()).isBetween(row.readAt().minusSeconds(60), row.readAt());
		assertThat(row.runId()).isNull();
		assertThat(row.owner()).isNull();
		assertThat(row.token()).isZero();
		assertThat(row.startedAt()).isNull();
	}

	@Test
	void whatIsKnownIsNotPutOff() {
		claim("a", TIMER, Order.ANY);
		assertThat(queue("a", null)).isInstanceOfSatisfying(PutOffAnswer.Known.class,
				(known) -> assertThat(known.row().state()).isEqualTo(OccurrenceState.RUNNING));
		queue("b", null);
		assertThat(queue("b", null)).isInstanceOfSatisfying(PutOffAnswer.Known.class,
				(known) -> assertThat(known.row().state()).isEqualTo(OccurrenceState.QUEUED));
		assertThat(refuse("b")).isInstanceOf(PutOffAnswer.Known.class);
		assertThat(row("b").state()).isEqualTo(OccurrenceState.QUEUED);
	}

	@Test
	void aQueueIsBoundedAndWhatFindsItFullIsNowhere() {
		queue("a", null);
		queue("b", null);
		assertThat(queue("c", null)).isInstanceOf(PutOffAnswer.Full.class);
		assertThat(this.ports.occurrences().find("export", "c")).isEmpty();
		assertThat(refuse("c")).isInstanceOf(PutOffAnswer.Noted.class);
		assertThat(row("c").state()).isEqualTo(OccurrenceState.REFUSED);
		assertThat(row("c").detail()).isEqualTo("a run is live");
		end(claim("a", ASKED, Order.DUE));
		assertThat(queue("d", null)).isInstanceOf(PutOffAnswer.Noted.class);
	}

	@Test
	void whatWaitsIsRunAsIfItWereNew() {
		queue("a", null);
		OccurrenceRow waiting = row("a");
		Claim.Granted granted = granted(claim("a", new Again.AsRead(waiting), Order.DUE));
		assertThat(granted.row().attempt()).isOne();
		assertThat(granted.row().arguments()).isEqualTo("[\"c-17\"]");
		assertThat(granted.row().dueAt()).isEqualTo(waiting.dueAt());
		assertThat(granted.row().token()).isEqualTo(8);
		end(granted);
		assertThat(claim("a", new Again.AsRead(waiting), Order.DUE)).isInstanceOf(Claim.Known.class);
	}

	@Test
	void whatWaitsIsKnownToItsOwnTimerWhileAnotherRunIsLive() {
		claim("a", TIMER, Order.ANY);
		queue("b", null);
		assertThat(claim("b", TIMER, Order.DUE)).isInstanceOf(Claim.Held.class);
	}

	@Test
	void whatWaitsComesBackOldestFirstOnceTheLeaseIsFree() {
		queue("later", this.ports.now());
		queue("earlier", this.ports.now().minusSeconds(60));
		assertThat(comingBack()).containsExactly("earlier", "later");
		claim("other", TIMER, Order.ANY);
		assertThat(comingBack()).isEmpty();
	}

	@Test
	void whatWasRefusedIsRunForWhoAsksAgainAndForAPersonAndForNoTimer() {
		for (Again again : List.of(ASKED, PERSON, new Again.WhenDue())) {
			aJobThatHasRun();
			refuse("a");
			assertThat(claim("a", TIMER, Order.ANY)).isInstanceOf(Claim.Known.class);
			assertThat(claim("a", new Again.AsRead(row("a")), Order.ANY)).isInstanceOf(Claim.Known.class);
			assertThat(comingBack()).isEmpty();
			assertThat(granted(claim("a", again, Order.ANY)).row().attempt()).isOne();
		}
	}

	@Test
	void aPersonRunsWhatIsNotFinishedAndNotRunning() {
		for (OccurrenceState state : OccurrenceState.values()) {
			aJobThatHasRun();
			put("a", state, 3);
			Claim claim = claim("a", PERSON, Order.ANY);
			if (state == OccurrenceState.FINISHED) {
				assertThat(claim).isInstanceOf(Claim.Known.class);
			}
			else {
				int attempt = switch (state) {
					case RUNNING -> 4;
					case OPEN -> 3;
					default -> 1;
				};
				assertThat(granted(claim).row().attempt()).as(state.name()).isEqualTo(attempt);
				assertThat(claim("a", PERSON, Order.ANY)).isInstanceOfSatisfying(Claim.Known.class,
						(known) -> assertThat(known.row().state()).isEqualTo(OccurrenceState.RUNNING));
			}
		}
	}

	// Order

	@Test
	void aNewOneGoesBehindWhatWaitsDiedOrIsDueAgain() {
		for (OccurrenceState state : List.of(OccurrenceState.QUEUED, OccurrenceState.RUNNING, OccurrenceState.OPEN)) {
			aJobThatHasRun();
			put("a", state, 1);
			assertThat(claim("b", ASKED, Order.DUE)).as(state.name()).isInstanceOf(Claim.After.class);
			assertThat(this.ports.occurrences().find("export", "b")).isEmpty();
			granted(claim("b", ASKED, Order.ANY));
		}
	}

	@Test
	void whatWaitsForALaterTimeOrForAPersonHoldsNobodyUp() {
		put("a", OccurrenceState.OPEN, 1, null);
		put("b", OccurrenceState.OPEN, 1, Duration.ofHours(1));
		put("c", OccurrenceState.ABANDONED, 3);
		put("d", OccurrenceState.REFUSED, 0);
		put("e", OccurrenceState.MISSED, 0);
		granted(claim("f", ASKED, Order.DUE));
	}

	@Test
	void ofThoseThatWaitTheOldestGoesFirst() {
		queue("second", this.ports.now().minusSeconds(30));
		queue("first", this.ports.now().minusSeconds(60));
		assertThat(claim("second", new Again.AsRead(row("second")), Order.DUE)).isInstanceOf(Claim.After.class);
		end(claim("first", new Again.AsRead(row("first")), Order.DUE));
		granted(claim("second", new Again.AsRead(row("second")), Order.DUE));
	}

	// The mark

	@Test
	void registeringAJobSetsItsMarkAndAnotherScheduleSetsItAnew() {
		register("new", "rate PT10M", "UTC");
		Instant mark = this.ports.mark("new");
		assertThat(mark).isBetween(this.ports.now().minusSeconds(60), this.ports.now());
		Instant earlier = mark.minusSeconds(3600);
		this.ports.mark("new", earlier);
		register("new", "rate PT10M", "UTC");
		assertThat(this.ports.mark("new")).isEqualTo(earlier);
		register("new", "rate PT20M", "UTC");
		assertThat(this.ports.mark("new")).isAfter(earlier);
		this.ports.mark("new", earlier);
		register("new", "rate PT20M", "Europe/Zurich");
		assertThat(this.ports.mark("new")).isAfter(earlier);
	}

	@Test
	void aClaimMovesTheMarkPastItsDueTime() {
		this.ports.mark("export", this.slot);
		granted(claim("a", TIMER, new Neighbours(this.slot, this.slot.plus(this.length))));
		assertThat(this.ports.mark("export")).isEqualTo(this.slot.plus(this.length));
	}

	@Test
	void aClaimMovesNoMarkBackAndOneWithoutDueTimesMovesNone() {
		this.ports.mark("export", this.slot);
		end(claim("a", TIMER,
				new Neighbours(this.slot.minus(this.length.multipliedBy(2)), this.slot.minus(this.length))));
		assertThat(this.ports.mark("export")).isEqualTo(this.slot);
		end(claim("b", TIMER, Order.ANY));
		assertThat(this.ports.mark("export")).isEqualTo(this.slot);
	}

	@Test
	void aClaimThatWouldPassOverDueTimesWritesNothing() {
		Instant mark = this.slot.minus(this.length);
		this.ports.mark("export", mark);
		assertThat(claim("a", TIMER, new Neighbours(this.slot, this.slot.plus(this.length))))
			.isInstanceOf(Claim.Behind.class);
		assertThat(this.ports.mark("export")).isEqualTo(mark);
		assertThat(this.ports.occurrences().find("export", "a")).isEmpty();
		assertThat(lease().isHeld()).isFalse();
	}

	@Test
	void whatNobodyHasLookedAtYetHoldsNoClaimUp() {
		granted(claim("a", TIMER, new Neighbours(this.slot, this.slot.plus(this.length))));
		assertThat(this.ports.mark("export")).isEqualTo(this.slot.plus(this.length));
	}

	// Due times that passed

	@Test
	void whatFellDueWhileNoRunWasLiveIsMissed() {
		this.ports.mark("export", this.slot.minus(this.length.multipliedBy(3)));
		Judged judged = look(Overlap.COALESCE, OnMissed.REPORT);
		assertThat(judged.counts()).isEqualTo(Map.of(Fate.MISSED, 3L));
		assertThat(states()).containsExactly(tuple(name(3), OccurrenceState.MISSED),
				tuple(name(2), OccurrenceState.MISSED), tuple(name(1), OccurrenceState.MISSED));
		assertThat(row(name(1)).dueAt()).isEqualTo(this.slot.minus(this.length));
		assertThat(this.ports.mark("export")).isEqualTo(this.slot);
		assertThat(look(Overlap.COALESCE, OnMissed.REPORT).counts()).isEmpty();
		assertThat(comingBack()).isEmpty();
	}

	@Test
	void theLatestOrAllOfThemWaitToBeRunAsThePolicySays() {
		this.ports.mark("export", this.slot.minus(this.length.multipliedBy(3)));
		assertThat(look(Overlap.COALESCE, OnMissed.RUN_LATEST).counts())
			.isEqualTo(Map.of(Fate.MISSED, 2L, Fate.RUN, 1L));
		assertThat(comingBack()).containsExactly(name(1));
		aJobThatHasRun();
		this.ports.mark("export", this.slot.minus(this.length.multipliedBy(3)));
		assertThat(look(Overlap.COALESCE, OnMissed.RUN_ALL).counts()).isEqualTo(Map.of(Fate.RUN, 2L, Fate.MISSED, 1L));
		assertThat(comingBack()).containsExactly(name(3), name(2));
	}

	@Test
	void aDueTimeThatHasARowIsPassedOver() {
		this.ports.mark("export", this.slot.minus(this.length.multipliedBy(3)));
		put(name(2), OccurrenceState.OPEN, 1, Duration.ofHours(1));
		assertThat(look(Overlap.COALESCE, OnMissed.REPORT).counts()).isEqualTo(Map.of(Fate.MISSED, 2L));
		assertThat(row(name(2)).state()).isEqualTo(OccurrenceState.OPEN);
	}

	@Test
	void whatFellDueWhileARunWasLiveIsAnOverlapWhoeverFiredIt() {
		for (Overlap overlap : Overlap.values()) {
			aJobThatHasRun();
			Instant begin = this.slot.minus(this.length.multipliedBy(5));
			this.ports.mark("export", begin);
			ranFrom(begin.plusSeconds(1), this.slot.minusSeconds(60));
			Judged judged = look(overlap, OnMissed.REPORT);
			switch (overlap) {
				case COALESCE -> assertThat(judged.counts()).isEqualTo(Map.of(Fate.DROPPED, 4L, Fate.MISSED, 1L));
				case QUEUE ->
					assertThat(judged.counts()).isEqualTo(Map.of(Fate.QUEUED, 2L, Fate.FULL, 2L, Fate.MISSED, 1L));
				case FAIL -> assertThat(judged.counts()).isEqualTo(Map.of(Fate.REFUSED, 4L, Fate.MISSED, 1L));
			}
			assertThat(comingBack()).hasSize((overlap == Overlap.QUEUE) ? 2 : 0);
			assertThat(this.ports.mark("export")).isEqualTo(this.slot);
		}
	}

	@Test
	void aLeaseCountsAsLiveUntilItLapsed() {
		Instant begin = this.slot.minus(this.length.multipliedBy(3));
		this.ports.clear();
		this.ports.putLease(new LeaseRow("export", "context-0", "run-7", 7, begin.plus(this.length).plusSeconds(1),
				begin, null, this.ports.now()));
		this.ports.mark("export", begin);
		assertThat(look(Overlap.COALESCE, OnMissed.REPORT).counts())
			.isEqualTo(Map.of(Fate.DROPPED, 1L, Fate.MISSED, 2L));
	}

	@Test
	void aJobThatNobodyHasRegisteredHasNothingToLookAt() {
		assertThat(look(Overlap.COALESCE, OnMissed.REPORT)).isEqualTo(Judged.NOTHING);
		assertThat(this.ports.occurrences().look("unknown", dueTimes(Overlap.COALESCE, OnMissed.REPORT)))
			.isEqualTo(Judged.NOTHING);
	}

	// Counting

	@Test
	void whatWaitsAndWhatWasRefusedSinceTheLastFinishedRunIsCountedByJob() {
		queue("a", null);
		refuse("b");
		refuse("c");
		assertThat(this.ports.occurrences().standing())
			.isEqualTo(new Standing(0, 0, Map.of("export", 1L), Map.of("export", 2L)));
		end(claim("a", ASKED, Order.DUE));
		assertThat(this.ports.occurrences().standing()).isEqualTo(Standing.NONE);
		refuse("d");
		assertThat(this.ports.occurrences().standing().refused()).isEqualTo(Map.of("export", 1L));
	}

	// Helpers

	private Judged look(Overlap overlap, OnMissed onMissed) {
		return this.ports.occurrences().look("export", dueTimes(overlap, onMissed));
	}

	private PassedDueTimes dueTimes(Overlap overlap, OnMissed onMissed) {
		Timetable timetable = Timetable
			.of(List.of(new Schedule.FixedRate(this.length)), ZoneOffset.UTC, Grain.OCCURRENCE)
			.orElseThrow();
		return new PassedDueTimes(new JobPolicy(overlap, 2, onMissed, timetable, null), timetable);
	}

	/** Name of the slot that began some slots before the one that lasts. */
	private String name(int slotsAgo) {
		return this.slot.minus(this.length.multipliedBy(slotsAgo)).toString();
	}

	private List<Tuple> states() {
		return this.ports.occurrences()
			.list("export", null, 10)
			.stream()
			.sorted(Comparator.comparing(OccurrenceRow::dueAt))
			.map((row) -> tuple(row.occurrence(), row.state()))
			.toList();
	}

	private PutOffAnswer queue(String occurrence, Instant dueAt) {
		this.ports.tick();
		return this.ports.occurrences()
			.putOff(new PutOff("export", occurrence, dueAt, ZURICH, OccurrenceState.QUEUED, 2, "[\"c-17\"]", null));
	}

	private PutOffAnswer refuse(String occurrence) {
		this.ports.tick();
		return this.ports.occurrences()
			.putOff(new PutOff("export", occurrence, null, null, OccurrenceState.REFUSED, 2, null, "a run is live"));
	}

	private Claim claim(String occurrence, Again again, Order order) {
		return claim(occurrence, again, order, null);
	}

	private Claim claim(String occurrence, Again again, Neighbours neighbours) {
		return claim(occurrence, again, Order.ANY, neighbours);
	}

	private Claim claim(String occurrence, Again again, Order order, Neighbours neighbours) {
		this.ports.tick();
		LeaseStore.Request lease = new LeaseStore.Request("export", "context-1", "run-" + occurrence, LENGTH,
				"billing");
		return this.ports.occurrences()
			.claim(List.of(new Request(lease, occurrence, this.ports.now(), null, 3, again, null, order, neighbours)))
			.get(0);
	}

	private static Claim.Granted granted(Claim claim) {
		assertThat(claim).isInstanceOf(Claim.Granted.class);
		return (Claim.Granted) claim;
	}

	private void end(Claim claim) {
		Claim.Granted granted = granted(claim);
		this.ports.tick();
		this.ports.occurrences()
			.end(List.of(new End(granted.hold(), granted.row().occurrence(), OccurrenceState.FINISHED, 1, null,
					Earlier.KEPT, null, null)));
	}

	private void put(String occurrence, OccurrenceState state, int attempt) {
		put(occurrence, state, attempt, (state == OccurrenceState.OPEN) ? Duration.ofSeconds(-1) : null);
	}

	private void put(String occurrence, OccurrenceState state, int attempt, Duration nextAttemptIn) {
		Instant now = this.ports.now();
		boolean ran = switch (state) {
			case RUNNING, OPEN, FINISHED, ABANDONED -> true;
			case QUEUED, REFUSED, MISSED -> false;
		};
		this.ports.putOccurrence(new OccurrenceRow("export", occurrence, now.minusSeconds(90), ZURICH, state, attempt,
				(nextAttemptIn != null) ? now.plus(nextAttemptIn) : null, ran ? "run-6" : null,
				ran ? "context-0" : null, ran ? 6 : 0, "[]", ran ? now.minusSeconds(90) : null,
				(ran && state != OccurrenceState.RUNNING) ? now.minusSeconds(80) : null, null, null, now));
	}

	private void ranFrom(Instant from, Instant to) {
		this.ports.putOccurrence(new OccurrenceRow("export", "long", from, ZURICH, OccurrenceState.FINISHED, 1, null,
				"run-6", "context-0", 6, null, from, to, null, null, to));
	}

	private void register(String job, String schedule, String zone) {
		this.ports.leases().register(List.of(new Registration(job, "billing", schedule, zone, null)));
	}

	private List<String> comingBack() {
		this.ports.tick();
		return this.ports.occurrences()
			.comingBack(List.of("export"), 10)
			.stream()
			.map(OccurrenceRow::occurrence)
			.toList();
	}

	private OccurrenceRow row(String occurrence) {
		return this.ports.occurrences().find("export", occurrence).orElseThrow();
	}

	private LeaseRow lease() {
		return this.ports.leases().find("export").orElseThrow();
	}

}
