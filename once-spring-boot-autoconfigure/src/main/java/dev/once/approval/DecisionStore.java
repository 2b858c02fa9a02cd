package dev.once.approval;

import java.util.List;

/**
 * The port to the history of decisions, to which rows are only ever added.
 */
public interface DecisionStore {

	/**
	 * P2: records a decision with the time of the database's clock. One that is recorded
	 * already stays as it is, so that it may be said again after an answer was lost (E2).
	 * @param decision the decision
	 * @throws dev.once.lease.StoreException when it is not known whether it was recorded
	 */
	void append(Decision decision);

	/**
	 * Reads the latest decisions about a job, latest first. Those of a kind that only a
	 * newer release knows are left out.
	 * @param job the job's name
	 * @param limit how many at most
	 * @return the decisions
	 * @throws dev.once.lease.StoreException when they cannot be read
	 */
	List<DecisionRow> latest(String job, int limit);

}
