package dev.once.ledger;

/**
 * T1: the port to the ledger table inside a transaction on the ledger's own database,
 * with which its statements are committed or rolled back. What the database refuses is
 * thrown as the application knows it, and the transaction is to be rolled back.
 */
public interface LocalLedger {

	/**
	 * Makes a move: a {@link Move.Submit} or {@link Move.Resubmit}, which here do not
	 * look at the fence, or a {@link Move.Settle}. A submit waits for a transaction that
	 * has inserted its key and not ended.
	 * @param move the move
	 * @return its answer
	 */
	Moved apply(Move move);

	/**
	 * Whether the run's token is still the job's, under a lock that keeps it so until the
	 * transaction ends.
	 * @param fence the run
	 */
	Fencing fencing(Fence fence);

	/**
	 * What the lease says about a run.
	 */
	enum Fencing {

		/**
		 * Its token is the job's.
		 */
		PRESENT,

		/**
		 * Its token is no longer the job's.
		 */
		FENCED

	}

}
