package dev.once.lease;

/**
 * Is told what became of leases. It must not throw and must not block.
 */
public interface LeaseListener {

	/**
	 * A firing found the job's lease held.
	 * @param job the job's name
	 */
	default void suppressed(String job) {
	}

	/**
	 * A run was turned away.
	 * @param job the job's name
	 */
	default void fenced(String job) {
	}

}
