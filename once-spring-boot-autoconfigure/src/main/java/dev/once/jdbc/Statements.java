package dev.once.jdbc;

import java.util.List;
import java.util.Map;

import dev.once.ledger.Move;

/**
 * The statements of one database. They name their parameters alike, and answer with the
 * same columns: a verdict where there is more than one, the row, and the database's
 * clock.
 */
interface Statements {

	ManyRows manyRows();

	/** One lease; verdict {@code granted} or {@code held}, nothing when it was lost. */
	String claim();

	/** Leases; the verdict {@code renewed}, {@code busy} or {@code fenced} of each. */
	String renew();

	/** One lease; a row when it was still held. */
	String releaseLease();

	/**
	 * One job's declaration: each statement is made if no earlier one has answered. The
	 * verdict {@code known}, and what stood there, or {@code new}.
	 */
	List<String> register();

	String findLease();

	String findLeases();

	/** One effect; the row as it stands after the move, nothing when it did not apply. */
	Map<Class<? extends Move>, String> moves();

	/**
	 * Many effects of one kind of move, told apart by their place in the call, from 1,
	 * which comes before all else. Kinds that are not there go one by one.
	 */
	Map<Class<? extends Move>, String> manyMoves();

	/**
	 * T1: one local effect's first insert, with the verdicts of a submit but
	 * {@code fenced}; nothing when a rival won meanwhile.
	 */
	String place();

	/** T1: a free row is attempted locally; the row, nothing when it is not free. */
	String placeAgain();

	/** T1: locks a run's lease until the transaction ends; nothing when it is fenced. */
	String fence();

	String find();

	/** Inserts the key, which waits for whoever is about to; may fail as a duplicate. */
	String probe();

	String readBack();

	String due();

	String twin();

	/** State, attention, number of rows, age of the oldest in microseconds. */
	String standing();

	/** P2: adds one decision, unless its id is there; may fail as a duplicate. */
	String appendDecision();

	/** The latest decisions about a job. */
	String latestDecisions();

	/**
	 * How a call with many rows reaches the database.
	 */
	enum ManyRows {

		/**
		 * In one statement, its parameters as arrays.
		 */
		IN_ARRAYS,

		/**
		 * In one statement a row.
		 */
		ONE_BY_ONE

	}

}
