package dev.once.lease;

import java.time.Instant;
import java.util.List;

import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Release;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.lease.LeaseStore.Request;
import org.jspecify.annotations.Nullable;

/**
 * The lease table as the {@link LeaseModel} sees it: {@link InMemoryLeaseStore}, one
 * statement at a time. A mutant overrides one method.
 */
class LeaseMoves {

	/**
	 * L1.
	 * @param row the row as it stands, or {@code null}
	 * @param snapshot the row as it stood when the statement began, or {@code null}
	 * @param request the lease wanted
	 * @param now the database's clock
	 */
	Result<Claim> claim(@Nullable LeaseRow row, @Nullable LeaseRow snapshot, Request request, Instant now) {
		InMemoryLeaseStore store = store(row, now);
		Claim claim = store.claim(List.of(request)).get(0);
		return new Result<>(claim, row(store));
	}

	/**
	 * L3.
	 * @param row the row as it stands, or {@code null}
	 * @param hold the lease held
	 * @param now the database's clock
	 */
	Result<Renewal> renew(@Nullable LeaseRow row, Hold hold, Instant now) {
		InMemoryLeaseStore store = store(row, now);
		Renewal renewal = store.renew(List.of(hold)).get(0);
		return new Result<>(renewal, row(store));
	}

	/**
	 * L2.
	 * @param row the row as it stands, or {@code null}
	 * @param hold the lease held
	 * @param now the database's clock
	 */
	Result<Release> release(@Nullable LeaseRow row, Hold hold, Instant now) {
		InMemoryLeaseStore store = store(row, now);
		Release release = store.release(List.of(hold)).get(0);
		return new Result<>(release, row(store));
	}

	/**
	 * E1: whether the fence is checked under the lock of the lease row, in the statement
	 * that starts the effect.
	 */
	boolean checksUnderLock() {
		return true;
	}

	private static InMemoryLeaseStore store(@Nullable LeaseRow row, Instant now) {
		SettableClock clock = new SettableClock();
		clock.set(now);
		InMemoryLeaseStore store = new InMemoryLeaseStore(clock);
		if (row != null) {
			store.put(row);
		}
		return store;
	}

	private static @Nullable LeaseRow row(InMemoryLeaseStore store) {
		return store.findAll().stream().findFirst().orElse(null);
	}

	/**
	 * What came of a statement.
	 *
	 * @param <T> the answer's type
	 * @param answer the answer
	 * @param row the row after it, or {@code null}
	 */
	record Result<T>(T answer, @Nullable LeaseRow row) {

	}

}
