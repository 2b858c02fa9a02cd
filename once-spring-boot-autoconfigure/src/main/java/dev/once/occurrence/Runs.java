package dev.once.occurrence;

import java.time.Duration;
import java.util.Optional;

import dev.once.JobRun;
import dev.once.OnceScope;
import dev.once.lease.Leases;
import dev.once.lease.Renewer;
import dev.once.lease.Run;
import dev.once.lease.TimeSource;
import dev.once.ledger.Failures;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Starts and ends the runs of this application context.
 */
public final class Runs {

	private static final Log logger = LogFactory.getLog(Runs.class);

	private static final Log reports = LogFactory.getLog("once.run");

	private final Leases leases;

	private final Renewer renewer;

	private final TimeSource time;

	private volatile boolean stopping;

	/**
	 * Creates the context's runs.
	 * @param leases the leases they hold
	 * @param renewer keeps the leases alive
	 * @param time the process's time
	 */
	public Runs(Leases leases, Renewer renewer, TimeSource time) {
		this.leases = leases;
		this.renewer = renewer;
		this.time = time;
	}

	/**
	 * Runs a job's body under the job's lease, or does nothing and says why. Called
	 * within a run of the same job, the body is a part of that run.
	 * @param call the call
	 * @param body the job's body
	 * @return what became of the firing
	 * @throws dev.once.lease.StoreException when the lease table cannot be written;
	 * nothing was started
	 * @throws Throwable what the body throws
	 */
	public Firing fire(JobCall call, Body body) throws Throwable {
		String job = call.job();
		OnceScope scope = OnceScope.current();
		JobRun outer = scope.run();
		if (outer != null && outer.job().equals(job)) {
			outer.stopIfFenced();
			return new Firing.Ran(body.run());
		}
		if (this.stopping) {
			logger.debug("Job '" + job + "' is not started: the application is shutting down");
			return new Firing.Stopping();
		}
		// L4: nothing starts that nobody renews
		this.renewer.ensureRunning();
		Optional<Run> claimed = this.leases.claim(job, call.lease(), call.declaredBy());
		if (claimed.isEmpty()) {
			logger.debug("Job '" + job + "' is not started: another run holds its lease");
			return new Firing.Suppressed();
		}
		return new Firing.Ran(run(new CurrentRun(claimed.get(), call.due(), () -> this.stopping), scope, body));
	}

	private @Nullable Object run(CurrentRun run, OnceScope scope, Body body) throws Throwable {
		long start = this.time.nanoTime();
		String end = "";
		try (OnceScope.Restore restore = new OnceScope(run, scope.effect(), null).open()) {
			return body.run();
		}
		catch (Throwable ex) {
			end = ", and then threw " + Failures.describe(ex);
			throw ex;
		}
		finally {
			release(run);
			if (reports.isInfoEnabled()) {
				reports.info(run.report(Duration.ofNanos(this.time.nanoTime() - start)) + end);
			}
		}
	}

	// An interrupted thread gets no connection, and the job would stand still for a lease
	private void release(CurrentRun run) {
		boolean interrupted = Thread.interrupted();
		try {
			this.leases.release(run.run());
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Starts no new run from now on.
	 */
	public void stop() {
		this.stopping = true;
	}

	/**
	 * A job's body.
	 */
	@FunctionalInterface
	public interface Body {

		/**
		 * Runs it.
		 * @return what it returns
		 * @throws Throwable what it throws
		 */
		@Nullable Object run() throws Throwable;

	}

}
