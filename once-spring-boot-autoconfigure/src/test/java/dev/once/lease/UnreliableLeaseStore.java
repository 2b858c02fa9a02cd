package dev.once.lease;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A lease table whose calls fail on demand, before or after they are committed.
 */
final class UnreliableLeaseStore implements LeaseStore {

	private final LeaseStore store;

	private final Deque<Fault> faults = new ArrayDeque<>();

	private final List<String> calls = new ArrayList<>();

	private Runnable beforehand = () -> {
	};

	private Runnable afterwards = () -> {
	};

	UnreliableLeaseStore(LeaseStore store) {
		this.store = store;
	}

	void fail(Fault... next) {
		this.faults.addAll(List.of(next));
	}

	/**
	 * Does something right before the next call, as another thread would.
	 * @param event what happens
	 */
	void beforehand(Runnable event) {
		this.beforehand = event;
	}

	/**
	 * Does something right after the next call, before it is answered.
	 * @param event what happens
	 */
	void afterwards(Runnable event) {
		this.afterwards = event;
	}

	/**
	 * What was called, in order.
	 */
	List<String> calls() {
		return List.copyOf(this.calls);
	}

	@Override
	public List<Claim> claim(List<Request> requests) {
		return call("claim", () -> this.store.claim(requests));
	}

	@Override
	public List<Renewal> renew(List<Hold> holds) {
		if (this.faults.peek() == Fault.LOCKED) {
			this.faults.poll();
			this.calls.add("renew");
			return holds.stream().map((hold) -> Renewal.BUSY).toList();
		}
		return call("renew", () -> this.store.renew(holds));
	}

	@Override
	public List<Release> release(List<Hold> holds) {
		return call("release", () -> this.store.release(holds));
	}

	@Override
	public List<Optional<Registration>> register(List<Registration> registrations) {
		return call("register", () -> this.store.register(registrations));
	}

	@Override
	public Optional<LeaseRow> find(String job) {
		return call("find", () -> this.store.find(job));
	}

	@Override
	public List<LeaseRow> findAll() {
		return this.store.findAll();
	}

	private <T> T call(String name, Supplier<T> call) {
		this.calls.add(name);
		Runnable first = this.beforehand;
		this.beforehand = () -> {
		};
		first.run();
		Fault fault = this.faults.poll();
		if (fault == Fault.CLOSED) {
			throw new StoreException.Closed("closed", new IllegalStateException("closed"));
		}
		if (fault == Fault.NOT_COMMITTED) {
			throw failure();
		}
		T answer = call.get();
		Runnable event = this.afterwards;
		this.afterwards = () -> {
		};
		event.run();
		if (fault == Fault.COMMITTED) {
			throw failure();
		}
		return answer;
	}

	private static StoreException failure() {
		return new StoreException("connection lost", new IllegalStateException("connection lost"));
	}

	enum Fault {

		COMMITTED, NOT_COMMITTED, LOCKED, CLOSED

	}

}
