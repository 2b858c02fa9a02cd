package dev.once.caretaker;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.lease.Renewer;
import dev.once.ledger.ProtocolUnderTest;
import dev.once.occurrence.JobCall;
import dev.once.occurrence.JobListener;
import dev.once.occurrence.JobPolicy;
import dev.once.occurrence.OccurrenceRow;
import dev.once.occurrence.OccurrenceStore;
import dev.once.occurrence.OccurrenceState;
import dev.once.occurrence.Runs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class ComingBackTests {

	private final List<String> called = new CopyOnWriteArrayList<>();

	/** O6: it would fail at every look, and nothing behind it would have its turn. */
	@Test
	void whatCannotEvenBeCalledIsAnAttemptThatFailed() {
		try (ProtocolUnderTest once = new ProtocolUnderTest();
				Renewer renewer = new Renewer(List.of(), Duration.ofHours(1))) {
			Instant now = once.clock().now();
			once.occurrences().put(open("a", now.minusSeconds(2), now));
			once.occurrences().put(open("b", now.minusSeconds(1), now));
			Runs runs = new Runs(once.leases("node-a"), once.occurrences(), renewer, new JobListener() {
			}, once.time());
			try (ComingBack comingBack = new ComingBack(once.occurrences(), runs, new FailingJobs(),
					Duration.ofHours(1))) {
				await().until(() -> {
					comingBack.round();
					return this.called.size() >= 2;
				});
				await().until(() -> List.of("a", "b")
					.stream()
					.map((name) -> once.occurrences().find("export", name).orElseThrow())
					.allMatch((row) -> row.attempt() == 2 && row.state() == OccurrenceState.OPEN
							&& row.nextAttemptAt().equals(now.plusSeconds(60))
							&& row.detail().contains("IllegalStateException")));
			}
		}
		assertThat(this.called).containsExactly("a", "b");
	}

	private static OccurrenceRow open(String name, Instant due, Instant now) {
		return new OccurrenceRow("export", name, due, null, OccurrenceState.OPEN, 1, due, "run", "owner", 1, null, due,
				due, null, null, now);
	}

	private final class FailingJobs implements ComingBack.Jobs {

		@Override
		public Collection<String> names() {
			return List.of("export");
		}

		@Override
		public Runs.Work work(String job) {
			throw new UnsupportedOperationException();
		}

		@Override
		public JobCall call(String job) {
			return new JobCall(job, Duration.ofSeconds(30), "test", 2, Duration.ofSeconds(60), null, null,
					new OccurrenceStore.Again.Asked(), null, JobPolicy.OF_CALLERS);
		}

		@Override
		public Runs.Work work(OccurrenceRow row) {
			return () -> {
				ComingBackTests.this.called.add(row.occurrence());
				throw new IllegalStateException("its arguments cannot be read");
			};
		}

	}

}
