package dev.once.jdbc;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * L4: a gate for each job, where E1 locks the lease row against its own renewal. Submits
 * of a job pass one after the other, as they would at the row; a renewal waits for the
 * one that is passing, and goes before all that queue.
 */
final class FairGate implements RenewalGate {

	/** Then a renewal tries its luck at the row: who is passing may be stuck. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final Map<String, Gate> gates = new ConcurrentHashMap<>();

	@Override
	public <T> T submit(@Nullable String job, Supplier<T> submit) {
		if (job == null) {
			return submit.get();
		}
		Gate gate = gate(job);
		return locked(gate.queue(), () -> locked(gate.passage(), submit));
	}

	private static <T> T locked(Lock lock, Supplier<T> work) {
		lock.lock();
		try {
			return work.get();
		}
		finally {
			lock.unlock();
		}
	}

	@Override
	public <T> T renew(String job, Supplier<T> renewal) {
		Lock passage = gate(job).passage();
		boolean passing = tryLock(passage);
		try {
			return renewal.get();
		}
		finally {
			if (passing) {
				passage.unlock();
			}
		}
	}

	private Gate gate(String job) {
		return this.gates.computeIfAbsent(job, (name) -> Gate.open());
	}

	private static boolean tryLock(Lock lock) {
		try {
			return lock.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * A job's gate.
	 *
	 * @param queue held by the one submit that is at the passage
	 * @param passage held by who passes
	 */
	private record Gate(Lock queue, Lock passage) {

		static Gate open() {
			return new Gate(new ReentrantLock(true), new ReentrantLock(true));
		}

	}

}
