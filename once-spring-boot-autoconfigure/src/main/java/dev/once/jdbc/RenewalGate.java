package dev.once.jdbc;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * L4: what stands between the submits of a job and the renewal of its lease.
 */
interface RenewalGate {

	/**
	 * For databases on which a renewal passes the lock of E1.
	 */
	RenewalGate OPEN = new RenewalGate() {

		@Override
		public <T> T submit(@Nullable String job, Supplier<T> submit) {
			return submit.get();
		}

		@Override
		public <T> T renew(String job, Supplier<T> renewal) {
			return renewal.get();
		}

	};

	/** Submits under a job's lease, or outside a run when there is no job. */
	<T> T submit(@Nullable String job, Supplier<T> submit);

	/** Renews a job's lease. */
	<T> T renew(String job, Supplier<T> renewal);

}
