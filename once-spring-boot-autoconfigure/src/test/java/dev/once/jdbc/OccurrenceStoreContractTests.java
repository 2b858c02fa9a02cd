package dev.once.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;
import dev.once.lease.LeaseStore.Release;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.ledger.Answer;
import dev.once.ledger.Attention;
import dev.once.ledger.EffectFacts;
import dev.once.ledger.Fence;
import dev.once.ledger.Move;
import dev.once.ledger.Moved;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.OccurrenceStore.Again;
import dev.once.occurrence.OccurrenceStore.Claim;
import dev.once.occurrence.OccurrenceStore.Earlier;
import dev.once.occurrence.OccurrenceStore.End;
import dev.once.occurrence.OccurrenceStore.Ended;
import dev.once.occurrence.OccurrenceStore.Order;
import dev.once.occurrence.OccurrenceStore.Request;
import dev.once.occurrence.OccurrenceStore.Standing;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * What an occurrence table does with each call, wherever it keeps its rows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OccurrenceStoreContractTests {

	private static final Duration LENGTH = Duration.ofSeconds(30);

	private static final Duration HOUR = Duration.ofHours(1);

	private static final ZoneId ZURICH = ZoneId.of("Europe/Zurich");

	private static final Again NO = new Again.No();

	private static final Again WHEN_DUE = new Again.WhenDue();

	private static final Set<String> JOBS = Set.of("nightly", "weekly");

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
	void nothing() {
		this.ports.clear();
	}

	// Claims

	@Test
	void aNewOccurrenceIsClaimedTogetherWithTheLease() {
		Instant due = ago(HOUR);
		assertThat(claim("a", due)).isInstanceOfSatisfying(Claim.Granted.class, (granted) -> {
			assertThat(granted.hold()).isEqualTo(new Hold("nightly", "context-1", "run-a", 1, LENGTH));
			assertThat(without(granted.row())).isEqualTo(without(row("a")));
		});
		OccurrenceRow row = row("a");
		assertThat(row.dueAt()).isEqualTo(due);
		assertThat(row.zone()).isEqualTo(ZURICH);
		assertThat(row.state()).isEqualTo(OccurrenceState.RUNNING);
		assertThat(row.attempt()).isOne();
		assertThat(row.runId()).isEqualTo("run-a");
		assertThat(row.owner()).isEqualTo("context-1");
		assertThat(row.token()).isOne();
		assertThat(row.arguments()).isEqualTo("[\"inv-17\"]");
		assertThat(row.startedAt()).isBetween(row.readAt().minus(Duration.ofMinutes(1)), row.readAt());
		assertThat(row.endedAt()).isNull();
		assertThat(lease().runId()).isEqualTo("run-a");
		assertThat(lease().token()).isOne();
		assertThat(lease().isHeld()).isTrue();
		assertThat(lease().leaseUntil()).isBetween(lease().acquiredAt().plus(LENGTH).minusMillis(50),
				lease().acquiredAt().plus(LENGTH).plusMillis(50));
	}

	@Test
	void theTokenIsTheNextOneOfTheJobsLease() {
		putLease(null, 41, HOUR.negated());
		claim("a", ago(HOUR));
		assertThat(row("a").token()).isEqualTo(42);
		assertThat(lease().token()).isEqualTo(42);
	}

	@Test
	void aCopyOfARunningOccurrenceIsKnownWhateverItAsksFor() {
		claim("a", ago(HOUR));
		LeaseRow lease = lease();
		OccurrenceRow running = row("a");
		for (Again again : List.of(NO, WHEN_DUE, new Again.AsRead(running))) {
			assertThat(claim("a", ago(HOUR), 1, again)).isInstanceOfSatisfying(Claim.Known.class,
					(known) -> assertThat(without(known.row())).isEqualTo(without(running)));
		}
		assertThat(without(row("a"))).isEqualTo(without(running));
		assertThat(lease().leaseUntil()).isEqualTo(lease.leaseUntil());
		assertThat(lease().runId()).isEqualTo("run-a");
	}

	@Test
	void anotherOccurrenceOfAJobWhoseLeaseIsHeldIsHeldAndLeavesNoRow() {
		claim("a", ago(HOUR));
		assertThat(claim("b", ago(HOUR))).isInstanceOfSatisfying(Claim.Held.class,
				(held) -> assertThat(held.holder().runId()).isEqualTo("run-a"));
		assertThat(this.ports.occurrences().find("nightly", "b")).isEmpty();
		putOpen("c", HOUR, 1, null);
		assertThat(claim("c", ago(HOUR), 3, WHEN_DUE)).isInstanceOf(Claim.Held.class);
		assertThat(row("c").state()).isEqualTo(OccurrenceState.OPEN);
	}

	@Test
	void aFinishedAndAnAbandonedOneAreKnownForEver() {
		for (OccurrenceState state : List.of(OccurrenceState.FINISHED, OccurrenceState.ABANDONED)) {
			nothing();
			end(granted(claim("a", ago(HOUR))), "a", state);
			for (Again again : List.of(NO, WHEN_DUE, new Again.AsRead(row("a")))) {
				assertThat(claim("a", ago(HOUR), 3, again)).isInstanceOf(Claim.Known.class);
			}
			assertThat(row("a").state()).isEqualTo(state);
			assertThat(lease().token()).isOne();
			assertThat(lease().isHeld()).isFalse();
		}
	}

	@Test
	void nothingIsClaimedMoreThanASecondBeforeItIsDue() {
		Instant now = this.ports.now();
		assertThat(claim("a", now.plus(HOUR))).isInstanceOfSatisfying(Claim.Early.class,
				(early) -> assertThat(early.left()).isBetween(HOUR.minusMinutes(1), HOUR));
		assertThat(this.ports.occurrences().find("nightly", "a")).isEmpty();
		assertThat(this.ports.leases().find("nightly")).isEmpty();
		assertThat(claim("a", this.ports.now().plusMillis(900))).isInstanceOf(Claim.Granted.class);
	}

	@Test
	void whatIsOlderThanThePurgeIsNotNew() {
		putLease(null, 4, HOUR.negated());
		putOpen("kept", HOUR, 1, null);
		Instant mark = ago(Duration.ofMinutes(30));
		this.ports.purge("nightly", mark);
		for (Instant due : List.of(mark, ago(HOUR))) {
			assertThat(claim("a", due)).isEqualTo(new Claim.Purged(mark));
		}
		assertThat(this.ports.occurrences().find("nightly", "a")).isEmpty();
		assertThat(claim("kept", ago(HOUR))).isInstanceOf(Claim.Known.class);
		assertThat(end(granted(claim("kept", ago(HOUR), 3, WHEN_DUE)), "kept", OccurrenceState.FINISHED))
			.isEqualTo(Ended.ENDED);
		assertThat(claim("a", mark.plusSeconds(1))).isInstanceOf(Claim.Granted.class);
	}

	@Test
	void aRunThatDiedIsTakenOverAndCountsAsAnAttempt() {
		putLease("context-0", 7, HOUR.negated());
		putRunning("a", 7, 2);
		for (OccurrenceRow row : List.of(taken(NO), row("a"))) {
			assertThat(row.attempt()).isEqualTo(3);
			assertThat(row.runId()).isEqualTo("run-a");
			assertThat(row.owner()).isEqualTo("context-1");
			assertThat(row.token()).isEqualTo(8);
			assertThat(row.startedAt()).isAfter(row.dueAt().plus(HOUR.dividedBy(2)));
		}
	}

	private OccurrenceRow taken(Again again) {
		return ((Claim.Granted) claim("a", this.ports.now(), 3, again)).row();
	}

	@Test
	void aRunWhoseTokenIsNoLongerTheJobsIsTakenOverOnceTheLeaseIsFree() {
		putLease("context-2", 9, HOUR);
		putRunning("a", 7, 1);
		assertThat(claim("a", ago(HOUR))).isInstanceOf(Claim.Held.class);
		this.ports.leases().release(List.of(new Hold("nightly", "context-2", "run-9", 9, LENGTH)));
		assertThat(taken(NO).token()).isEqualTo(10);
	}

	@Test
	void whoseAttemptsAreUsedUpIsNotTakenOver() {
		putLease("context-0", 7, HOUR.negated());
		putRunning("a", 7, 3);
		assertThat(claim("a", ago(HOUR))).isInstanceOfSatisfying(Claim.Spent.class,
				(spent) -> assertThat(without(spent.row())).isEqualTo(without(row("a"))));
		assertThat(row("a").state()).isEqualTo(OccurrenceState.RUNNING);
		assertThat(lease().token()).isEqualTo(7);
		assertThat(claim("a", ago(HOUR), 4, NO)).isInstanceOf(Claim.Granted.class);
	}

	@Test
	void anOpenOneIsRunAgainOnlyWhereThatIsAskedFor() {
		putLease(null, 7, HOUR.negated());
		putOpen("a", HOUR, 2, HOUR.negated());
		assertThat(claim("a", ago(HOUR))).isInstanceOf(Claim.Known.class);
		assertThat(claim("a", ago(HOUR), 1, WHEN_DUE)).isInstanceOfSatisfying(Claim.Granted.class, (granted) -> {
			assertThat(granted.row().attempt()).isEqualTo(2);
			assertThat(granted.row().nextAttemptAt()).isNull();
			assertThat(granted.row().endedAt()).isNull();
			assertThat(granted.row().counts()).isNull();
			assertThat(granted.row().detail()).isNull();
			assertThat(granted.row().arguments()).isEqualTo("[]");
			assertThat(without(granted.row())).isEqualTo(without(row("a")));
		});
	}

	@Test
	void anOpenOneWithATimeForItWaitsForItUnlessTheCaretakerComesBackToIt() {
		putLease(null, 7, HOUR.negated());
		putOpen("a", HOUR, 2, HOUR);
		OccurrenceRow asRead = row("a");
		assertThat(claim("a", ago(HOUR), 3, WHEN_DUE)).isInstanceOf(Claim.Known.class);
		Hold hold = granted(claim("a", ago(HOUR), 3, new Again.AsRead(asRead)));
		end(hold, "a", OccurrenceState.OPEN);
		assertThat(claim("a", ago(HOUR), 3, new Again.AsRead(asRead))).isInstanceOf(Claim.Known.class);
		assertThat(claim("a", ago(HOUR), 3, new Again.AsRead(row("a")))).isInstanceOf(Claim.Granted.class);
	}

	@Test
	void theCaretakerTakesOverOnlyTheDeadRunThatItRead() {
		putLease("context-0", 7, HOUR.negated());
		putRunning("a", 7, 1);
		OccurrenceRow asRead = row("a");
		nothing();
		putLease("context-0", 8, HOUR.negated());
		putRunning("a", 8, 1);
		assertThat(claim("a", ago(HOUR), 3, new Again.AsRead(asRead))).isInstanceOf(Claim.Known.class);
		assertThat(claim("a", ago(HOUR), 3, new Again.AsRead(row("a")))).isInstanceOf(Claim.Granted.class);
	}

	/** O2: somebody deleted it meanwhile, or it is in another database. */
	@Test
	void theCaretakerClaimsNothingThatIsNotThere() {
		putLease("context-0", 7, HOUR.negated());
		putRunning("a", 7, 1);
		OccurrenceRow asRead = row("a");
		nothing();
		assertThat(claim("a", ago(HOUR), 3, new Again.AsRead(asRead))).isEqualTo(new Claim.Known(asRead));
		assertThat(this.ports.occurrences().find("nightly", "a")).isEmpty();
		assertThat(this.ports.leases().find("nightly")).isEmpty();
	}

	@Test
	void manyAreAnsweredInTheOrderAsked() {
		List<Claim> claims = this.ports.occurrences()
			.claim(List.of(request("nightly", "a", ago(HOUR), 3, NO), request("nightly", "b", ago(HOUR), 3, NO),
					request("weekly", "a", ago(HOUR), 3, NO), request("nightly", "a", ago(HOUR), 3, NO)));
		assertThat(claims).extracting((claim) -> (Class) claim.getClass())
			.containsExactly(Claim.Granted.class, Claim.Held.class, Claim.Granted.class, Claim.Known.class);
		assertThat(this.ports.occurrences().claim(List.of())).isEmpty();
		assertThat(this.ports.occurrences().end(List.of())).isEmpty();
	}

	// Ends

	@Test
	void theEndIsWrittenTogetherWithTheReleaseOfTheLease() {
		Hold hold = granted(claim("a", ago(HOUR)));
		assertThat(this.ports.occurrences()
			.end(List.of(new End(hold, "a", OccurrenceState.OPEN, 2, HOUR, Earlier.KEPT, "{}", "it threw"))))
			.containsExactly(Ended.ENDED);
		OccurrenceRow row = row("a");
		assertThat(row.state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row.attempt()).isEqualTo(2);
		assertThat(row.endedAt()).isBetween(row.startedAt(), row.readAt());
		assertThat(row.nextAttemptAt()).isBetween(row.endedAt().plus(HOUR).minusMillis(50),
				row.endedAt().plus(HOUR).plusMillis(50));
		assertThat(row.counts()).isEqualTo("{}");
		assertThat(row.detail()).isEqualTo("it threw");
		assertThat(lease().isHeld()).isFalse();
		assertThat(lease().owner()).isNull();
		assertThat(lease().token()).isOne();
		assertThat(this.ports.leases().release(List.of(hold))).containsExactly(Release.FENCED);
	}

	@Test
	void whoIsNoLongerTheJobsEndsNothing() {
		putLease("context-1", 7, HOUR);
		putRunning("a", 7, 1);
		putOpen("earlier", HOUR.multipliedBy(2), 1, null);
		OccurrenceRow before = row("a");
		for (Hold stale : List.of(new Hold("nightly", "context-1", "run-7", 6, LENGTH),
				new Hold("nightly", "context-2", "run-7", 7, LENGTH),
				new Hold("weekly", "context-1", "run-7", 7, LENGTH))) {
			assertThat(end(stale, "a", OccurrenceState.FINISHED)).isEqualTo(Ended.FENCED);
		}
		assertThat(without(row("a"))).isEqualTo(without(before));
		assertThat(row("earlier").state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(lease().isHeld()).isTrue();
	}

	@Test
	void aRunThatWasTakenOverEndsNothing() {
		putLease("context-0", 7, HOUR.negated());
		putRunning("a", 7, 1);
		granted(claim("a", ago(HOUR)));
		assertThat(end(new Hold("nightly", "context-0", "run-7", 7, LENGTH), "a", OccurrenceState.FINISHED))
			.isEqualTo(Ended.FENCED);
		assertThat(row("a").state()).isEqualTo(OccurrenceState.RUNNING);
		assertThat(lease().runId()).isEqualTo("run-a");
	}

	@Test
	void anEndThatIsSaidAgainIsToldThatItWasWritten() {
		Hold hold = granted(claim("a", ago(HOUR)));
		end(hold, "a", OccurrenceState.FINISHED);
		OccurrenceRow ended = row("a");
		claim("b", ago(HOUR));
		assertThat(end(hold, "a", OccurrenceState.FINISHED)).isEqualTo(Ended.ENDED);
		assertThat(end(hold, "a", OccurrenceState.OPEN)).isEqualTo(Ended.FENCED);
		assertThat(without(row("a"))).isEqualTo(without(ended));
		assertThat(lease().runId()).isEqualTo("run-b");
	}

	@Test
	void aLaterFinishedOneClosesEarlierOpenOnesOfItsJobWithoutAnOpenEffectOfAGrain() {
		putLease(null, 7, HOUR.negated());
		List.of("idle", "plain", "grained", "settled").forEach((name) -> putOpen(name, HOUR, 1, HOUR));
		putOpen("later", HOUR.dividedBy(4), 1, null);
		putRow("weekly", "other", HOUR, OccurrenceState.OPEN, 1, null, 7);
		putRow("nightly", "given-up", HOUR, OccurrenceState.ABANDONED, 3, null, 7);
		Hold hold = granted(claim("a", ago(HOUR.dividedBy(2))));
		submit("k1", "plain", null, hold);
		submit("k2", "grained", "2026-W34", hold);
		submit("k3", "settled", "2026-W34", hold);
		apply(new Move.Settle("k3", 1, "attempt", Answer.notKept()));
		this.ports.occurrences()
			.end(List.of(new End(hold, "a", OccurrenceState.FINISHED, 1, null, Earlier.CLOSED, null, null)));
		for (String closed : List.of("idle", "plain", "settled")) {
			assertThat(row(closed).state()).as(closed).isEqualTo(OccurrenceState.FINISHED);
			assertThat(row(closed).detail()).isEqualTo("closed by a, which was due later and has finished");
			assertThat(row(closed).nextAttemptAt()).isNull();
		}
		assertThat(row("grained").state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row("later").state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row("given-up").state()).isEqualTo(OccurrenceState.ABANDONED);
		assertThat(this.ports.occurrences().find("weekly", "other").orElseThrow().state())
			.isEqualTo(OccurrenceState.OPEN);
	}

	@Test
	void anEndThatWaitsClosesEarlierOnesThatWaitForNothingOfTheirOwn() {
		putLease(null, 7, HOUR.negated());
		putOpen("idle", HOUR.multipliedBy(2), 1, HOUR);
		putOpen("plain", HOUR.multipliedBy(2), 1, null);
		putRow("nightly", "thrown", HOUR.multipliedBy(2), OccurrenceState.OPEN, 2, HOUR, 7, "it threw");
		Hold hold = granted(claim("a", ago(HOUR)));
		submit("k1", "plain", null, hold);
		this.ports.occurrences()
			.end(List.of(new End(hold, "a", OccurrenceState.OPEN, 1, null, Earlier.REPLACED, null, null)));
		assertThat(row("idle").state()).isEqualTo(OccurrenceState.FINISHED);
		assertThat(row("idle").detail()).isEqualTo("closed by a, which was due later and waits for the same");
		assertThat(row("plain").state()).isEqualTo(OccurrenceState.OPEN);
		assertThat(row("thrown").state()).isEqualTo(OccurrenceState.OPEN);
	}

	@Test
	void earlierOpenOnesAreKeptWhereThatIsAskedFor() {
		putLease(null, 7, HOUR.negated());
		putOpen("earlier", HOUR, 1, null);
		end(granted(claim("a", ago(HOUR.dividedBy(2)))), "a", OccurrenceState.FINISHED);
		assertThat(row("earlier").state()).isEqualTo(OccurrenceState.OPEN);
	}

	// O6

	@Test
	void aDeadRunIsGivenUpAndFenced() {
		putLease("context-0", 7, HOUR.negated());
		putRunning("a", 7, 3);
		assertThat(this.ports.occurrences().abandon(row("a"), "died 3 times")).isTrue();
		assertThat(row("a").state()).isEqualTo(OccurrenceState.ABANDONED);
		assertThat(row("a").detail()).isEqualTo("died 3 times");
		assertThat(row("a").endedAt()).isNotNull();
		Hold dead = new Hold("nightly", "context-0", "run-7", 7, LENGTH);
		assertThat(this.ports.leases().renew(List.of(dead))).containsExactly(Renewal.FENCED);
		assertThat(end(dead, "a", OccurrenceState.FINISHED)).isEqualTo(Ended.FENCED);
		assertThat(granted(claim("b", ago(HOUR))).token()).isEqualTo(9);
	}

	@Test
	void anOpenOneIsGivenUpAndNobodyIsFenced() {
		putLease("context-1", 7, HOUR);
		putOpen("a", HOUR, 3, HOUR);
		assertThat(this.ports.occurrences().abandon(row("a"), "by hand")).isTrue();
		assertThat(row("a").state()).isEqualTo(OccurrenceState.ABANDONED);
		assertThat(row("a").nextAttemptAt()).isNull();
		assertThat(lease().token()).isEqualTo(7);
		assertThat(lease().isHeld()).isTrue();
	}

	@Test
	void whatIsLiveOrNoLongerAsItWasReadIsNotGivenUp() {
		putLease("context-1", 7, HOUR);
		putRunning("a", 7, 3);
		assertThat(this.ports.occurrences().abandon(row("a"), "")).isFalse();
		OccurrenceRow running = row("a");
		end(new Hold("nightly", "context-1", "run-7", 7, LENGTH), "a", OccurrenceState.OPEN);
		assertThat(this.ports.occurrences().abandon(running, "")).isFalse();
		OccurrenceRow open = row("a");
		end(granted(claim("a", ago(HOUR), 3, WHEN_DUE)), "a", OccurrenceState.OPEN);
		assertThat(this.ports.occurrences().abandon(open, "")).isFalse();
		end(granted(claim("a", ago(HOUR), 3, WHEN_DUE)), "a", OccurrenceState.FINISHED);
		assertThat(this.ports.occurrences().abandon(row("a"), "")).isFalse();
		assertThat(row("a").state()).isEqualTo(OccurrenceState.FINISHED);
	}

	// O4

	@Test
	void whatDiedAndWhatIsDueComesBackOldestFirst() {
		putLease("context-0", 7, HOUR.negated());
		putOpen("due", HOUR.multipliedBy(2), 1, HOUR.negated());
		putOpen("not-due", HOUR.multipliedBy(4), 1, HOUR);
		putRunning("dead", 7, 1);
		putOpen("nothing-to-wait-for", HOUR.multipliedBy(3), 1, null);
		putRow("nightly", "given-up", HOUR, OccurrenceState.ABANDONED, 3, HOUR.negated(), 7);
		putRow("nightly", "finished", HOUR, OccurrenceState.FINISHED, 3, HOUR.negated(), 7);
		putRow("weekly", "due", HOUR.multipliedBy(5), OccurrenceState.OPEN, 1, HOUR.negated(), 7);
		assertThat(this.ports.occurrences().comingBack(JOBS, 10))
			.extracting(OccurrenceRow::job, OccurrenceRow::occurrence)
			.containsExactly(tuple("weekly", "due"), tuple("nightly", "nothing-to-wait-for"), tuple("nightly", "due"),
					tuple("nightly", "dead"));
		assertThat(this.ports.occurrences().comingBack(Set.of("nightly"), 2)).extracting(OccurrenceRow::occurrence)
			.containsExactly("nothing-to-wait-for", "due");
		assertThat(this.ports.occurrences().comingBack(Set.of("other"), 10)).isEmpty();
		assertThat(this.ports.occurrences().comingBack(Set.of(), 10)).isEmpty();
	}

	/** O6: a takeover does not wait behind another job's backlog. */
	@Test
	void aJobWithMuchToComeBackToHoldsNoOtherUp() {
		for (int i = 0; i < 4; i++) {
			putOpen("due-" + i, HOUR, 1, HOUR.negated());
		}
		putRow("weekly", "dead", HOUR.dividedBy(2), OccurrenceState.RUNNING, 1, null, 7);
		assertThat(this.ports.occurrences().comingBack(JOBS, 2))
			.extracting(OccurrenceRow::job, OccurrenceRow::occurrence)
			.containsExactly(tuple("nightly", "due-0"), tuple("nightly", "due-1"), tuple("weekly", "dead"));
	}

	@Test
	void nothingComesBackWhileTheJobsLeaseIsHeld() {
		putLease("context-1", 8, HOUR);
		putOpen("due", HOUR, 1, HOUR.negated());
		putRunning("dead", 7, 1);
		assertThat(comingBack()).isEmpty();
	}

	@Test
	void anOpenOneComesBackWhenItsUnknownEffectWasResolved() {
		for (boolean happened : List.of(true, false)) {
			nothing();
			Hold hold = granted(claim("a", ago(HOUR)));
			unknown("k1", hold);
			end(hold, "a", OccurrenceState.OPEN);
			assertThat(comingBack()).isEmpty();
			resolve("k1", happened);
			assertThat(comingBack()).containsExactly("a");
		}
	}

	@Test
	void itComesBackThoughTheEffectWasResolvedBeforeTheRunHadEnded() {
		for (boolean attention : List.of(true, false)) {
			nothing();
			Hold hold = granted(claim("a", ago(HOUR)));
			unknown("k1", hold);
			if (attention) {
				refusedForGood("k2", hold);
			}
			resolve("k1", true);
			end(hold, "a", OccurrenceState.OPEN);
			assertThat(comingBack()).containsExactly("a");
		}
	}

	@Test
	void whatWaitsForAPersonDoesNotComeBackForTheSameReasonTwice() {
		Hold hold = granted(claim("a", ago(HOUR)));
		submit("k0", "a", null, hold);
		apply(new Move.Settle("k0", 1, "attempt", Answer.notKept()));
		unknown("k1", hold);
		refusedForGood("k2", hold);
		end(hold, "a", OccurrenceState.OPEN);
		assertThat(comingBack()).isEmpty();
		resolve("k1", true);
		assertThat(comingBack()).containsExactly("a");
		end(granted(claim("a", ago(HOUR), 3, new Again.AsRead(row("a")))), "a", OccurrenceState.OPEN);
		assertThat(comingBack()).isEmpty();
	}

	@Test
	void anEffectsNextAttemptIsAReasonWhenItIsDue() {
		Hold hold = granted(claim("a", ago(HOUR)));
		submit("k1", "a", null, hold);
		apply(new Move.Refuse("k1", 1, "attempt", HOUR, null, null));
		end(hold, "a", OccurrenceState.OPEN);
		assertThat(comingBack()).isEmpty();
		hold = granted(claim("b", ago(HOUR)));
		submit("k2", "b", null, hold);
		apply(new Move.Refuse("k2", 1, "attempt", Duration.ZERO, null, null));
		end(hold, "b", OccurrenceState.OPEN);
		assertThat(comingBack()).containsExactly("b");
	}

	@Test
	void openAndAbandonedOnesAreCounted() {
		assertThat(this.ports.occurrences().standing()).isEqualTo(Standing.NONE);
		putOpen("a", HOUR, 1, null);
		putOpen("b", HOUR, 1, null);
		putRow("weekly", "a", HOUR, OccurrenceState.ABANDONED, 3, null, 7);
		putRow("weekly", "b", HOUR, OccurrenceState.FINISHED, 3, null, 7);
		putRow("weekly", "c", HOUR, OccurrenceState.RUNNING, 3, null, 7);
		assertThat(this.ports.occurrences().standing()).isEqualTo(new Standing(2, 1, Map.of(), Map.of()));
	}

	@Test
	void aPageHasTheJobsLastDueOnesFirst() {
		putRow("nightly", "a", HOUR.multipliedBy(3), OccurrenceState.FINISHED, 1, null, 5);
		putRow("nightly", "b", HOUR.multipliedBy(2), OccurrenceState.ABANDONED, 3, null, 6);
		putRow("nightly", "c", HOUR, OccurrenceState.FINISHED, 1, null, 7);
		putRow("weekly", "d", Duration.ZERO, OccurrenceState.FINISHED, 1, null, 8);
		putAgain("c", "c-again");
		assertThat(page(null, 10)).containsExactly("c-again", "c", "b", "a");
		assertThat(page(null, 3)).containsExactly("c-again", "c", "b");
		assertThat(page(OccurrenceState.FINISHED, 10)).containsExactly("c-again", "c", "a");
		assertThat(page(OccurrenceState.ABANDONED, 10)).containsExactly("b");
		assertThat(page(OccurrenceState.OPEN, 10)).isEmpty();
		assertThat(this.ports.occurrences().list("nightly", OccurrenceState.ABANDONED, 1)).singleElement()
			.satisfies((row) -> assertThat(without(row)).isEqualTo(without(row("b"))));
	}

	private List<String> page(OccurrenceState state, int limit) {
		return this.ports.occurrences().list("nightly", state, limit).stream().map(OccurrenceRow::occurrence).toList();
	}

	/** A further one, due at the same time. */
	private void putAgain(String occurrence, String name) {
		OccurrenceRow row = row(occurrence);
		this.ports.putOccurrence(new OccurrenceRow(row.job(), name, row.dueAt(), row.zone(), row.state(), row.attempt(),
				row.nextAttemptAt(), row.runId(), row.owner(), row.token(), row.arguments(), row.startedAt(),
				row.endedAt(), row.counts(), row.detail(), row.readAt()));
	}

	private List<String> comingBack() {
		this.ports.tick();
		return this.ports.occurrences().comingBack(JOBS, 10).stream().map(OccurrenceRow::occurrence).toList();
	}

	private void unknown(String key, Hold hold) {
		submit(key, "a", null, hold);
		apply(new Move.Lose(key, 1, "attempt", null));
	}

	private void refusedForGood(String key, Hold hold) {
		submit(key, "a", null, hold);
		apply(new Move.Refuse(key, 1, "attempt", null, Attention.REFUSED, null));
	}

	private void resolve(String key, boolean happened) {
		apply(happened ? new Move.Happened(key, 1, "attempt", Answer.notKept())
				: new Move.DidNotHappen(key, 1, "attempt", this.ports.now().plus(HOUR), null));
	}

	private void submit(String key, String occurrence, String grain, Hold hold) {
		EffectFacts facts = new EffectFacts(key, 1, "charge", "inv-" + key, grain, "d", null, "charge/inv");
		Fence fence = new Fence(hold.job(), occurrence, hold.runId(), hold.token());
		assertThat(this.ports.ledger()
			.apply(new Move.Submit(facts, "attempt", fence, LENGTH, LENGTH, Move.Waiting.FOR_OPEN_FACTS)))
			.isInstanceOf(Moved.Submitted.class);
	}

	private void apply(Move move) {
		this.ports.tick();
		assertThat(this.ports.ledger().apply(move)).isInstanceOf(Moved.Applied.class);
	}

	private Claim claim(String occurrence, Instant due) {
		return claim(occurrence, due, 3, NO);
	}

	private Claim claim(String occurrence, Instant due, int attempts, Again again) {
		this.ports.tick();
		return this.ports.occurrences().claim(List.of(request("nightly", occurrence, due, attempts, again))).get(0);
	}

	private static Request request(String job, String occurrence, Instant due, int attempts, Again again) {
		return new Request(new LeaseStore.Request(job, "context-1", "run-" + occurrence, LENGTH, "billing"), occurrence,
				due, ZURICH, attempts, again, "[\"inv-17\"]", Order.ANY, null);
	}

	private static Hold granted(Claim claim) {
		assertThat(claim).isInstanceOf(Claim.Granted.class);
		return ((Claim.Granted) claim).hold();
	}

	private Ended end(Hold hold, String occurrence, OccurrenceState state) {
		this.ports.tick();
		return this.ports.occurrences()
			.end(List.of(new End(hold, occurrence, state, 1, null, Earlier.KEPT, null, null)))
			.get(0);
	}

	private OccurrenceRow row(String occurrence) {
		return this.ports.occurrences().find("nightly", occurrence).orElseThrow();
	}

	private LeaseRow lease() {
		return this.ports.leases().find("nightly").orElseThrow();
	}

	private Instant ago(Duration duration) {
		return this.ports.now().minus(duration);
	}

	private void putLease(String owner, long token, Duration left) {
		Instant now = this.ports.now();
		this.ports.putLease(new LeaseRow("nightly", owner, (owner != null) ? "run-" + token : null, token,
				now.plus(left), now.minus(HOUR), null, now));
	}

	private void putRunning(String occurrence, long token, int attempt) {
		putRow("nightly", occurrence, HOUR, OccurrenceState.RUNNING, attempt, null, token);
	}

	private void putOpen(String occurrence, Duration age, int attempt, Duration nextAttemptIn) {
		putRow("nightly", occurrence, age, OccurrenceState.OPEN, attempt, nextAttemptIn, 7);
	}

	private void putRow(String job, String occurrence, Duration age, OccurrenceState state, int attempt,
			Duration nextAttemptIn, long token) {
		putRow(job, occurrence, age, state, attempt, nextAttemptIn, token, null);
	}

	private void putRow(String job, String occurrence, Duration age, OccurrenceState state, int attempt,
			Duration nextAttemptIn, long token, String detail) {
		Instant now = this.ports.now();
		boolean running = state == OccurrenceState.RUNNING;
		this.ports.putOccurrence(new OccurrenceRow(job, occurrence, now.minus(age), ZURICH, state, attempt,
				(nextAttemptIn != null) ? now.plus(nextAttemptIn) : null, "run-" + token, "context-0", token, "[]",
				now.minus(age), running ? null : now.minus(age), running ? null : "{}", detail, now));
	}

	/** The row but for the time at which it was read. */
	private static OccurrenceRow without(OccurrenceRow row) {
		return new OccurrenceRow(row.job(), row.occurrence(), row.dueAt(), row.zone(), row.state(), row.attempt(),
				row.nextAttemptAt(), row.runId(), row.owner(), row.token(), row.arguments(), row.startedAt(),
				row.endedAt(), row.counts(), row.detail(), Instant.EPOCH);
	}

}
