package dev.once.sample.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Kills or stops its own process with a signal when a thread passes the armed point for
 * the n-th time. The point's name stands in the log before the signal is sent.
 */
class KillSwitch {

	private final CrashProperties properties;

	private final AtomicInteger passed = new AtomicInteger();

	/**
	 * Held by bodies and, alone, by a stop: a process that is stopped somewhere else must
	 * not be in the gap with another thread by chance.
	 */
	private final ReentrantReadWriteLock bodies = new ReentrantReadWriteLock(true);

	KillSwitch(CrashProperties properties) {
		this.properties = properties;
	}

	void pass(KillPoint point) {
		if (point == this.properties.point() && this.passed.incrementAndGet() == this.properties.at()) {
			if ("STOP".equals(this.properties.signal())) {
				stop(point);
			}
			else {
				signal(point);
			}
		}
	}

	void bodyBegins() {
		if (this.bodies.getReadHoldCount() == 0) {
			this.bodies.readLock().lock();
		}
	}

	void bodyEnds() {
		if (this.bodies.getReadHoldCount() > 0) {
			this.bodies.readLock().unlock();
		}
	}

	private void stop(KillPoint point) {
		boolean inBody = this.bodies.getReadHoldCount() > 0;
		bodyEnds();
		this.bodies.writeLock().lock();
		try {
			signal(point);
		}
		finally {
			this.bodies.writeLock().unlock();
		}
		if (inBody) {
			bodyBegins();
		}
	}

	private void signal(KillPoint point) {
		System.out.println("CRASH POINT " + point.word() + " " + this.properties.signal());
		System.out.flush();
		try {
			new ProcessBuilder("kill", "-" + this.properties.signal(), Long.toString(ProcessHandle.current().pid()))
				.start()
				.waitFor();
			if ("KILL".equals(this.properties.signal())) {
				Thread.currentThread().join();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
