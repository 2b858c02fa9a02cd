package dev.once.lease;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * The lease table in memory: what each call expects and does, in the fewest words. The
 * databases are held to it.
 */
public final class InMemoryLeaseStore implements LeaseStore {

	private final Map<String, LeaseRow> rows = new TreeMap<>();

	private final Map<String, Registration> registrations = new TreeMap<>();

	private final Map<String, Instant> purged = new TreeMap<>();

	private final Map<String, Instant> looked = new TreeMap<>();

	private final SettableClock clock;

	public InMemoryLeaseStore(SettableClock clock) {
		this.clock = clock;
	}

	/**
	 * Puts a row there as it is.
	 * @param row the row
	 */
	public synchronized void put(LeaseRow row) {
		this.rows.put(row.job(), row);
	}

	/**
	 * O2: moves a job's high-water mark of the purge.
	 * @param job the job's name
	 * @param until up to where occurrences were purged
	 */
	public synchronized void purge(String job, Instant until) {
		this.purged.put(job, until);
	}

	/**
	 * Up to where a job's occurrences were purged, or {@code null}.
	 * @param job the job's name
	 */
	public synchronized @Nullable Instant purgedUntil(String job) {
		return this.purged.get(job);
	}

	/**
	 * Up to where a job's due times have been looked at, or {@code null} (O5).
	 * @param job the job's name
	 */
	public synchronized @Nullable Instant lookedUntil(String job) {
		return this.looked.get(job);
	}

	/**
	 * O5: moves that mark.
	 * @param job the job's name
	 * @param until up to where they have been looked at
	 */
	public synchronized void lookedUntil(String job, Instant until) {
		this.looked.put(job, until);
	}

	/**
	 * The fencing token of each job.
	 */
	public synchronized Map<String, Long> tokens() {
		return this.rows.values().stream().collect(Collectors.toMap(LeaseRow::job, LeaseRow::token));
	}

	@Override
	public synchronized List<Claim> claim(List<Request> requests) {
		return requests.stream().map(this::claim).toList();
	}

	private Claim claim(Request request) {
		Instant now = this.clock.now();
		LeaseRow row = this.rows.get(request.job());
		if (row != null && now.isBefore(row.leaseUntil())) {
			return new Claim.Declined(readAt(row, now));
		}
		long token = (row != null) ? row.token() + 1 : 1;
		put(new LeaseRow(request.job(), request.owner(), request.runId(), token, now.plus(request.length()), now, null,
				now));
		return new Claim.Granted(new Hold(request.job(), request.owner(), request.runId(), token, request.length()));
	}

	@Override
	public synchronized List<Renewal> renew(List<Hold> holds) {
		return holds.stream().map(this::renew).toList();
	}

	private Renewal renew(Hold hold) {
		Instant now = this.clock.now();
		LeaseRow row = this.rows.get(hold.job());
		if (!isHeldBy(row, hold)) {
			return Renewal.FENCED;
		}
		put(new LeaseRow(row.job(), row.owner(), row.runId(), row.token(), now.plus(hold.length()), row.acquiredAt(),
				now, now));
		return Renewal.RENEWED;
	}

	@Override
	public synchronized List<Release> release(List<Hold> holds) {
		return holds.stream().map(this::release).toList();
	}

	private Release release(Hold hold) {
		Instant now = this.clock.now();
		LeaseRow row = this.rows.get(hold.job());
		if (!isHeldBy(row, hold)) {
			return Release.FENCED;
		}
		Instant end = now.isBefore(row.leaseUntil()) ? now : row.leaseUntil();
		put(new LeaseRow(row.job(), null, null, row.token(), end, row.acquiredAt(), row.renewedAt(), now));
		return Release.RELEASED;
	}

	private static boolean isHeldBy(LeaseRow row, Hold hold) {
		return row != null && hold.owner().equals(row.owner()) && hold.token() == row.token();
	}

	@Override
	public synchronized List<Optional<Registration>> register(List<Registration> registrations) {
		return registrations.stream().map(this::register).toList();
	}

	private Optional<Registration> register(Registration registration) {
		String job = registration.job();
		Instant now = this.clock.now();
		boolean known = this.rows.containsKey(job);
		if (!known) {
			put(new LeaseRow(job, null, null, 0, now, now, null, now));
		}
		Registration before = this.registrations.put(job, registration);
		if (!known || before == null || !Objects.equals(before.schedule(), registration.schedule())
				|| !Objects.equals(before.zone(), registration.zone())) {
			this.looked.put(job, now);
		}
		return known ? Optional.of((before != null) ? before : new Registration(job, null, null, null, null))
				: Optional.empty();
	}

	@Override
	public synchronized Optional<LeaseRow> find(String job) {
		return Optional.ofNullable(this.rows.get(job)).map((row) -> readAt(row, this.clock.now()));
	}

	@Override
	public synchronized List<LeaseRow> findAll() {
		return this.rows.values().stream().map((row) -> readAt(row, this.clock.now())).toList();
	}

	private static LeaseRow readAt(LeaseRow row, Instant now) {
		return new LeaseRow(row.job(), row.owner(), row.runId(), row.token(), row.leaseUntil(), row.acquiredAt(),
				row.renewedAt(), now);
	}

}
