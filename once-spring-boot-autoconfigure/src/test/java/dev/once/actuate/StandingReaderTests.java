package dev.once.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import dev.once.lease.StoreException;
import dev.once.ledger.EffectLedger.Standing;
import dev.once.ledger.EffectState;
import dev.once.test.StubLedger;
import dev.once.test.StubOccurrences;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class StandingReaderTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final StubLedger ledger = new StubLedger();

	private final StubOccurrences occurrences = new StubOccurrences();

	private final CountDownLatch hang = new CountDownLatch(1);

	private StandingReader reader = new StandingReader(this.ledger, this.occurrences, LONG, LONG);

	@AfterEach
	void close() {
		this.hang.countDown();
		this.reader.close();
	}

	@Test
	void oneReadServesAllThatAskWithinItsFreshness() {
		List<Standing> standings = IntStream.range(0, 20)
			.mapToObj((i) -> this.reader.standing().orElseThrow())
			.toList();
		assertThat(standings).hasSize(20);
		assertThat(this.ledger.reads()).isEqualTo(1);
	}

	@Test
	void whatIsNoLongerFreshIsReadAgain() {
		this.reader = new StandingReader(this.ledger, this.occurrences, Duration.ZERO, LONG);
		assertThat(this.reader.standing().orElseThrow().open()).isEmpty();
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 3L), Map.of(), Duration.ofMinutes(1));
		assertThat(this.reader.standing().orElseThrow().open()).containsEntry(EffectState.UNKNOWN, 3L);
	}

	@Test
	void aFailedReadIsEmptyAndServesAsLong() {
		this.ledger.answers(() -> {
			throw new StoreException("no database", new IllegalStateException());
		});
		assertThat(this.reader.standing()).isEmpty();
		assertThat(this.reader.standing()).isEmpty();
		assertThat(this.ledger.reads()).isEqualTo(1);
	}

	@Test
	void aReadThatHangsIsNotWaitedForLongAndNotPiledUp() {
		this.reader = new StandingReader(this.ledger, this.occurrences, Duration.ZERO, Duration.ofMillis(20));
		this.ledger.answers(this::hang);
		assertThat(IntStream.range(0, 5).mapToObj((i) -> this.reader.standing()).toList())
			.allMatch((standing) -> standing.isEmpty());
		assertThat(this.ledger.reads()).isEqualTo(1);
	}

	@Test
	void anAnswerThatCameTooLateIsNotTakenForTheNext() {
		this.reader = new StandingReader(this.ledger, this.occurrences, Duration.ZERO, Duration.ofMillis(500));
		this.ledger.answers(this::hang);
		assertThat(this.reader.standing()).isEmpty();
		this.ledger.holds(Map.of(EffectState.UNKNOWN, 3L), Map.of(), null);
		this.hang.countDown();
		await().untilAsserted(
				() -> assertThat(this.reader.standing().map(Standing::open)).contains(Map.of(EffectState.UNKNOWN, 3L)));
	}

	@Test
	void onceClosedItIsEmpty() {
		this.reader.close();
		assertThat(this.reader.standing()).isEmpty();
	}

	private Standing hang() {
		try {
			this.hang.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return new Standing(Map.of(EffectState.UNKNOWN, 99L), Map.of(), null);
	}

}
