package dev.once.lease;

import java.time.Instant;
import java.util.stream.Stream;

import dev.once.lease.LeaseModel.Owners;
import dev.once.lease.LeaseStore.Claim;
import dev.once.lease.LeaseStore.Release;
import dev.once.lease.LeaseStore.Renewal;
import dev.once.lease.LeaseStore.Request;
import dev.once.test.StateSearch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseModelTests {

	@ParameterizedTest
	@EnumSource(Owners.class)
	void tokensRiseAndARunTouchesItsOwnLeaseOnly(Owners owners) {
		StateSearch.Found found = StateSearch.search(new LeaseModel(new LeaseMoves(), owners, 5, 4));
		assertThat(found.breach()).isNull();
		assertThat(found.states()).isGreaterThan(5_000);
	}

	@ParameterizedTest
	@MethodSource("mutants")
	void aMutantFails(Mutant mutant) {
		StateSearch.Found found = StateSearch.search(new LeaseModel(mutant.moves(), mutant.owners(), 5, 4));
		assertThat(found.breach()).as("%s: %s", mutant, found.breach()).isNotNull();
		assertThat(found.breach().invariant()).as("%s: %s", mutant, found.breach()).isEqualTo(mutant.breaks());
	}

	static Stream<Mutant> mutants() {
		return Stream.of(new Mutant("L1 token = max + 1 from the statement's snapshot", LeaseModel.I4, Owners.TWO,
				new LeaseMoves() {

					@Override
					Result<Claim> claim(@Nullable LeaseRow row, @Nullable LeaseRow snapshot, Request request,
							Instant now) {
						Result<Claim> result = super.claim(row, snapshot, request, now);
						return (result.answer() instanceof Claim.Granted)
								? granted(request, result.row(), ((snapshot != null) ? snapshot.token() : 0) + 1)
								: result;
					}

				}), new Mutant("L1 look and write in two statements", LeaseModel.X1, Owners.TWO, new LeaseMoves() {

					@Override
					Result<Claim> claim(@Nullable LeaseRow row, @Nullable LeaseRow snapshot, Request request,
							Instant now) {
						boolean free = snapshot == null || !now.isBefore(snapshot.leaseUntil());
						LeaseRow seen = (row != null && free) ? until(row, now) : row;
						return super.claim(seen, snapshot, request, now);
					}

				}), new Mutant("L1 a claim by the same context keeps the token", LeaseModel.I4, Owners.ONE,
						new LeaseMoves() {

							@Override
							Result<Claim> claim(@Nullable LeaseRow row, @Nullable LeaseRow snapshot, Request request,
									Instant now) {
								Result<Claim> result = super.claim(row, snapshot, request, now);
								return (row != null && request.owner().equals(row.owner())
										&& result.answer() instanceof Claim.Granted)
												? granted(request, result.row(), row.token()) : result;
							}

						}),
				new Mutant("L2 release deletes the row", LeaseModel.I4, Owners.TWO, new LeaseMoves() {

					@Override
					Result<Release> release(@Nullable LeaseRow row, Hold hold, Instant now) {
						Result<Release> result = super.release(row, hold, now);
						return (result.answer() == Release.RELEASED) ? new Result<>(result.answer(), null) : result;
					}

				}), new Mutant("L2 release leaves the owner: a late renewal takes it back", LeaseModel.X2, Owners.TWO,
						new LeaseMoves() {

							@Override
							Result<Renewal> renew(@Nullable LeaseRow row, Hold hold, Instant now) {
								return super.renew(
										(row != null && row.owner() == null) ? owned(row, hold.owner(), null) : row,
										hold, now);
							}

						}),
				new Mutant("L3 renewal by owner only", LeaseModel.X4, Owners.ONE, new LeaseMoves() {

					@Override
					Result<Renewal> renew(@Nullable LeaseRow row, Hold hold, Instant now) {
						return super.renew(row, (row != null) ? withToken(hold, row.token()) : hold, now);
					}

				}), new Mutant("L3 release by owner only", LeaseModel.X4, Owners.ONE, new LeaseMoves() {

					@Override
					Result<Release> release(@Nullable LeaseRow row, Hold hold, Instant now) {
						return super.release(row, (row != null) ? withToken(hold, row.token()) : hold, now);
					}

				}), new Mutant("E1 token checked without a lock", LeaseModel.I3, Owners.TWO, new LeaseMoves() {

					@Override
					boolean checksUnderLock() {
						return false;
					}

				}));
	}

	private static LeaseMoves.Result<Claim> granted(Request request, @Nullable LeaseRow row, long token) {
		Hold hold = new Hold(request.job(), request.owner(), request.runId(), token, request.length());
		return new LeaseMoves.Result<>(new Claim.Granted(hold), (row != null) ? new LeaseRow(row.job(), row.owner(),
				row.runId(), token, row.leaseUntil(), row.acquiredAt(), row.renewedAt(), row.readAt()) : null);
	}

	private static LeaseRow until(LeaseRow row, Instant until) {
		return new LeaseRow(row.job(), row.owner(), row.runId(), row.token(), until, row.acquiredAt(), row.renewedAt(),
				row.readAt());
	}

	private static LeaseRow owned(LeaseRow row, String owner, @Nullable String runId) {
		return new LeaseRow(row.job(), owner, runId, row.token(), row.leaseUntil(), row.acquiredAt(), row.renewedAt(),
				row.readAt());
	}

	private static Hold withToken(Hold hold, long token) {
		return new Hold(hold.job(), hold.owner(), hold.runId(), token, hold.length());
	}

	/**
	 * A lease table with something wrong.
	 *
	 * @param name what is wrong, with the rule's number
	 * @param breaks the invariant that it breaks
	 * @param owners whose runs they are
	 * @param moves the table
	 */
	record Mutant(String name, String breaks, Owners owners, LeaseMoves moves) {

		@Override
		public String toString() {
			return this.name;
		}

	}

}
