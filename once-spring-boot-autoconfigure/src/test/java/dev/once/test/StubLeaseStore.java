package dev.once.test;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.once.lease.Hold;
import dev.once.lease.LeaseRow;
import dev.once.lease.LeaseStore;

/**
 * A lease table that grants every claim and shows the rows that a test says.
 */
public final class StubLeaseStore implements LeaseStore {

	private final List<LeaseRow> rows = new CopyOnWriteArrayList<>();

	/**
	 * Adds a row.
	 * @param row the row
	 */
	public void shows(LeaseRow row) {
		this.rows.add(row);
	}

	/**
	 * A row whose lease is held for 20 more seconds.
	 * @param job the job's name
	 * @param token the fencing token
	 * @return the row
	 */
	public static LeaseRow held(String job, long token) {
		Instant now = Instant.parse("2026-11-02T06:00:00Z");
		return new LeaseRow(job, "owner-1", "run-1", token, now.plusSeconds(20), now.minusSeconds(10), now, now);
	}

	/**
	 * A row whose lease was released.
	 * @param job the job's name
	 * @param token the fencing token
	 * @return the row
	 */
	public static LeaseRow released(String job, long token) {
		Instant now = Instant.parse("2026-11-02T06:00:00Z");
		return new LeaseRow(job, null, null, token, now.minusSeconds(5), now.minusSeconds(10), null, now);
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return requests.stream()
			.<Claim>map((request) -> new Claim.Granted(
					new Hold(request.job(), request.owner(), request.runId(), 1, request.length())))
			.toList();
	}

	@Override
	public List<Renewal> renew(List<Hold> holds) {
		return holds.stream().map((hold) -> Renewal.RENEWED).toList();
	}

	@Override
	public List<Release> release(List<Hold> holds) {
		return holds.stream().map((hold) -> Release.RELEASED).toList();
	}

	@Override
	public List<Optional<Registration>> register(List<Registration> registrations) {
		return registrations.stream().map((registration) -> Optional.<Registration>empty()).toList();
	}

	@Override
	public Optional<LeaseRow> find(String job) {
		return this.rows.stream().filter((row) -> row.job().equals(job)).findFirst();
	}

	@Override
	public List<LeaseRow> findAll() {
		return List.copyOf(this.rows);
	}

}
