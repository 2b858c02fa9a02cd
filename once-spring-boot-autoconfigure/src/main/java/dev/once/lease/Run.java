package dev.once.lease;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import dev.once.RunFencedException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt by this process to carry out a job: it holds the job's lease under one
 * token until it is released or fenced.
 */
public final class Run {

	private final Hold hold;

	private final @Nullable String occurrence;

	private final AtomicReference<Standing> standing = new AtomicReference<>(Standing.LIVE);

	private final Deadline begun;

	private final @Nullable Duration renewedFor;

	private final AtomicBoolean outlived = new AtomicBoolean();

	private volatile Deadline lease;

	Run(Hold hold, @Nullable String occurrence, Deadline lease, @Nullable Duration renewedFor) {
		this.hold = hold;
		this.occurrence = occurrence;
		this.begun = lease;
		this.lease = lease;
		this.renewedFor = renewedFor;
	}

	/**
	 * The lease that it holds.
	 */
	public Hold hold() {
		return this.hold;
	}

	/**
	 * Name of the occurrence that it carries out, or {@code null} where it has none.
	 */
	public @Nullable String occurrence() {
		return this.occurrence;
	}

	/**
	 * How long ago its lease was claimed.
	 */
	public Duration age() {
		return this.begun.elapsed();
	}

	/**
	 * Whether it has been turned away.
	 */
	public boolean isFenced() {
		return this.standing.get() == Standing.FENCED;
	}

	/**
	 * Ends a run that has been turned away.
	 * @throws RunFencedException when it has
	 */
	public void stopIfFenced() {
		if (isFenced()) {
			throw fenced();
		}
	}

	/**
	 * The exception that ends a fenced run.
	 */
	public RunFencedException fenced() {
		return new RunFencedException("Run " + this.hold.runId() + " of job '" + this.hold.job()
				+ "' has been turned away: its token " + this.hold.token() + " is no longer the job's");
	}

	/**
	 * Marks it as turned away. A released run is not: a renewal on its way meets its own
	 * run's release (L3).
	 * @return whether this call marked it
	 */
	boolean fence() {
		return this.standing.compareAndSet(Standing.LIVE, Standing.FENCED);
	}

	/**
	 * Marks it as turned away when its end found the lease with somebody else.
	 * @return whether this call marked it
	 */
	boolean fenceAtEnd() {
		return this.standing.getAndSet(Standing.FENCED) != Standing.FENCED;
	}

	void released() {
		this.standing.compareAndSet(Standing.LIVE, Standing.RELEASED);
	}

	void renewed(Deadline lease) {
		this.lease = lease;
	}

	// L4: at a third of its length
	boolean isRenewalDue() {
		return this.standing.get() == Standing.LIVE && mayBeRenewed()
				&& this.lease.elapsed().compareTo(this.hold.length().dividedBy(3)) >= 0;
	}

	private boolean mayBeRenewed() {
		return this.renewedFor == null || this.begun.elapsed().plus(this.hold.length()).compareTo(this.renewedFor) <= 0;
	}

	/**
	 * Whether it is still live although it was to have ended, told once.
	 */
	boolean hasOutlivedRenewal() {
		return this.renewedFor != null && !this.renewedFor.isZero() && this.standing.get() == Standing.LIVE
				&& this.begun.elapsed().compareTo(this.renewedFor) > 0 && this.outlived.compareAndSet(false, true);
	}

	private enum Standing {

		LIVE, FENCED, RELEASED

	}

}
