package dev.once.ledger;

import java.util.HashSet;

import dev.once.Outcome;
import dev.once.lease.InMemoryLeaseStore;
import dev.once.ledger.LocalTransaction.NotCommittedException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * T1, E2: what a commit that fails means for a local effect.
 */
class LocalEffectsTests {

	private static final RuntimeException LOST = new IllegalStateException("connection lost on COMMIT");

	private final ProtocolUnderTest once = new ProtocolUnderTest();

	private final TestCall call = this.once.charge("inv-1");

	@AfterEach
	void close() {
		this.once.close();
	}

	@Test
	void aCommitThatFailedAndTookEffectAllTheSameIsDone() {
		assertThat(perform(Commit.LOSES_ITS_ANSWER)).isEqualTo(new Outcome.Done<>("booked", false, 1));
		assertThat(this.call.endings()).containsExactly(Ending.PERFORMED);
		assertThat(this.once.row(this.call).state()).isEqualTo(EffectState.DONE);
	}

	@Test
	void aCommitThatFailedIsNotDoneAndARepeatDoesTheWork() {
		assertThat(perform(Commit.FAILS)).isEqualTo(new Outcome.NotSent<>("charge/inv-1", LOST));
		assertThat(this.call.endings()).containsExactly(Ending.NOT_SENT);
		assertThat(perform(Commit.SUCCEEDS)).isEqualTo(new Outcome.Done<>("booked", false, 1));
	}

	@Test
	void aCommitThatFailedIsUnresolvedForItsCallerWhileTheLedgerCannotBeRead() {
		this.once.ledger().failReadBacks(1);
		assertThat(perform(Commit.LOSES_ITS_ANSWER)).isInstanceOf(Outcome.Unresolved.class);
		assertThat(this.call.endings()).containsExactly(Ending.UNKNOWN);
		// nothing is unknown in the ledger, and a repeat is told
		assertThat(perform(Commit.SUCCEEDS)).isEqualTo(new Outcome.Done<>("booked", true, 1));
	}

	@Test
	void anErrorGoesToTheCallerAndLeavesNoRow() {
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(
				() -> this.once.protocol().performLocally(this.call.call(), boundary(Commit.SUCCEEDS), (effect) -> {
					throw new StackOverflowError();
				}));
		assertThat(this.once.hasRow(this.call)).isFalse();
		assertThat(this.call.endings()).containsExactly(Ending.NOT_SENT);
	}

	@Test
	void afterTheStopNothingIsStarted() {
		this.once.protocol().stop();
		assertThat(perform(Commit.SUCCEEDS)).isInstanceOf(Outcome.NotSent.class);
		assertThat(this.once.hasRow(this.call)).isFalse();
	}

	private Outcome<String> perform(Commit commit) {
		return this.once.protocol()
			.performLocally(this.call.call(), boundary(commit), (effect) -> Outcome.done("booked"));
	}

	/** A ledger whose rows are seen once they are committed. */
	private LocalBoundary boundary(Commit commit) {
		InMemoryEffectLedger inside = new InMemoryEffectLedger(this.once.clock(),
				new InMemoryLeaseStore(this.once.clock()));
		this.once.rows().rows().forEach(inside::put);
		LocalLedger ledger = new LocalLedger() {

			@Override
			public Moved apply(Move move) {
				return inside.apply(move);
			}

			@Override
			public Fencing fencing(Fence fence) {
				return Fencing.PRESENT;
			}

		};
		return new LocalBoundary(new Transaction(commit, () -> inside.rows().forEach(this.once.rows()::put)), ledger);
	}

	private enum Commit {

		SUCCEEDS, FAILS, LOSES_ITS_ANSWER

	}

	private record Transaction(Commit commit,
			Runnable committing) implements LocalTransaction, LocalTransaction.Current {

		@Override
		public <T> T run(Work<T> work) throws Throwable {
			T result = work.in(this);
			if (this.commit != Commit.FAILS) {
				this.committing.run();
			}
			if (this.commit != Commit.SUCCEEDS) {
				throw new NotCommittedException(LOST);
			}
			return result;
		}

		@Override
		public boolean isRollbackOnly() {
			return false;
		}

		@Override
		public void rollBack() {
			throw new AssertionError("Nothing asks for that");
		}

		@Override
		public void add(Part part) {
			part.beforeCommit(new HashSet<>());
			if (this.commit == Commit.SUCCEEDS) {
				part.ended(End.COMMITTED);
			}
		}

	}

}
