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
 * L4: a queue for each job, where E1 locks the lease row against its own renewal. Submits
 * of a job pass one after the other, as they would at the row; a renewal stands in the
 * same queue, so that no number of them starves it.
 */
final class FairGate implements RenewalGate {

	/** Then it tries its luck at the row: who holds the gate may be stuck. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final Map<String, Lock> jobs = new ConcurrentHashMap<>();

	@Override
	public <T> T submit(@Nullable String job, Supplier<T> submit) {
		if (job == null) {
			return submit.get();
		}
		Lock lock = lock(job);
		lock.lock();
		try {
			return submit.get();
		}
		finally {
			lock.unlock();
		}
	}

	@Override
	public <T> T renew(String job, Supplier<T> renewal) {
		Lock lock = lock(job);
		boolean passed = tryLock(lock);
		try {
			return renewal.get();
		}
		finally {
			if (passed) {
				lock.unlock();
			}
		}
	}

	private Lock lock(String job) {
		return this.jobs.computeIfAbsent(job, (name) -> new ReentrantLock(true));
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

}
