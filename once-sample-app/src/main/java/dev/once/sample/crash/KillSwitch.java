package dev.once.sample.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Kills or stops its own process with a signal when a thread passes the armed point for
 * the n-th time. The point's name stands in the log before the signal is sent.
 */
class KillSwitch {

	private final CrashProperties properties;

	private final AtomicInteger passed = new AtomicInteger();

	KillSwitch(CrashProperties properties) {
		this.properties = properties;
	}

	void pass(KillPoint point) {
		if (point == this.properties.point() && this.passed.incrementAndGet() == this.properties.at()) {
			System.out.println("CRASH POINT " + point.word() + " " + this.properties.signal());
			System.out.flush();
			signal();
		}
	}

	private void signal() {
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
